package switchd

import (
	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/link"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/switchd/proximal"
)

// Proximity is a switch's input of proximal CNP: the attachment map of the controller, and data from the set-ups of
// connections.
type Proximity struct {
	// Nearest is, for each NIC by number, its proximal device: the switch that it hangs on, by number, or Nobody if
	// that does not take part.
	Nearest []uint16
	// Edge is, for each port, whether it leads to a NIC; Longest the longest feedback loop of its queues to a device
	// that is notified of them.
	Edge    []bool
	Longest []unit.Duration
	// Loops are, for each switch by number, how long a message between here and
	// there and data the other way take on empty queues, Access for each NIC a
	// CNP from its switch and the data that follow. A feedback loop, from a queue
	// to a sender and back to the queue, is the sum of the two.
	Loops, Access []unit.Duration
	// Home is, for each station by number, the switch that it hangs on, or Nobody. Onward is, for each switch, the time
	// that data waiting here takes to it and through it, plus a CNP the other way through both; Receipt, for each
	// station, the time of data from its switch and of the CNP that answers. Latency is each switch's own.
	Home                     []uint16
	Onward, Receipt, Latency []unit.Duration
	// Connections are the connections of senders at this switch.
	Connections []Connection
}

// fits reports whether p is there and of the size of the switch's fabric.
func (p *Proximity) fits(config *Config) bool {
	return p != nil && len(p.Nearest) == len(config.Routes) && len(p.Access) == len(config.Routes) &&
		len(p.Home) == len(config.Routes) && len(p.Receipt) == len(config.Routes) &&
		len(p.Edge) == len(config.Ports) && len(p.Longest) == len(config.Ports) && len(p.Loops) == len(config.Loopbacks) &&
		len(p.Onward) == len(config.Loopbacks) && len(p.Latency) == len(config.Loopbacks)
}

// EndToEnd returns the feedback loop of a flow from station src to station dst on empty queues, with the switch self
// that knows p on the path: data to the receiver, and its CNP back to the sender. It is 0 for a station that does not
// hang on a switch.
func (p *Proximity) EndToEnd(self, src, dst uint32) unit.Duration {
	stations := uint32(len(p.Home))
	if src >= stations || dst >= stations || p.Home[src] == Nobody || p.Home[dst] == Nobody {
		return 0
	}
	home := p.Home[src]
	loop := p.Loops[home] + p.Access[src] + p.Onward[p.Home[dst]] + p.Receipt[dst]
	if uint32(home) != self {
		loop += p.Latency[home] // of the CNP, which begins there in the loop of the message
	}
	return loop
}

// Nobody marks a NIC without a proximal device.
const Nobody = 1<<16 - 1

// Connection is a connection as its set-up names it: both QPs.
type Connection struct{ SrcIP, DstIP, SrcQP, DstQP uint32 }

// proximity is a switch's part in proximal CNP: the observer of its frames.
type proximity struct {
	Proximity
	sw      *Switch
	profile *profile.Proximal
	id      uint32
	// loopback is the address of switch 0; switch i has loopback + i.
	loopback uint32
	firstIP  uint32

	// As the congested device. sequence is the last message's number.
	silence  proximal.Silence
	sequence uint32
	// watched are the queues of each port, nil for queues that send control classes only; limits are by port and class.
	watched [][profile.Classes]*proximal.Monitor
	limits  [][profile.Classes]proximal.Limits

	// As the proximal device.
	table       *proximal.Table
	pacer       proximal.Pacer
	turn        link.Deadline
	windows     []proximal.ReplayWindow // by device
	connections map[proximal.Flow]uint32

	rec record.Proximal
}

// lowMark is the distance below BufferShare that the buffer must fall before it is no longer congested.
const lowMark = 0.1

// newProximity returns the part of a switch in proximal CNP.
func newProximity(sw *Switch, config *Config) *proximity {
	prof := &config.Profile.Proximal
	part := &proximity{
		Proximity:   *config.Proximity,
		sw:          sw,
		profile:     prof,
		id:          config.ID,
		loopback:    config.FirstLoopback,
		firstIP:     config.FirstIP,
		table:       proximal.NewTable(prof.Learning.Capacity),
		windows:     make([]proximal.ReplayWindow, len(config.Proximity.Loops)),
		connections: make(map[proximal.Flow]uint32, len(config.Proximity.Connections)),
		watched:     make([][profile.Classes]*proximal.Monitor, len(sw.ports)),
		limits:      make([][profile.Classes]proximal.Limits, len(sw.ports)),
	}
	if prof.QPs == profile.QPsFromConnections {
		for _, k := range config.Proximity.Connections {
			part.connections[proximal.Flow{SrcIP: k.SrcIP, DstIP: k.DstIP, DstQP: k.DstQP}] = k.SrcQP
		}
	}
	for i := range sw.ports {
		for class := range part.limits[i] {
			part.limits[i][class] = part.newLimits(&sw.ports[i], class)
		}
		for q := range sw.ports[i].queues {
			if part.dataQueue(uint8(q)) {
				part.watched[i][q] = new(proximal.Monitor)
			}
		}
	}
	return part
}

// dataQueue reports whether a class other than a control class is sent from a queue.
func (x *proximity) dataQueue(queue uint8) bool {
	for c, of := range x.sw.queueOf {
		if of == queue && !has(x.sw.control, uint8(c)) {
			return true
		}
	}
	return false
}

// newLimits returns what a queue of a class at a port is held against.
func (x *proximity) newLimits(port *port, class int) proximal.Limits {
	size, kmin := float64(x.occupancy(port).size), unit.Bytes(0)
	if m := &port.marks[class]; m.atEnqueue || m.atDequeue {
		kmin = m.kmin
	}
	threshold := x.profile.ThresholdAt(port.tx.Rate(), kmin, x.Longest[port.index])
	ceiling := 4 * threshold
	if kmin > 0 {
		ceiling = max(threshold, min(ceiling, kmin))
	}
	return proximal.Limits{
		Threshold: threshold,
		Ceiling:   ceiling,
		Interval:  x.profile.Interval,
		High:      unit.Whole[unit.Bytes](x.profile.BufferShare * size),
		Low:       unit.Whole[unit.Bytes]((x.profile.BufferShare - lowMark) * size),
	}
}

// nearest returns the number of the proximal device of the NIC with an address,
// below 0 for none.
func (x *proximity) nearest(ip uint32) int {
	nic := ip - x.firstIP
	if nic >= uint32(len(x.Nearest)) || x.Nearest[nic] == Nobody {
		return -1
	}
	return int(x.Nearest[nic])
}

// loop returns the feedback loop between a queue of one switch and a sender next to the other; this switch is one of
// the two.
func (x *proximity) loop(device int, sender uint32) unit.Duration {
	return x.Loops[device] + x.Access[sender-x.firstIP]
}

// endToEnd is the feedback loop of a flow from its receiver.
func (x *proximity) endToEnd(src, dst uint32) unit.Duration {
	return x.EndToEnd(x.id, src-x.firstIP, dst-x.firstIP)
}

// nearer reports whether a queue's own loop is at most half the flow's end-to-end one.
func (x *proximity) nearer(loop unit.Duration, src, dst uint32) bool {
	return 2*loop <= x.endToEnd(src, dst)
}

// tells reports whether the device of a flow, which is another switch, is notified of congestion here.
func (x *proximity) tells(device int, flow proximal.Flow) bool {
	switch x.profile.Notify {
	case profile.NotifyAlways:
		return true
	case profile.NotifyNearer:
		return x.nearer(x.loop(device, flow.SrcIP), flow.SrcIP, flow.DstIP)
	}
	return false
}

// isLocal reports whether a NIC hangs on this switch.
func (x *proximity) isLocal(ip uint32) bool { return x.nearest(ip) == int(x.id) }

// sendDueCNPs sends the CNPs that are due.
func (x *proximity) sendDueCNPs() {
	for x.pacer.Next() <= x.sw.now {
		if e := x.pacer.Turn(); e != nil {
			x.sendCNP(e)
		}
	}
	x.scheduleTurn()
}

func (x *proximity) scheduleTurn() {
	if at := x.pacer.Next(); at != unit.Never {
		x.sw.arm(&x.sw.ports[0], &x.turn, at, timerObserver, 0)
	}
}

// note records what the switch did.
func (x *proximity) note(action record.ProximalAction) { x.rec.Note(action) }

// timer handles the event of the next turn.
func (x *proximity) timer(ev event.Event) {
	if x.sw.due(&x.sw.ports[0], &x.turn, &ev) {
		x.sendDueCNPs()
	}
}

// counters returns what the switch did for proximal CNP.
func (x *proximity) counters() *record.Proximal { return &x.rec }
