package switchd

import (
	"unsafe"

	"github.com/rocelab/rocelab/emulator/chance"
	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/prefetch"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
)

// port is one port: the ingress accounts, the egress queues and the two sides
// of PFC. What most ports never use is made at first use.
type port struct {
	// busyUntil is when the last bit of the frame under way leaves; in the past
	// when the port is idle.
	busyUntil unit.Time
	index     int // which port of the switch this is
	tx, rx    clocking
	rxLatency unit.Duration
	link      fabric.LinkID
	// busy, held and so on are sets of queues or classes, as bits.
	busy    uint8 // queues that hold frames
	blocked uint8 // queues that the peer pauses and the watchdog does not free
	storm   uint8 // queues that the watchdog freed
	held    uint8 // classes that the peer pauses
	xoff    uint8 // classes whose ingress asked the peer to pause
	pending uint8 // classes whose state the next PFC frame tells
	// lossless are the classes that PFC protects on this port's link.
	lossless uint8
	turn     uint8 // the DWRR queue whose turn it is
	armed    bool  // an event TxEnd is pending
	down     bool  // in an outage

	stamper  stamper
	sent     unit.Bytes // as they count on the wire
	alpha    float64
	headroom [profile.Classes]unit.Bytes
	ingress  [profile.Classes]account
	queues   [profile.Classes]queue
	marks    *[profile.Classes]marker
	pool     *pool // of a DCI port; nil for any other

	// heldSince and heldUntil are when the pause in force of a class began,
	// and when the last one ended or will end.
	heldSince, heldUntil [profile.Classes]unit.Time
	// expiry of the pauses that we obey, refresh of those that we ask for, by
	// class; watch is the watchdog's, by queue.
	expiry, refresh, watch [profile.Classes]deadline
	// refreshEvery is the age at which a pause is sent again.
	refreshEvery unit.Duration

	// brief is, by class, the time of a pause that is sent once and not renewed.
	brief [profile.Classes]uint16

	loss    float64
	chance  *chance.Stream
	outages []fabric.Outage
	rec     record.Port
}

// clocking is the time that frames take in one direction of a link. Where a
// byte takes a whole number of picoseconds it needs no division.
type clocking struct {
	perByte, perFrame unit.Duration
	rate              unit.BitRate
	accounting        wire.Accounting
}

func newClocking(a wire.Accounting, r unit.BitRate) clocking {
	c := clocking{rate: r, accounting: a}
	if per := r.SerialTime(1); a == wire.Full && r.SerialTime(1<<19) == per<<19 {
		c.perByte = per
		c.perFrame = per * unit.Duration(wire.Full.BytesOf(0, nil))
	}
	return c
}

// of returns how long f, of l bytes, occupies the wire.
func (c *clocking) of(f *wire.Frame, l unit.Bytes) unit.Duration {
	if c.perByte != 0 {
		return c.perFrame + c.perByte*unit.Duration(l)
	}
	return c.accounting.SerialTime(f, c.rate)
}

// has reports whether the set of queues or classes, as bits, contains i. It
// spares the processor the test that a shift by 8 or more would call for.
func has(set, i uint8) bool { return uint32(set)&(1<<(i&7)) != 0 }

// enqueue puts e at the end of queue qi and starts it if the port is free.
func (s *Switch) enqueue(p *port, qi uint8, e *entry) {
	q := &p.queues[qi&7]
	if p.busyUntil <= s.now && p.busy|p.pending == 0 && !p.armed && !p.down && !has(p.blocked, qi) {
		// An idle port with nothing queued: the frame need not pass through
		// the ring. The scheduler's state is left as if it had.
		if !has(s.strict, qi) {
			p.turn = qi
		}
		s.send(p, q, e)
		return
	}
	q.push(e)
	p.busy |= 1 << (qi & 7)
	if has(p.blocked, qi) {
		s.stand(p, qi)
		return
	}
	s.kick(p)
}

// kick starts what waits at the port, now or at the end of the frame under
// way. It must be called whenever something becomes ready.
func (s *Switch) kick(p *port) {
	switch {
	case p.armed || p.down:
	case p.busyUntil <= s.now:
		s.serve(p)
	case p.ready()|p.pending != 0:
		p.armed = true
		s.events.Schedule(p.busyUntil, event.TxEnd, p.index, 0)
	}
}

// ready returns the queues that may send.
func (p *port) ready() uint8 { return p.busy &^ p.blocked }

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
		if s.sendFrom(p, p.pick(p.ready(), s.strict)) {
			return
		}
	}
}

// sendFrom takes the first frame of queue qi and sends it, or drops it if WRED
// says so; it reports whether it was sent.
func (s *Switch) sendFrom(p *port, qi uint8) bool {
	q := &p.queues[qi&7]
	e := *q.first()
	q.pop()
	if q.empty() {
		p.busy &^= 1 << (qi & 7)
		q.deficit = 0
		return s.send(p, q, &e)
	}
	// The next one has waited, perhaps long enough to leave the cache.
	prefetch.Line(unsafe.Pointer(q.first().frame))
	sent := s.send(p, q, &e)
	if sent && has(p.busy&^s.strict, qi) {
		q.deficit -= unit.Bytes(e.len)
	}
	return sent
}

// send sends a frame that is no longer in its queue q, or drops it if WRED
// says so; it reports whether it was sent.
func (s *Switch) send(p *port, q *queue, e *entry) bool {
	l := unit.Bytes(e.len)
	q.drain(l, s.now)
	if p.marks[e.class&7].atDequeue && !s.wred(p, q, e) {
		s.evict(p, q, e, fabric.DropWRED)
		return false
	}
	rec := q.rec
	rec.Frames++
	rec.Bytes += uint64(l)
	rec.Wait.Add(s.now.Sub(e.at))
	s.free(p, e)
	if s.proximal != nil {
		s.left(p, q, e)
	}
	s.stamp(p, q, e.frame)
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
		s.mmu.release(&s.ports[e.ingress], e.class, unit.Bytes(e.len))
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
	if s.proximal != nil {
		s.left(p, q, e)
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
	d := p.tx.of(f, l)
	p.busyUntil = s.now.Add(d)
	p.rec.Busy += d
	p.sent += p.tx.accounting.BytesOf(l, f)
	p.rec.TxFrames++
	p.rec.TxBytes += uint64(l)
	if p.ready()|p.pending != 0 {
		p.armed = true
		s.events.Schedule(p.busyUntil, event.TxEnd, p.index, 0)
	}
	s.out.Emit(p.index, p.link, s.now, f)
}
