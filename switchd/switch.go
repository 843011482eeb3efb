package switchd

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/chance"
	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
)

// Switch is a switch of the fabric. Make one with New.
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
	// control and lossless are sets of classes, strict of queues.
	control, lossless, strict uint8
	dci                       bool // some port is a DCI port
	quanta                    uint16
	latency                   unit.Duration
	watchdog                  profile.Watchdog
	pipeline                  ring[delayed]
	// proximal is nil without proximal CNP.
	proximal *proximity

	handled uint64

	id   uint32
	name string
	seed uint64
}

var _ fabric.Node = (*Switch)(nil)

// New returns an idle switch. It fails if a setting is out of its range, or if
// headroom and reserve of all ports leave no shared memory in the buffer.
func New(c Config) (*Switch, error) {
	if err := c.check(); err != nil {
		return nil, fmt.Errorf("switch %s: %w", c.Name, err)
	}
	s := &Switch{
		events: event.NewQueue(len(c.Ports)), ports: make([]port, len(c.Ports)), fwd: newForwarding(&c),
		classOf: c.Profile.ClassOf, queueOf: c.Profile.QueueOf, lossless: lossless(&c.Profile),
		quanta: c.Profile.PFC.Quanta, latency: c.Profile.Latency, watchdog: c.Profile.Watchdog,
		id: c.ID, name: c.Name, seed: c.Seed,
	}
	for i := range profile.Classes {
		if c.Profile.Control[i] {
			s.control |= 1 << i
		}
		if c.Profile.Strict[i] {
			s.strict |= 1 << i
		}
	}
	marks := make(map[unit.BitRate]*[profile.Classes]marker)
	for i := range c.Ports {
		rate := c.Ports[i].Tx.Rate
		if marks[rate] == nil {
			marks[rate] = newMarkers(&c.Profile, rate)
		}
		s.ports[i].marks = marks[rate]
		s.initPort(i, &c)
		if c.Ports[i].DCI {
			s.initDCI(i, &c)
		}
	}
	if err := s.initMemory(&c); err != nil {
		return nil, fmt.Errorf("switch %s: %w", c.Name, err)
	}
	s.initProximity(&c)
	return s, nil
}

func newMarkers(p *profile.Switch, rate unit.BitRate) *[profile.Classes]marker {
	var m [profile.Classes]marker
	for c := range m {
		m[c] = newMarker(&p.ECN[c], rate)
	}
	return &m
}

func (s *Switch) initPort(i int, c *Config) {
	a, p, prof := &c.Ports[i], &s.ports[i], &c.Profile
	p.index = i
	p.link, p.loss, p.outages = a.Link, a.Loss, sortedOutages(a.Outages)
	p.rxLatency = a.Rx.Latency
	p.tx, p.rx = newClocking(a.Accounting, a.Tx.Rate), newClocking(a.Accounting, a.Rx.Rate)
	p.lossless = s.lossless
	p.stamper = newStamper(prof.INT, a.Tx.Rate, a.Link)
	p.alpha = prof.Alpha
	for r := 2 * prof.AlphaRate; r > 0 && r <= a.Rx.Rate; r *= 2 {
		p.alpha *= 2
	}
	if prof.PFC.Enabled {
		p.refreshEvery = max(1, unit.Duration(prof.PFC.Refresh*float64(pauseTime(prof.PFC.Quanta, a.Tx.Rate))))
	}
	if a.Loss > 0 {
		p.chance = chance.New(c.Seed, fmt.Sprintf("%s/%d/loss", c.Name, i))
	}
	for q := range p.queues {
		p.queues[q].quantum = unit.Bytes(prof.Weight[q]) * quantumUnit
		p.queues[q].index, p.queues[q].rec = q, &p.rec.Queue[q]
		p.rec.Queue[q].Depth.Interval = c.Interval
		if s.lossless&(1<<q) != 0 {
			p.headroom[q] = prof.HeadroomFor(a, c.MaxFrame)
		}
	}
	s.awaitOutage(p)
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
		return fmt.Errorf("headroom %v and reserve %v of the lossless classes of %d ports leave nothing of the buffer of %v: "+
			"take a larger buffer, fewer lossless classes or shorter links", headroom, reserve, len(s.ports), c.Profile.Buffer)
	}
	return nil
}

// Deliver implements fabric.Node.
func (s *Switch) Deliver(port int, start unit.Time, length unit.Bytes, f *wire.Frame) (arrival unit.Time) {
	p := &s.ports[port]
	arrival = start.Add(p.rx.of(f, length) + p.rxLatency)
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
			if (p.down || p.chance != nil) && s.lost(p, &e) {
				continue
			}
			l := e.Frame.Len()
			p.rec.RxFrames++
			p.rec.RxBytes += uint64(l)
			if e.Kind == event.Frame {
				s.forward(p, e.Frame, l)
			} else {
				s.receivePause(p, &e)
			}
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

func (s *Switch) timer(p *port, e *event.Event) {
	i := uint8(e.Arg & 7)
	switch e.Arg >> 3 {
	case timerEligible:
		s.eligible()
	case timerProximal:
		if s.due(p, &s.proximal.turn, e) {
			s.takeTurns()
		}
	case timerExpiry:
		if s.due(p, &p.expiry[i], e) {
			s.unhold(p, i)
		}
	case timerRefresh:
		if s.due(p, &p.refresh[i], e) {
			s.refreshPause(p, i)
		}
	case timerWatch:
		if s.due(p, &p.watch[i], e) {
			s.watch(p, i)
		}
	}
}

// forward finds the egress queue of a frame of l bytes that came in at port in
// and takes it into the buffer, in the order of steps of the public RDMA
// simulator: admission, XOFF, queue.
func (s *Switch) forward(in *port, f *wire.Frame, l unit.Bytes) {
	if s.proximal != nil && s.overhear(in, f, l) {
		return
	}
	if f.TTL <= 1 {
		s.drop(in, fabric.DropTTL, f)
		return
	}
	pi := s.nextHop(f, s.now)
	if pi < 0 {
		s.drop(in, fabric.DropNoRoute, f)
		return
	}
	f.TTL--
	p := &s.ports[pi]
	class := s.classOf[f.DSCP()] & 7
	qi := s.queueOf[class]
	q := &p.queues[qi&7]
	e := &entry{frame: f, at: s.now, len: uint16(l), ingress: uint16(in.index), class: class}
	switch {
	case p.storm != 0 && s.flushes(p, qi):
		s.drop(in, fabric.DropWatchdog, f)
		return
	case p.marks[class].atEnqueue && !s.wred(p, q, e):
		s.drop(in, fabric.DropWRED, f)
		return
	case has(s.control, class):
		e.place = inNone
	case s.dci && s.pooled(in, p, e):
		if reason := s.store(in, p, e); reason != fabric.DropNone {
			s.drop(in, reason, f)
			return
		}
	case !s.mmu.admit(in, class, l):
		reason := fabric.DropNoBuffer
		if has(s.lossless, class) {
			reason = fabric.DropHeadroom
		}
		s.drop(in, reason, f)
		return
	}
	q.fill(l, s.now)
	if s.proximal != nil {
		s.arrived(p, q, e)
	}
	if has(s.lossless, class) && e.place == inShared && !has(in.xoff, class) && s.mmu.mustPause(in, class) {
		s.pause(in, class)
	}
	if s.latency > 0 {
		s.delay(p, qi, e)
		return
	}
	s.enqueue(p, qi, e)
}
