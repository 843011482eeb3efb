package switchd

import (
	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/link"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/switchd/proximal"
)

// Proximity is what a switch must know for proximal CNP: the attachment map of the
// controller, and what set-ups of connections say.
type Proximity struct {
	// Nearest is, for each NIC by number, its proximal device: the switch that
	// it hangs on, by number, or Nobody where that takes no part.
	Nearest []uint16
	// Edge is, for each port, whether it leads to a NIC.
	Edge []bool
	// Loops are, for each switch by number, how long a message between here and
	// there and data the other way take on empty queues, Access for each NIC a
	// CNP from its switch and the data that follow. A feedback loop, from a queue
	// to a sender and back to the queue, is the sum of the two.
	Loops, Access []unit.Duration
	// Connections are the connections of senders at this switch.
	Connections []Connection
}

// fits reports whether p is there and of the size of the switch's fabric.
func (p *Proximity) fits(config *Config) bool {
	return p != nil && len(p.Nearest) == len(config.Routes) && len(p.Access) == len(config.Routes) &&
		len(p.Edge) == len(config.Ports) && len(p.Loops) == len(config.Loopbacks)
}

// Nobody is the proximal device of a NIC that has none.
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
	// watched are the queues of each port, nil where control classes alone are
	// sent; limits are by port and class.
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

// lowMark is how far below BufferShare the buffer must fall before it is no
// longer congested.
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

// dataQueue reports whether a class that is no control class is sent from a queue.
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
	size := float64(x.occupancy(port).size)
	l := proximal.Limits{
		Threshold: x.profile.Threshold,
		Interval:  x.profile.Interval,
		High:      unit.Whole[unit.Bytes](x.profile.BufferShare * size),
		Low:       unit.Whole[unit.Bytes]((x.profile.BufferShare - lowMark) * size),
	}
	if l.Threshold == 0 {
		l.Threshold = port.marks[class].kmin
	}
	return l
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

// loop is the feedback loop between a queue of one switch and a sender next to
// the other, of which this is one.
func (x *proximity) loop(device int, sender uint32) unit.Duration {
	return x.Loops[device] + x.Access[sender-x.firstIP]
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
