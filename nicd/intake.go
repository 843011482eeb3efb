package nicd

import (
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/fault"
	"github.com/rocelab/rocelab/emulator/fifo"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// The ports of a NIC's event queue: frames arrive at the first, and leave its receive buffer at the second.
const (
	fromLink = iota
	fromBuffer
	numSources
)

// intake is the receive buffer of a NIC whose host takes payload more slowly than the line brings it, always or in a
// fault. Frames without payload, ACKs and CNPs among them, are the NIC's own business and do not wait.
type intake struct {
	// Intake has the settings in force.
	profile.Intake
	// met counts the frames taken in during a fault, nil at other times.
	met  *fault.Met
	held unit.Bytes
	// frames wait, the oldest first.
	frames fifo.Queue[*wire.Frame]
	// free is the time at which the host will have taken all that is held.
	free unit.Time
	// paused are the classes that the NIC has paused for it.
	paused uint8
}

// newIntake returns the receive buffer of a NIC, nil if its host is as fast as the line.
func newIntake(settings profile.Intake) *intake {
	if settings.Rate == 0 {
		return nil
	}
	return &intake{Intake: settings}
}

// slowHostModel is a host that takes payload at a lower rate for a time: the NIC has a receive buffer, and frames wait
// in it from then on. A frame that waits keeps its rate.
var slowHostModel = fault.Model[*NIC]{
	Prepare: func(n *NIC) {
		if n.intake == nil {
			n.intake = &intake{Intake: n.profile.Host.Intake}
		}
	},
	Begin: func(n *NIC, f *fault.Planned, met *fault.Met) {
		n.intake.Rate, n.intake.met = f.Rate, met
	},
	End: func(n *NIC, _ *fault.Planned, met *fault.Met) {
		if n.intake.met == met { // and the next has not begun
			n.intake.Rate, n.intake.met = n.profile.Host.Intake.Rate, nil
		}
	},
}

// cells returns the space of a frame in the buffer, which is given out in cells of 256 B: by the byte the first packet
// of a message, which is 16 B longer, would repeatedly be the only one without room.
func cells(length unit.Bytes) unit.Bytes { return (length + 255) &^ 255 }

// takeIn puts a frame that arrived into the receive buffer, drops it where there is no room, and reports
// whether it did either.
func takeIn(n *NIC, now unit.Time, frame *wire.Frame) bool {
	buffer := n.intake
	if frame.PayloadLen == 0 || buffer.Rate == 0 && buffer.frames.Empty() {
		return false
	}
	length := frame.Len()
	class := n.classOf(frame)
	if buffer.held+cells(length) > buffer.Buffer {
		n.port.record.RxFrames++
		n.port.record.RxBytes += uint64(length)
		n.drop(now, fabric.DropIntake, frame)
		return true
	}
	buffer.held += cells(length)
	if buffer.Pauses && buffer.held > buffer.Buffer/2 && buffer.paused>>class&1 == 0 {
		buffer.paused |= 1 << class
		n.port.announce(1 << class)
	}
	if buffer.met != nil {
		buffer.met.Count(length)
	}
	buffer.free = max(buffer.free, now).Add(buffer.timeOf(unit.Bytes(frame.PayloadLen)))
	buffer.frames.Push(frame)
	n.queue.Arrive(fromBuffer, buffer.free, length, frame)
	return true
}

// timeOf returns how long the host takes for a payload: at least 1 ps, which is all that it takes without a bound.
func (i *intake) timeOf(payload unit.Bytes) unit.Duration {
	if i.Rate == 0 {
		return 1
	}
	return max(i.Rate.SerialTime(payload), 1)
}

// takenOut takes the frame out that the host has taken, and reports whether it is one: the oldest.
func (i *intake) takenOut(port *port, frame *wire.Frame) bool {
	if i.frames.Empty() || *i.frames.First() != frame {
		return false
	}
	i.frames.Pop()
	i.held -= cells(frame.Len())
	if i.paused != 0 && i.held <= i.Buffer/4 {
		port.announce(i.paused)
		i.paused = 0
	}
	return true
}
