package switchd

import (
	"fmt"
	"math/bits"

	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
)

// Switch is a switch of the fabric. Make one with New.
//
// Its parts know nothing of it: the memory management unit (mmu, over the ingress
// of each port), the choice of the next hop (forwarding), and at each port the
// queues and their scheduler (egress), marking (marker), PFC obeyed (link.Pauses)
// and asked for (asker), telemetry (stamper) and the watchdog. Switch moves frames
// between them and schedules what they ask for.
type Switch struct {
	// now is the instant of the event being handled, out takes what it sends.
	now    unit.Time
	out    *fabric.Outbox
	events *event.Queue
	ports  []port
	mmu    mmu
	fwd    forwarding

	classOf [64]uint8
	queueOf [profile.Classes]uint8
	// control and lossless are sets of classes, as bits; spared is both, which
	// WRED does not drop. strict is a set of queues.
	control, lossless, spared, strict uint8

	dci      bool // some port is a DCI port
	watchdog profile.Watchdog
	pipeline pipeline
	// observer is nil without proximal CNP.
	observer observer
	streams  streams

	handled uint64
	id      uint32
}

var _ fabric.Node = (*Switch)(nil)

// New returns an idle switch. It fails if a setting is out of its range, or if
// headroom and reserve of all ports leave no shared memory in the buffer.
func New(c Config) (*Switch, error) {
	if err := c.check(); err != nil {
		return nil, fmt.Errorf("switch %s: %w", c.Name, err)
	}
	s := &Switch{
		events:   event.NewQueue(len(c.Ports)),
		ports:    make([]port, len(c.Ports)),
		classOf:  c.Profile.ClassOf,
		queueOf:  c.Profile.QueueOf,
		control:  setOf(&c.Profile.Control),
		lossless: lossless(&c.Profile),
		strict:   setOf(&c.Profile.Strict),
		watchdog: c.Profile.Watchdog,
		pipeline: pipeline{latency: c.Profile.Latency},
		streams:  streams{c.Seed, c.Name},
		id:       c.ID,
	}
	s.spared = s.control | s.lossless
	s.fwd = newForwarding(&c, s.ports)
	marks := make(map[unit.BitRate]*[profile.Classes]marker)
	for i := range c.Ports {
		rate := c.Ports[i].Tx.Rate
		if marks[rate] == nil {
			marks[rate] = newMarkers(&c.Profile, rate)
		}
		s.ports[i] = newPort(i, &c, s, marks[rate])
		if c.Ports[i].DCI {
			s.initDCI(i, &c)
		}
		s.awaitChange(&s.ports[i])
	}
	if err := s.initMemory(&c); err != nil {
		return nil, fmt.Errorf("switch %s: %w", c.Name, err)
	}
	if c.Profile.Proximal.Enabled {
		s.observer = newProximity(s, &c)
	}
	return s, nil
}

// setOf returns the set, as bits, of what is on in a list.
func setOf(list *[profile.Classes]bool) (set uint8) {
	for i, on := range list {
		if on {
			set |= 1 << i
		}
	}
	return set
}

// initMemory sets reserve and headroom aside for each lossless class of each
// port, DCI ports apart, and shares the rest.
func (s *Switch) initMemory(c *Config) error {
	var reserve, headroom unit.Bytes
	for class := range profile.Classes {
		if s.lossless&(1<<class) == 0 {
			continue
		}
		s.mmu.reserve[class] = c.Profile.Reserve
		for i := range s.ports {
			if s.ports[i].pool != nil {
				continue
			}
			reserve += c.Profile.Reserve
			headroom += s.ports[i].headroom[class]
		}
	}
	s.mmu.resumeOffset, s.mmu.wake = c.Profile.ResumeOffset, never
	s.mmu.shared = c.Profile.Buffer - reserve - headroom
	if s.mmu.shared <= 0 {
		return fmt.Errorf("headroom %v and reserve %v of the lossless classes of %d ports leave nothing of the buffer "+
			"of %v: take a larger buffer, fewer lossless classes or shorter links",
			headroom, reserve, len(s.ports), c.Profile.Buffer)
	}
	return nil
}

// Deliver implements fabric.Node.
func (s *Switch) Deliver(port int, start unit.Time, length unit.Bytes, f *wire.Frame) (arrival unit.Time) {
	p := &s.ports[port]
	arrival = start.Add(p.rx.Time(length, f) + p.rxLatency)
	s.events.Arrive(port, arrival, length, f)
	return arrival
}

// Advance implements fabric.Node.
func (s *Switch) Advance(horizon unit.Time, out *fabric.Outbox) (next unit.Time) {
	var e event.Event
	s.out = out
	for s.events.PopBefore(horizon, &e) {
		s.now = e.At
		s.handled++
		p := &s.ports[e.Port]
		switch e.Kind {
		case event.Frame, event.PFC:
			if p.faults != nil {
				if s.lost(p, &e) {
					continue
				}
			}
			l, rec := e.Frame.Len(), p.rec
			rec.RxFrames++
			rec.RxBytes += uint64(l)
			if e.Kind == event.PFC {
				s.receivePause(p, &e)
				continue
			}
			if s.observer != nil {
				if s.observer.inspect(p, e.Frame, l) {
					continue
				}
			}
			s.forward(p, e.Frame, l)
		case event.TxEnd:
			p.armed = false
			s.serve(p)
		case event.LinkChange:
			s.linkChange(p)
		case event.Timer:
			s.timer(p, &e)
		}
	}
	return s.events.Next()
}

// forward finds the egress queue of a frame of l bytes that came in at port in
// and takes it into the buffer, in the order of steps of the public RDMA
// simulator: admission, XOFF, queue.
func (s *Switch) forward(in *port, f *wire.Frame, l unit.Bytes) {
	if f.TTL <= 1 {
		s.drop(in, fabric.DropTTL, f)
		return
	}
	pi := s.fwd.next(f, s.now)
	if pi < 0 {
		s.drop(in, fabric.DropNoRoute, f)
		return
	}
	f.TTL--
	p := &s.ports[pi]
	class := s.classOf[f.DSCP()] & 7
	qi := s.queueOf[class]
	q := &p.queues[qi&7]
	e := &entry{
		frame:   f,
		at:      s.now,
		len:     uint16(l),
		ingress: uint16(in.index),
		class:   class,
	}
	switch {
	case p.storm != 0 && p.flushes(qi):
		s.drop(in, fabric.DropWatchdog, f)
		return
	case p.marks[class].atEnqueue && !p.marks[class].pass(q, e, s.now, s.spared, &s.streams):
		s.drop(in, fabric.DropWRED, f)
		return
	case has(s.control, class):
		e.place = inNone
	case s.dci && pooled(in, p, e):
		if reason := s.store(in, p, e); reason != fabric.DropNone {
			s.drop(in, reason, f)
			return
		}
	case !s.mmu.admit(&in.ingress, class, l):
		reason := fabric.DropNoBuffer
		if has(s.lossless, class) {
			reason = fabric.DropHeadroom
		}
		s.drop(in, reason, f)
		return
	}
	q.fill(l, s.now)
	if s.observer != nil {
		e.flow = s.observer.enqueued(p, q, *e)
	}
	if has(s.lossless, class) && e.place == inShared && !has(in.xoff, class) && s.mmu.mustPause(&in.ingress, class) {
		s.pause(in, class)
	}
	if s.pipeline.latency > 0 {
		s.delay(p, qi, e)
		return
	}
	s.enqueue(p, qi, e)
}

// delay holds e for the switch's latency.
func (s *Switch) delay(p *port, qi uint8, e *entry) {
	if s.pipeline.Empty() {
		s.events.Schedule(e.at.Add(s.pipeline.latency), event.Timer, 0, timerEligible<<3)
	}
	s.pipeline.Push(delayed{*e, uint16(p.index), qi})
}

// eligible moves on all frames whose latency is over.
func (s *Switch) eligible() {
	for s.pipeline.next() <= s.now {
		d := s.pipeline.Pop()
		p := &s.ports[d.port]
		if p.flushes(d.queue) {
			p.queues[d.queue].drain(unit.Bytes(d.len), s.now)
			s.evict(p, &p.queues[d.queue], &d.entry, fabric.DropWatchdog)
			continue
		}
		s.enqueue(p, d.queue, &d.entry)
	}
	if at := s.pipeline.next(); at != unit.Never {
		s.events.Schedule(at, event.Timer, 0, timerEligible<<3)
	}
}

// originate sends a frame that the switch made itself, by the usual route and
// queue. No ingress accounts for it.
func (s *Switch) originate(f *wire.Frame) {
	pi := s.fwd.next(f, s.now)
	if pi < 0 {
		s.out.Free(f)
		return
	}
	p, l := &s.ports[pi], f.Len()
	p.rec.SourcedFrames++
	p.rec.SourcedBytes += uint64(l)
	class := s.classOf[f.DSCP()] & 7
	qi := s.queueOf[class] & 7
	e := &entry{
		frame:   f,
		at:      s.now,
		len:     uint16(l),
		ingress: uint16(pi),
		class:   class,
		place:   inNone,
	}
	if p.storm != 0 && p.flushes(qi) {
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

// pause asks the peer of port p to pause class c.
func (s *Switch) pause(p *port, c uint8) {
	s.mmu.pause(&p.ingress, c)
	s.announce(p, c)
}

// resumeIfDue sends XON after class c of port p released memory: for that
// account, and for any other that the freed memory lets below its threshold.
//
// Differs from the public simulator, which tests an account only when one of
// its own frames leaves: there an ingress whose last frames left while others
// filled the buffer stays paused for no reason.
func (s *Switch) resumeIfDue(p *port, c uint8) {
	if has(p.xoff, c) && s.mmu.resumes(&p.ingress, c) {
		s.announce(p, c)
	}
	if !s.mmu.resumesOthers() {
		return
	}
	for i := range s.ports {
		p := &s.ports[i]
		for rest := p.xoff; rest != 0; rest &= rest - 1 {
			if c := uint8(bits.TrailingZeros8(rest)); s.mmu.resumes(&p.ingress, c) {
				s.announce(p, c)
			}
		}
	}
}
