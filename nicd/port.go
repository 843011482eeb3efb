package nicd

import (
	"math/bits"

	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/fifo"
	"github.com/rocelab/rocelab/emulator/link"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// port is the transmitting side: when it is free, and what waits for it.
//
// PFC frames go first, then ACKs, NAKs and CNPs, the highest class first, then the sending QPs in round robin: in the
// order in which they became due, or by number. A QP is in the ready list if by all appearances its next packet may
// leave as soon as the port is free; whether it really may is decided when its turn comes.
//
// What every frame reads lies in the port itself; counters, and what only pauses and
// faults need, are behind pointers.
type port struct {
	busyUntil unit.Time
	// txEndPending is set while a TxEnd is pending; one is only if something waits. down is set if the link is: sent
	// frames are lost, and no pause is sent.
	txEndPending, down bool
	// guarded is set if an arriving frame may be lost, or has to wait.
	guarded bool
	// waiting has a bit for each class with a waiting response, pfcPending for each class whose state the next PFC
	// frame announces.
	waiting, pfcPending uint8
	pauses              link.Pauses // the classes that the peer pauses
	ready               list
	// byNumber is set if QPs have their turns by number; last had the latest turn.
	byNumber bool
	last     uint32

	// faults are the link's, nil if it has none.
	faults *link.Faults
	// held are, by class, the QPs whose turn came while the class was paused; expiry
	// is the timer of the next pause that ends.
	held   *[profile.Classes]list
	expiry link.Timer
	// control has the responses that wait, by class.
	control [profile.Classes]fifo.Queue[response]
	record  *record.Port
	// counted are the record's queues, nil for one that is not in use.
	counted [profile.Classes]*record.Queue
	// meter counts what the port does over time, load how long it transmits.
	meter *record.ActivityMeter
	load  record.LoadMeter
	// sent is the record's TxBytes at the start of the open bin.
	sent uint64
}

// newPort returns the idle port of a NIC with the given configuration.
func newPort(config *Config) port {
	port := port{
		byNumber: config.Profile.QPsByNumber,
		faults:   link.NewFaults(&config.Attachment, config.Seed, config.Name+"/0/loss"),
		held:     new([profile.Classes]list),
		record:   new(record.Port),
		meter:    record.NewActivityMeter(config.Recording.Grid),
		load:     record.NewLoadMeter(config.Recording.Grid),
	}
	port.record.Outages = port.faults.Losses()
	if config.Profile.PFC {
		port.pauses = link.NewPauses(allClasses, profile.ResponseAt(config.Profile.PauseResponse, config.Attachment.Rx.Rate))
	}
	return port
}

// allClasses are the classes on which a NIC obeys PFC.
const allClasses = 1<<profile.Classes - 1

// serve starts the next frame if the port is free and something may leave,
// and sees to it that the port is served again when it is free. It is called
// after every event that finds or leaves something waiting.
func (n *NIC) serve(now unit.Time) {
	port := &n.port
	for {
		open := port.waiting &^ port.pauses.Held()
		if open|port.pfcPending == 0 && port.ready.head == nil {
			return
		}
		if port.busyUntil > now {
			if !port.txEndPending {
				port.txEndPending = true
				n.queue.Schedule(port.busyUntil, event.TxEnd, 0, 0)
			}
			return
		}
		if port.pfcPending != 0 {
			n.sendPause(now)
			continue
		}
		if open != 0 {
			n.sendControl(bits.Len8(open)-1, now)
			continue
		}
		var flow *sender
		if port.byNumber {
			flow = port.ready.popAfter(port.last)
		} else {
			flow = port.ready.pop()
		}
		flow.settle(now)
		switch {
		case port.pauses.Held()>>flow.class&1 != 0:
			port.held[flow.class].push(flow)
		case !flow.sendable() || flow.pacer.next > now:
			flow.state = idle
			n.reschedule(flow, now)
		default:
			flow.state = idle
			port.last = flow.index
			n.send(flow, now)
			n.reschedule(flow, now)
		}
	}
}

// start counts a frame of the given length, which takes the given time at the
// port, from now on. The meter must be at the bin of now.
func (p *port) start(now unit.Time, length uint64, serial unit.Duration) {
	p.busyUntil = now.Add(serial)
	p.record.TxFrames++
	p.record.TxBytes += length
	p.meter.Last = length
	p.record.Busy += serial
}

// lost counts a frame that the link lost.
func (p *port) lost(frame *wire.Frame) {
	p.record.RxLostFrames++
	p.record.RxLostBytes += uint64(frame.Len())
	p.record.PausesLost.Count(frame)
}

// emit starts a frame of a class, which takes the given time at the port.
func (n *NIC) emit(now unit.Time, frame *wire.Frame, serial unit.Duration, class uint8) {
	length := uint64(frame.Len())
	q := n.port.counted[class&7]
	if q == nil {
		q = n.port.record.Queues.Of(class)
		n.port.counted[class&7] = q
	}
	q.Frames++
	q.Bytes += length
	if now >= n.port.meter.End {
		n.port.closeBin(now)
	}
	n.port.start(now, length, serial)
	n.out.Emit(0, n.attachment.Link, now, frame)
}

// sendControl starts the first frame of a class's control queue.
func (n *NIC) sendControl(class int, now unit.Time) {
	c := &n.port.control[class]
	answer := c.Pop()
	frame := answer.frame
	if c.Empty() {
		n.port.waiting &^= 1 << class
	}
	if answer.finisher != nil {
		answer.finisher.finish(frame, n.clock.Read(now)-answer.arrivalClock)
	}
	n.emit(now, frame, n.tx.TimeAt(now, frame.Len(), frame), uint8(class))
}

// classOf returns the class in which a frame leaves.
func (n *NIC) classOf(frame *wire.Frame) uint8 { return n.profile.ClassOf[frame.TOS>>2] }

// queue puts an ACK, a NAK or a CNP into line.
func (p *port) queue(class uint8, answer response) {
	p.control[class].Push(answer)
	p.waiting |= 1 << class
}

// response is an ACK, a NAK or a CNP that waits for the port.
type response struct {
	frame *wire.Frame
	// finisher completes the response when it leaves, nil if nothing is missing; arrivalClock is the reading of the
	// clock when the data packet came.
	finisher     finisher
	arrivalClock int64
}

// list is a queue of QPs, linked through themselves.
type list struct{ head, tail *sender }

func (l *list) push(flow *sender) {
	if l.head == nil {
		l.head = flow
	} else {
		l.tail.next = flow
	}
	l.tail, flow.next = flow, nil
}

func (l *list) pop() *sender {
	flow := l.head
	l.head = flow.next
	flow.next = nil
	return flow
}

// popAfter takes out the QP with the lowest number above last or, if there is none, of all.
func (l *list) popAfter(last uint32) *sender {
	var best, before, previous *sender // before is the one in front of best
	for flow := l.head; flow != nil; previous, flow = flow, flow.next {
		// Numbers up to last come after all others: less last+1 they wrap.
		if best == nil || min(flow.index-last-1, best.index-last-1) == flow.index-last-1 {
			best, before = flow, previous
		}
	}
	if before == nil {
		return l.pop()
	}
	if before.next = best.next; best.next == nil {
		l.tail = before
	}
	best.next = nil
	return best
}

// append moves all of another list to the end of l.
func (l *list) append(other *list) {
	if other.head == nil {
		return
	}
	if l.head == nil {
		l.head = other.head
	} else {
		l.tail.next = other.head
	}
	l.tail, other.head = other.tail, nil
}

// PortRecord returns what the port counted, its open spans closed at the
// given instant.
func (n *NIC) PortRecord(at unit.Time) record.Port {
	r := n.port.record.Clone()
	if n.port.busyUntil > at {
		r.Busy -= n.port.busyUntil.Sub(at)
	}
	n.port.pauses.Close(at, &r.Classes)
	n.port.closeBin(at)
	r.Load = n.port.load.Until(at, n.port.record.Busy, n.port.busyUntil)
	r.Held = n.port.load.HeldUntil(at)
	if over := n.port.meter.Until(at, n.recording.Grid); n.recording.Port {
		r.Over = over
	}
	return r
}
