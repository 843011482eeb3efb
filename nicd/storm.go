package nicd

import (
	"math/bits"

	"github.com/rocelab/rocelab/emulator/fault"
	"github.com/rocelab/rocelab/emulator/link"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// fullQuanta is the longest pause that a frame can ask for.
const fullQuanta = 1<<16 - 1

// storm is the part of a NIC that pauses its peer: without need, if the NIC is broken, see profile.Storm, or because
// its receive buffer fills. Apart from its pauses the NIC works as ever.
//
// refreshDue returns, as bits, the classes whose state the next PFC frame is to announce; fillPause fills that frame.
type storm struct {
	// until is the end of the last storm of a class that has begun.
	until [profile.Classes]unit.Time
	// refresh sends a class's pause again after every, half of its time, so that a pause lost by the link leaves no
	// gap.
	refresh [profile.Classes]link.Timer
	every   unit.Duration
	// buffer is the receive buffer, nil if there is none.
	buffer *intake
}

// stormModel is the model of profile.Storm, and pfcStorm its name.
var stormModel = fault.Model[*NIC]{
	Prepare: needStorm,
	Begin: func(n *NIC, f *fault.Planned, _ *fault.Met) {
		n.storm.until[f.Class] = f.To
		n.port.announce(1 << f.Class)
	},
	// The class stays held if the next storm of it has begun.
	End: func(n *NIC, f *fault.Planned, _ *fault.Met) {
		if n.storm.until[f.Class] <= f.To {
			n.port.announce(1 << f.Class)
		}
	},
}

const pfcStorm = "pfc-storm"

// needStorm makes the part of a NIC that pauses its peer.
func needStorm(n *NIC) {
	if n.storm == nil {
		n.storm = &storm{every: link.PauseTime(fullQuanta, n.tx.Rate()) / 2}
	}
}

// preparePauses has a NIC pause its peer for its receive buffer, if it is to.
func preparePauses(n *NIC) {
	if n.intake != nil && n.intake.Pauses {
		needStorm(n)
		n.storm.buffer = n.intake
	}
}

// holds reports whether a class is to be paused.
func (s *storm) holds(class int, now unit.Time) bool {
	return now < s.until[class] || s.buffer != nil && s.buffer.paused>>class&1 != 0
}

// refreshDue handles the event at which a class's pause is sent again.
func (s *storm) refreshDue(class uint32, now unit.Time) (pending uint8) {
	if s.refresh[class].Fired(now) && s.holds(int(class), now) {
		pending = 1 << class
	}
	return pending
}

// active returns the classes that are to be paused now.
func (s *storm) active(now unit.Time) (classes uint8) {
	for c := range s.until {
		if s.holds(c, now) {
			classes |= 1 << c
		}
	}
	return classes
}

// announce has the next PFC frame announce the state of classes, unless the link is down.
func (p *port) announce(classes uint8) {
	if !p.down {
		p.pfcPending |= classes
	}
}

// fillPause makes frame a PFC frame that announces the state of the given classes,
// XOFF with the longest pause or XON, and counts it. It returns the classes whose pause is to
// be sent again after every.
func (s *storm) fillPause(
	frame *wire.Frame, mac wire.MAC, classes uint8, now unit.Time, rec *record.Port,
) (again uint8) {
	frame.SetPFC(mac, 0, 0)
	frame.ClassEnable = classes
	for rest := classes; rest != 0; rest &= rest - 1 {
		c := bits.TrailingZeros8(rest)
		if !s.holds(c, now) {
			rec.Classes.Of(uint8(c)).SentXON++
			continue
		}
		frame.Pause[c] = fullQuanta
		rec.Classes.Of(uint8(c)).SentXOFF++
		again |= 1 << c
	}
	rec.TxPFCFrames++
	rec.TxPFCBytes += uint64(frame.Len())
	return again
}

// sendPause sends one PFC frame that announces the state of all classes in
// pfcPending.
func (n *NIC) sendPause(now unit.Time) {
	port, frame := &n.port, n.out.New()
	again := n.storm.fillPause(frame, n.address.mac, port.pfcPending, now, port.record)
	port.pfcPending = 0
	for ; again != 0; again &= again - 1 {
		c := bits.TrailingZeros8(again)
		n.arm(&n.storm.refresh[c], now.Add(n.storm.every), jobRefresh, uint32(c))
	}
	if now >= port.meter.End {
		port.closeBin(now)
	}
	port.start(now, uint64(frame.Len()), n.tx.TimeAt(now, frame.Len(), frame))
	n.out.Emit(0, n.attachment.Link, now, frame)
}
