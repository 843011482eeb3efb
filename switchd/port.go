package switchd

import (
	"fmt"
	"unsafe"

	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/link"
	"github.com/rocelab/rocelab/emulator/prefetch"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
)

// port is one port: its transmitter, the egress queues, the ingress accounts and
// the two sides of PFC. What is read for every frame is in the port itself, what
// is read seldom is behind pointers.
type port struct {
	// busyUntil is when the last bit of the frame under way leaves; in the past
	// when the port is idle.
	busyUntil unit.Time
	index     int   // which port of the switch this is
	armed     bool  // an event TxEnd is pending
	down      bool  // in an outage
	pending   uint8 // classes whose state the next PFC frame tells, as bits
	storm     uint8 // queues that the watchdog freed, as bits
	link      fabric.LinkID
	pauses    link.Pauses // that the port obeys, on the classes that are lossless on its link
	tx, rx    link.Serializer
	rxLatency unit.Duration
	sent      unit.Bytes // as they count on the wire
	stamper   stamper
	marks     *[profile.Classes]marker
	egress
	ingress

	faults *link.Faults // nil for a link without
	rec    *record.Port
	// expiry is, by class, when a pause that the port obeys runs out.
	expiry   *[profile.Classes]link.Deadline
	asker    *asker
	watchdog *watchdog
}

// newPort returns port i of a switch, idle, with the marking profiles of its
// rate. Where its memory is a DCI port's, initDCI makes it one.
func newPort(i int, c *Config, s *Switch, marks *[profile.Classes]marker) port {
	a, prof := &c.Ports[i], &c.Profile
	p := port{
		index:     i,
		link:      a.Link,
		pauses:    link.NewPauses(s.lossless),
		tx:        link.NewSerializer(a.Accounting, a.Tx.Rate),
		rx:        link.NewSerializer(a.Accounting, a.Rx.Rate),
		rxLatency: a.Rx.Latency,
		stamper:   newStamper(prof.INT, a.Tx.Rate, a.Link),
		marks:     marks,
		faults:    link.NewFaults(a, c.Seed, fmt.Sprintf("%s/%d/loss", c.Name, i)),
		rec:       new(record.Port),
		expiry:    new([profile.Classes]link.Deadline),
		asker:     newAsker(&prof.PFC, a.Tx.Rate),
		watchdog:  &watchdog{profile: &s.watchdog, queueOf: &s.queueOf},
	}
	p.ingress = ingress{alpha: prof.Alpha, highest: &p.rec.Class}
	for r := 2 * prof.AlphaRate; r > 0 && r <= a.Rx.Rate; r *= 2 {
		p.alpha *= 2
	}
	p.strict = s.strict
	for q := range p.queues {
		p.rec.Queue[q].Depth.Interval = c.Interval
		p.queues[q] = queue{
			quantum: unit.Bytes(prof.Weight[q]) * quantumUnit,
			index:   uint8(q),
			port:    uint16(i),
			rec:     &p.rec.Queue[q],
		}
		if has(s.lossless, uint8(q)) {
			p.headroom[q] = prof.HeadroomFor(a, c.MaxFrame)
		}
	}
	return p
}

// enqueue puts e at the end of queue qi and starts it if the port is free.
func (s *Switch) enqueue(p *port, qi uint8, e *entry) {
	if p.busyUntil <= s.now && p.busy|p.pending == 0 && !p.armed && !p.down && !has(p.blocked, qi) {
		// An idle port with nothing queued: the frame need not pass through
		// the ring.
		p.bypass(qi)
		s.send(p, &p.queues[qi&7], e)
		return
	}
	p.push(qi, e)
	if has(p.blocked, qi) {
		s.watchStalled(p, qi)
		return
	}
	s.startIfFree(p)
}

// startIfFree starts what waits at the port, now or at the end of the frame
// under way. It must be called whenever something becomes ready.
func (s *Switch) startIfFree(p *port) {
	switch {
	case p.armed || p.down:
	case p.busyUntil <= s.now:
		s.serve(p)
	case p.ready()|p.pending != 0:
		p.armed = true
		s.events.Schedule(p.busyUntil, event.TxEnd, p.index, 0)
	}
}

// serve starts the next frame of a port that is free: a PFC frame before all
// others, else the scheduler's choice.
func (s *Switch) serve(p *port) {
	if p.down {
		return
	}
	if p.pending != 0 {
		s.sendPause(p)
		return
	}
	for p.ready() != 0 {
		if s.sendFrom(p, p.pick(p.ready())) {
			return
		}
	}
}

// sendFrom takes the first frame of queue qi and sends it, or drops it if WRED
// says so; it reports whether it was sent.
func (s *Switch) sendFrom(p *port, qi uint8) bool {
	q := &p.queues[qi&7]
	e := *q.First()
	q.Drop()
	if q.Empty() {
		p.empty(qi)
		return s.send(p, q, &e)
	}
	// The next one has waited, perhaps long enough to leave the cache.
	prefetch.Line(unsafe.Pointer(q.First().frame))
	sent := s.send(p, q, &e)
	if sent {
		p.charge(qi, unit.Bytes(e.len))
	}
	return sent
}

// send sends a frame that is no longer in its queue q, or drops it if WRED
// says so; it reports whether it was sent.
func (s *Switch) send(p *port, q *queue, e *entry) bool {
	l := unit.Bytes(e.len)
	q.drain(l, s.now)
	if m := &p.marks[e.class&7]; m.atDequeue && !m.pass(q, e, s.now, s.spared, &s.streams) {
		s.evict(p, q, e, fabric.DropWRED)
		return false
	}
	rec := q.rec
	rec.Frames++
	rec.Bytes += uint64(l)
	rec.Wait.Add(s.now.Sub(e.at))
	s.free(p, e)
	if s.observer != nil {
		s.observer.dequeued(p, q, *e)
	}
	if p.stamper.stamps(e.frame) {
		p.stamper.stamp(e.frame, s.now, p.sent, p.waiting(q))
	}
	s.transmit(p, e.frame, l)
	if s.mmu.paused != 0 {
		s.resumeIfDue(&s.ports[e.ingress], e.class)
	}
	return true
}

// free gives back the memory of a frame that leaves the switch by port p.
func (s *Switch) free(p *port, e *entry) {
	switch e.place {
	case inShared:
		s.mmu.release(&s.ports[e.ingress].ingress, e.class, unit.Bytes(e.len))
	case inIngressPool:
		s.ports[e.ingress].pool.release(e)
	case inEgressPool:
		p.pool.release(e)
	}
}

// evict drops a frame that had been taken into the switch and, by then, out of
// its queue q of port p.
func (s *Switch) evict(p *port, q *queue, e *entry, reason fabric.DropReason) {
	s.free(p, e)
	if s.observer != nil {
		s.observer.dequeued(p, q, *e)
	}
	in := &s.ports[e.ingress]
	s.drop(in, reason, e.frame)
	if s.mmu.paused != 0 {
		s.resumeIfDue(in, e.class)
	}
}

// drop counts and traces a frame that came in at port p.
func (s *Switch) drop(p *port, reason fabric.DropReason, f *wire.Frame) {
	p.rec.Drops[reason]++
	p.rec.DropBytes += uint64(f.Len())
	s.out.Drop(s.now, p.index, reason, f)
}

// transmit puts the first bit of f on the wire and arranges for what waits.
func (s *Switch) transmit(p *port, f *wire.Frame, l unit.Bytes) {
	d := p.tx.Time(l, f)
	p.busyUntil = s.now.Add(d)
	rec := p.rec
	rec.Busy += d
	p.sent += p.tx.Accounting().BytesOf(l, f)
	rec.TxFrames++
	rec.TxBytes += uint64(l)
	if p.ready()|p.pending != 0 {
		p.armed = true
		s.events.Schedule(p.busyUntil, event.TxEnd, p.index, 0)
	}
	s.out.Emit(p.index, p.link, s.now, f)
}
