package switchd

import (
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/switchd/proximal"
)

// Proximity is what a switch is told for proximal CNP: the attachment map of the
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
	// Connections are those of senders at this switch.
	Connections []Connection
}

// Nobody is the proximal device of a NIC that has none.
const Nobody = 1<<16 - 1

// Connection is a connection as its set-up names it: both QPs.
type Connection struct{ SrcIP, DstIP, SrcQP, DstQP uint32 }

// proximity is a switch's part in proximal CNP.
type proximity struct {
	Proximity
	profile *profile.Proximal
	id      uint32
	// loopback is the address of switch 0; switch i has loopback + i.
	loopback uint32
	firstIP  uint32

	// As the congested device. sequence is that of the last message.
	silence  proximal.Silence
	sequence uint32
	// watched are the queues of each port, nil where control classes alone are
	// sent; limits are those of each port and class.
	watched [][profile.Classes]*proximal.Monitor
	limits  [][profile.Classes]proximal.Limits

	// As the proximal device.
	table       *proximal.Table
	pacer       proximal.Pacer
	turn        deadline
	windows     []proximal.Window // by device
	connections map[proximal.Flow]uint32

	rec record.Proximal
}

// lowMark is how far below BufferShare the buffer must fall before it is no
// longer congested.
const lowMark = 0.1

// initProximity makes ready for proximal CNP where the profile asks for it.
func (s *Switch) initProximity(c *Config) {
	prof := &c.Profile.Proximal
	if !prof.Enabled {
		return
	}
	x := &proximity{Proximity: *c.Proximity, profile: prof, id: c.ID, loopback: c.FirstLoopback, firstIP: c.FirstIP,
		table: proximal.NewTable(prof.Learning.Capacity), windows: make([]proximal.Window, len(c.Proximity.Loops)),
		connections: make(map[proximal.Flow]uint32, len(c.Proximity.Connections))}
	if prof.QPs == profile.QPsFromConnections {
		for _, k := range c.Proximity.Connections {
			x.connections[proximal.Flow{SrcIP: k.SrcIP, DstIP: k.DstIP, DstQP: k.DstQP}] = k.SrcQP
		}
	}
	s.proximal = x
	x.watched = make([][profile.Classes]*proximal.Monitor, len(s.ports))
	x.limits = make([][profile.Classes]proximal.Limits, len(s.ports))
	for i := range s.ports {
		for class := range x.limits[i] {
			x.limits[i][class] = s.newLimits(&s.ports[i], prof, class)
		}
		for q := range s.ports[i].queues {
			if s.dataQueue(uint8(q)) {
				x.watched[i][q] = new(proximal.Monitor)
			}
		}
	}
}

// dataQueue tells whether a class that is no control class is sent from q.
func (s *Switch) dataQueue(q uint8) bool {
	for c, of := range s.queueOf {
		if of == q && !has(s.control, uint8(c)) {
			return true
		}
	}
	return false
}

// newLimits returns what a queue of a class at port p is held against.
func (s *Switch) newLimits(p *port, prof *profile.Proximal, class int) proximal.Limits {
	size := float64(s.memory(p).size)
	l := proximal.Limits{Threshold: prof.Threshold, Interval: prof.Interval,
		High: unit.Bytes(prof.BufferShare * size), Low: unit.Bytes((prof.BufferShare - lowMark) * size)}
	if l.Threshold == 0 {
		l.Threshold = p.marks[class].kmin
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

// mine tells whether a NIC hangs on this switch.
func (x *proximity) mine(ip uint32) bool { return x.nearest(ip) == int(x.id) }

// originate sends a frame that the switch made itself, by the usual route and
// queue. No ingress accounts for it.
func (s *Switch) originate(f *wire.Frame) {
	pi := s.nextHop(f, s.now)
	if pi < 0 {
		s.out.Free(f)
		return
	}
	p, l := &s.ports[pi], f.Len()
	p.rec.SourcedFrames++
	p.rec.SourcedBytes += uint64(l)
	class := s.classOf[f.DSCP()] & 7
	qi := s.queueOf[class] & 7
	e := &entry{frame: f, at: s.now, len: uint16(l), ingress: uint16(pi), class: class, place: inNone}
	if p.storm != 0 && s.flushes(p, qi) {
		s.drop(p, fabric.DropWatchdog, f)
		return
	}
	p.queues[qi].fill(l, s.now)
	s.enqueue(p, qi, e)
}

// sink ends a frame that came in at p and was for the switch itself.
func (s *Switch) sink(p *port, f *wire.Frame, l unit.Bytes) {
	p.rec.SunkFrames++
	p.rec.SunkBytes += uint64(l)
	s.out.Free(f)
}

// takeTurns sends the CNPs that are due.
func (s *Switch) takeTurns() {
	x := s.proximal
	for x.pacer.Next() <= s.now {
		if e := x.pacer.Turn(); e != nil {
			s.sendCNP(e)
		}
	}
	s.awaitTurn()
}

func (s *Switch) awaitTurn() {
	if at := s.proximal.pacer.Next(); at != unit.Never {
		s.arm(&s.ports[0], &s.proximal.turn, at, timerProximal, 0)
	}
}

// note records what the switch did.
func (x *proximity) note(a record.ProximalAction) { x.rec.Note(a) }

// ProximalRecord returns what proximal CNP did here, nil where it is off.
func (s *Switch) ProximalRecord() *record.Proximal {
	if s.proximal == nil {
		return nil
	}
	return &s.proximal.rec
}
