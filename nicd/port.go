package nicd

import (
	"math/bits"

	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/fifo"
	"github.com/rocelab/rocelab/emulator/link"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
)

// port is the transmitting side: when it is free, and what waits for it.
//
// PFC frames go first, then ACKs, NAKs and CNPs, the highest class first, then
// the sending QPs in round robin. A QP is in the ready list if by all appearances
// its next packet may leave as soon as the port is free; whether it really may is
// decided when its turn comes.
//
// What every frame reads are words of the port itself; what it counts, and what
// only pauses and faults need, is behind pointers.
type port struct {
	busyUntil unit.Time
	// armed says that a TxEnd is pending; one is only where something waits. down
	// says that the link is in an outage.
	armed, down bool
	// waiting has a bit for each class of which an answer waits, announce for each
	// of which the next PFC frame is to tell.
	waiting, announce uint8
	pauses            link.Pauses // what the peer holds back
	ready             list

	// faults are the link's, nil where it has none.
	faults *link.Faults
	// held are, by class, the QPs whose turn came while the class was held; expiry
	// is the timer of the next pause that ends.
	held   *[profile.Classes]list
	expiry link.Timer
	// control holds the answers that wait, by class.
	control [profile.Classes]fifo.Queue[answer]
	record  *record.Port
}

// newPort returns the idle port of a NIC with the given configuration.
func newPort(c *Config) port {
	p := port{
		faults: link.NewFaults(&c.Attachment, c.Seed, c.Name+"/0/loss"),
		held:   new([profile.Classes]list),
		record: new(record.Port),
	}
	if c.Profile.PFC {
		p.pauses = link.NewPauses(allClasses)
	}
	return p
}

// allClasses are the classes on which a NIC obeys PFC.
const allClasses = 1<<profile.Classes - 1

// serve starts the next frame if the port is free and something may leave,
// and sees to it that the port is served again when it is free. It is called
// after every event that finds or leaves something waiting.
func (n *NIC) serve(now unit.Time) {
	p := &n.port
	for {
		open := p.waiting &^ p.pauses.Held()
		if open|p.announce == 0 && p.ready.head == nil || p.down {
			return
		}
		if p.busyUntil > now {
			if !p.armed {
				p.armed = true
				n.queue.Schedule(p.busyUntil, event.TxEnd, 0, 0)
			}
			return
		}
		if p.announce != 0 {
			n.sendPause(now)
			continue
		}
		if open != 0 {
			n.sendControl(bits.Len8(open)-1, now)
			continue
		}
		q := p.ready.pop()
		switch {
		case p.pauses.Held()>>q.class&1 != 0:
			p.held[q.class].push(q)
		case !q.sendable() || q.pacer.next > now:
			q.at = nowhere
			n.place(q, now)
		default:
			q.at = nowhere
			n.send(q, now)
			n.place(q, now)
		}
	}
}

// start counts a frame of the given length, which takes the given time at the
// port, from now on.
func (p *port) start(now unit.Time, length uint64, serial unit.Duration) {
	p.busyUntil = now.Add(serial)
	p.record.TxFrames++
	p.record.TxBytes += length
	p.record.Busy += serial
}

// lost counts a frame that the link lost.
func (p *port) lost(f *wire.Frame) {
	p.record.RxLostFrames++
	p.record.RxLostBytes += uint64(f.Len())
	p.record.PausesLost.Count(f)
}

// emit starts f of a class, which takes the given time at the port.
func (n *NIC) emit(now unit.Time, f *wire.Frame, serial unit.Duration, class uint8) {
	length := uint64(f.Len())
	q := &n.port.record.Queue[class]
	q.Frames++
	q.Bytes += length
	n.port.start(now, length, serial)
	n.out.Emit(0, n.attachment.Link, now, f)
}

// sendControl starts the first frame of a class's control queue.
func (n *NIC) sendControl(class int, now unit.Time) {
	c := &n.port.control[class]
	a := c.Pop()
	f := a.frame
	if c.Empty() {
		n.port.waiting &^= 1 << class
	}
	if a.finisher != nil {
		a.finisher.finishAck(f, n.clock.Read(now)-a.received)
	}
	n.emit(now, f, n.tx.Time(f.Len(), f), uint8(class))
}

// classOf returns the class in which f leaves.
func (n *NIC) classOf(f *wire.Frame) uint8 { return n.profile.ClassOf[f.TOS>>2] }

// queue puts an ACK, a NAK or a CNP into line.
func (p *port) queue(class uint8, a answer) {
	p.control[class].Push(a)
	p.waiting |= 1 << class
}

// answer is an ACK, a NAK or a CNP that waits for the port.
type answer struct {
	frame *wire.Frame
	// finisher completes an ACK when it leaves, nil where nothing is missing;
	// received is the reading of the clock when the data packet came.
	finisher ackFinisher
	received int64
}

// list is a queue of QPs, linked through themselves.
type list struct{ head, tail *sender }

func (l *list) push(q *sender) {
	if l.head == nil {
		l.head = q
	} else {
		l.tail.next = q
	}
	l.tail, q.next = q, nil
}

func (l *list) pop() *sender {
	q := l.head
	l.head = q.next
	q.next = nil
	return q
}

// append moves all of m to the end of l.
func (l *list) append(m *list) {
	if m.head == nil {
		return
	}
	if l.head == nil {
		l.head = m.head
	} else {
		l.tail.next = m.head
	}
	l.tail, m.head = m.tail, nil
}

// PortRecord returns what the port counted, its open spans closed at the
// given instant.
func (n *NIC) PortRecord(at unit.Time) record.Port {
	r := *n.port.record
	if n.port.busyUntil > at {
		r.Busy -= n.port.busyUntil.Sub(at)
	}
	n.port.pauses.Close(at, &r.Class)
	return r
}
