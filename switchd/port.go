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
	turn    uint8 // the DWRR queue whose turn it is
	armed   bool  // an event TxEnd is pending
	down    bool  // in an outage

	alpha    float64
	headroom [profile.Classes]unit.Bytes
	ingress  [profile.Classes]account
	queues   [profile.Classes]queue
	marks    *[profile.Classes]marker

	// heldSince and heldUntil are when the pause in force of a class began,
	// and when the last one ended or will end.
	heldSince, heldUntil [profile.Classes]unit.Time
	// expiry of the pauses that we obey, refresh of those that we ask for, by
	// class; watch is the watchdog's, by queue.
	expiry, refresh, watch [profile.Classes]deadline
	// refreshEvery is the age at which a pause is sent again.
	refreshEvery unit.Duration

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

// enqueue puts e at the end of queue qi and starts it if the port is free.
func (s *Switch) enqueue(pi int, qi uint8, e *entry, now unit.Time, out *fabric.Outbox) {
	p := &s.ports[pi]
	if p.busyUntil <= now && p.busy|p.pending == 0 && !p.armed && !p.down && p.blocked&(1<<qi) == 0 {
		// An idle port with nothing queued: the frame need not pass through
		// the ring. The scheduler's state is left as if it had.
		if s.strict&(1<<qi) == 0 {
			p.turn = qi
		}
		s.send(pi, int(qi), e, now, out)
		return
	}
	p.queues[qi].push(e)
	p.busy |= 1 << qi
	if p.blocked&(1<<qi) != 0 {
		s.stand(pi, qi, now)
		return
	}
	s.kick(pi, now, out)
}

// kick starts what waits at the port, now or at the end of the frame under
// way. It must be called whenever something becomes ready.
func (s *Switch) kick(pi int, now unit.Time, out *fabric.Outbox) {
	p := &s.ports[pi]
	switch {
	case p.armed || p.down:
	case p.busyUntil <= now:
		s.serve(pi, now, out)
	case p.ready() != 0 || p.pending != 0:
		p.armed = true
		s.events.Schedule(p.busyUntil, event.TxEnd, pi, 0)
	}
}

// ready returns the queues that may send.
func (p *port) ready() uint8 { return p.busy &^ p.blocked }

// serve starts the next frame of a port that is free: a PFC frame before all
// others, else the scheduler's choice.
func (s *Switch) serve(pi int, now unit.Time, out *fabric.Outbox) {
	p := &s.ports[pi]
	if p.down {
		return
	}
	if p.pending != 0 {
		s.sendPause(pi, now, out)
		return
	}
	for p.ready() != 0 {
		if s.sendFrom(pi, p.pick(p.ready(), s.strict), now, out) {
			return
		}
	}
}

// sendFrom takes the first frame of queue qi and sends it, or drops it if WRED
// says so; it reports whether it was sent.
func (s *Switch) sendFrom(pi, qi int, now unit.Time, out *fabric.Outbox) bool {
	p := &s.ports[pi]
	q := &p.queues[qi]
	e := *q.first()
	l := unit.Bytes(e.len)
	q.pop()
	if q.empty() {
		p.busy &^= 1 << qi
		q.deficit = 0
	} else {
		// The next one has waited, perhaps long enough to leave the cache.
		prefetch.Line(unsafe.Pointer(q.first().frame))
	}
	sent := s.send(pi, qi, &e, now, out)
	if sent && p.busy&(1<<qi) != 0 && s.strict&(1<<qi) == 0 {
		q.deficit -= l
	}
	return sent
}

// send sends a frame that is no longer in its queue, or drops it if WRED says
// so; it reports whether it was sent.
func (s *Switch) send(pi, qi int, e *entry, now unit.Time, out *fabric.Outbox) bool {
	p := &s.ports[pi]
	l := unit.Bytes(e.len)
	s.depth(p, qi, now, -l)
	if !p.marks[e.class].atEnqueue && !s.wred(pi, qi, e) {
		s.evict(e, fabric.DropWRED, now, out)
		return false
	}
	rec := &p.rec.Queue[qi]
	rec.Frames++
	rec.Bytes += uint64(l)
	rec.Wait.Add(now.Sub(e.at))
	s.free(e)
	s.transmit(pi, e.frame, l, now, out)
	if s.mmu.paused != 0 {
		s.resumeIfDue(int(e.ingress), e.class, now, out)
	}
	return true
}

// free gives back the memory of a frame that leaves the switch.
func (s *Switch) free(e *entry) {
	l := unit.Bytes(e.len)
	s.frames--
	s.bytes -= l
	if s.control&(1<<e.class) == 0 {
		s.mmu.release(&s.ports[e.ingress], e.class, l)
	}
}

// evict drops a frame that had been taken into the switch and, by then, out of
// its queue.
func (s *Switch) evict(e *entry, reason fabric.DropReason, now unit.Time, out *fabric.Outbox) {
	s.free(e)
	s.drop(int(e.ingress), now, reason, e.frame, out)
	if s.mmu.paused != 0 {
		s.resumeIfDue(int(e.ingress), e.class, now, out)
	}
}

// drop counts and traces a frame that came in at port pi.
func (s *Switch) drop(pi int, now unit.Time, reason fabric.DropReason, f *wire.Frame, out *fabric.Outbox) {
	rec := &s.ports[pi].rec
	rec.Drops[reason]++
	rec.DropBytes += uint64(f.Len())
	out.Drop(now, pi, reason, f)
}

// transmit puts the first bit of f on the wire and arranges for what waits.
func (s *Switch) transmit(pi int, f *wire.Frame, l unit.Bytes, now unit.Time, out *fabric.Outbox) {
	p := &s.ports[pi]
	d := p.tx.of(f, l)
	p.busyUntil = now.Add(d)
	p.rec.Busy += d
	p.rec.TxFrames++
	p.rec.TxBytes += uint64(l)
	if p.ready() != 0 || p.pending != 0 {
		p.armed = true
		s.events.Schedule(p.busyUntil, event.TxEnd, pi, 0)
	}
	out.Emit(pi, p.link, now, f)
}

// depth changes the length of queue qi by l and keeps its high-water marks. A
// bin of the series in which nothing changed holds the length that stood.
func (s *Switch) depth(p *port, qi int, now unit.Time, l unit.Bytes) {
	q := &p.queues[qi]
	rec := &p.rec.Queue[qi]
	if rec.Depth.Interval != 0 {
		fillDepth(rec, q.bytes, now)
		rec.Depth.Max(now, int64(q.bytes+l))
	}
	q.bytes += l
	rec.MaxBytes = max(rec.MaxBytes, q.bytes)
}

// fillDepth makes the bins up to that of now, each with the standing length.
func fillDepth(rec *record.Queue, standing unit.Bytes, now unit.Time) {
	for n := int(int64(now) / int64(rec.Depth.Interval)); len(rec.Depth.Bins) <= n; {
		rec.Depth.Bins = append(rec.Depth.Bins, int64(standing))
	}
}
