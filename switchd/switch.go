package switchd

import (
	"fmt"
	"math/bits"

	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/link"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Switch is a switch of the fabric. Make one with New.
//
// Its parts know nothing of it: the memory management unit (mmu, over the ingress
// of each port), the choice of the next hop (forwarding), and at each port the
// queues and their scheduler (egress), marking (marker), PFC obeyed (link.Pauses)
// and asked for (pfcSender), telemetry (stamper) and the watchdog. Switch moves frames
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
	// control and lossless are sets of classes, as bits; spared are the classes that WRED does not drop: both, or all.
	control, lossless, spared uint8

	hasDCI bool // some port is a DCI port
	// accounted is set if queues and buffers count the bytes of the accounting, not frame bytes.
	accounted bool
	wire      bool // what comes in at a port goes on at the other
	pipeline  pipeline
	// delays is set if a frame is not eligible as it arrives: there is a latency, or incoming.
	delays bool
	// incoming has, of a switch that cuts through, an entry for each port; nil without.
	incoming []incoming
	// bridge is nil if all frames have addresses of the fabric.
	bridge *bridge
	// observer is nil without proximal CNP.
	observer observer
	streams  streams

	handled uint64
	id      uint32
	changes

	// cameBy and cameFrom are room for sources: a set of classes for each port, empty between
	// two calls, and ports.
	cameBy   []uint8
	cameFrom []uint16
}

var _ fabric.Node = (*Switch)(nil)

// New returns an idle switch. It fails if a setting is out of its range, or if
// headroom and reserve of all ports leave no shared memory in the buffer.
func New(config Config) (*Switch, error) {
	if err := config.check(); err != nil {
		return nil, fmt.Errorf("switch %s: %w", config.Name, err)
	}
	sw := &Switch{
		events:   event.NewQueue(len(config.Ports)),
		ports:    make([]port, len(config.Ports)),
		classOf:  config.Profile.ClassOf,
		queueOf:  config.Profile.QueueOf,
		control:  setOf(&config.Profile.Control),
		lossless: lossless(&config.Profile),
		pipeline: pipeline{latency: config.Profile.Latency},
		delays:   config.Profile.Latency > 0 || config.Profile.CutThrough,
		streams:  streams{config.Seed, config.Name},
		id:       config.ID,
		changes:  changes{epochs: epochs{rest: config.Epochs}},

		accounted: config.Profile.Accounted,
	}
	sw.spared = sw.control | sw.lossless
	if !config.Profile.DropNotECT {
		sw.spared = 1<<profile.Classes - 1
	}
	for class := range profile.Classes {
		if drop := config.Profile.ECN[class].DropNotECT; drop != nil {
			sw.spared &^= 1 << class
			if !*drop {
				sw.spared |= 1 << class
			}
		}
	}
	sw.fwd = newForwarding(&config, sw.ports)
	sw.bridge = newBridge(&config)
	sw.wire = config.Wire
	startFaults(sw, &config)
	meters := newMeters(&config.Recording, len(config.Ports))
	records := make([]record.Port, len(config.Ports)) // together: each by itself takes an eighth more
	marks := make(map[unit.BitRate]*[profile.Classes]marker)
	for i := range config.Ports {
		rate := config.Ports[i].Tx.Rate
		if marks[rate] == nil {
			marks[rate] = newMarkers(&config.Profile, rate)
		}
		ofPort := marks[rate]
		if prof := config.Profile.OfPort(i); prof != &config.Profile {
			ofPort = newMarkers(prof, rate)
		}
		sw.ports[i] = newPort(i, &config, sw, ofPort, meters[i], &records[i])
		if !meters[i].ofTier {
			meters[i].OfPort(rate, &sw.ports[i].busyUntil)
		}
		if config.Ports[i].DCI {
			sw.initDCI(i, &config)
		}
		if config.Profile.CutThrough {
			sw.incoming = append(sw.incoming, incoming{whole: sw.ports[i].rx})
			sw.ports[i].rx = link.NewHeaderSerializer(config.Ports[i].Accounting, config.Ports[i].Rx.Rate).
				WhenSlow(config.Ports[i].RxSlow)
		}
		scheduleLinkChange(sw, &sw.ports[i])
		scheduleNotice(sw, &sw.ports[i])
	}
	startEpochs(sw)
	if err := sw.initMemory(&config); err != nil {
		return nil, fmt.Errorf("switch %s: %w", config.Name, err)
	}
	if config.Profile.Proximal.Enabled {
		sw.observer = newProximity(sw, &config)
	}
	return sw, nil
}

// setOf returns the set, as bits, of the entries of a list that are on.
func setOf(list *[profile.Classes]bool) (set uint8) {
	for i, on := range list {
		if on {
			set |= 1 << i
		}
	}
	return set
}

// initMemory sets reserve and headroom aside for each lossless class of each port, except DCI ports, and shares the
// rest.
func (s *Switch) initMemory(config *Config) error {
	var reserve, headroom unit.Bytes
	for class := range profile.Classes {
		if s.lossless&(1<<class) == 0 {
			continue
		}
		s.mmu.reserve[class] = config.Profile.Reserve
		for i := range s.ports {
			if s.ports[i].pool != nil {
				continue
			}
			reserve += config.Profile.Reserve
			headroom += s.ports[i].headroom
		}
	}
	s.mmu.resumeOffset, s.mmu.wake = config.Profile.ResumeOffset, never
	s.mmu.shared = config.Profile.Buffer - reserve - headroom
	if s.mmu.shared <= 0 {
		return fmt.Errorf("headroom %v and reserve %v of the lossless classes of %d ports leave nothing of the buffer "+
			"of %v: take a larger buffer, fewer lossless classes or shorter links",
			headroom, reserve, len(s.ports), config.Profile.Buffer)
	}
	return nil
}

// Deliver implements fabric.Node.
func (s *Switch) Deliver(port int, start unit.Time, length unit.Bytes, frame *wire.Frame) (arrival unit.Time) {
	p := &s.ports[port]
	arrival = start.Add(p.rx.TimeAt(start, length, frame) + p.rxLatency)
	s.events.Arrive(port, arrival, length, frame)
	return arrival
}

// Advance implements fabric.Node.
func (s *Switch) Advance(horizon unit.Time, out *fabric.Outbox) (next unit.Time) {
	var ev event.Event
	s.out = out
	for s.events.PopBefore(horizon, &ev) {
		s.now = ev.At
		s.handled++
		port := &s.ports[ev.Port]
		switch ev.Kind {
		case event.Frame, event.PFC:
			if port.faults != nil {
				if s.lost(port, &ev) {
					continue
				}
			}
			length, rec := ev.Frame.Len(), port.rec
			rec.RxFrames++
			rec.RxBytes += uint64(length)
			if ev.Kind == event.PFC {
				s.receivePause(port, &ev)
				continue
			}
			if s.observer != nil {
				if s.observer.inspect(port, ev.Frame, length) {
					continue
				}
			}
			s.forward(port, ev.Frame, length)
		case event.TxEnd:
			port.armed = false
			s.serve(port)
		case event.LinkChange:
			changeAt(s, port, &ev)
		case event.Timer:
			s.timer(port, &ev)
		}
	}
	return s.events.Next()
}

// forward finds the port through which a frame of length bytes that came in at port in goes on, and takes it into the
// buffer.
func (s *Switch) forward(in *port, frame *wire.Frame, length unit.Bytes) {
	if s.wire {
		s.take(in, &s.ports[1-in.index], frame, length)
		return
	}
	if s.bridge != nil && !s.fwd.covers(frame) {
		s.bridgeFrame(in, frame, length)
		return
	}
	if frame.TTL <= 1 {
		s.drop(in, fabric.DropTTL, frame)
		return
	}
	pi := s.fwd.next(frame, s.now)
	if pi < 0 {
		countNoRoute(s, frame)
		s.drop(in, fabric.DropNoRoute, frame)
		return
	}
	frame.TTL--
	s.take(in, &s.ports[pi], frame, length)
}

// take takes a frame of length bytes that came in at port in into the buffer, for an egress queue of
// port, in the order of steps of the public RDMA simulator: admission, XOFF, queue.
func (s *Switch) take(in, port *port, frame *wire.Frame, length unit.Bytes) {
	if s.accounted {
		length = port.tx.Accounting().QueuedOf(length, frame)
	}
	class := s.classOf[frame.DSCP()] & 7
	qi := s.queueOf[class]
	queue := port.queue(qi)
	if s.now >= port.meter.End {
		port.meter.close(s.now)
	}
	stored := &entry{
		frame:   frame,
		at:      s.now,
		len:     uint16(length),
		ingress: uint16(in.index),
		class:   class,
	}
	if port.storm != 0 && port.flushes(qi) {
		s.drop(in, port.flushReason(frame), frame)
		return
	}
	if wred := &port.marks[class]; wred.atEnqueue {
		if kept := wred.apply(queue, stored, s.now, s.spared, &s.streams); !kept {
			s.drop(in, fabric.DropWRED, frame)
			return
		}
	}
	if has(s.control, class) {
		if queue.bytes+length > s.mmu.shared { // nobody of ours sends so much, but a foreign host may
			s.drop(in, fabric.DropNoBuffer, frame)
			return
		}
		stored.place = inNone
	} else if pooled := s.hasDCI && assignPool(in, port, stored); pooled {
		if reason := s.storeInPool(in, port, stored); reason != fabric.DropNone {
			s.drop(in, reason, frame)
			return
		}
	} else if admitted := s.mmu.admit(&in.ingress, class, length); !admitted {
		reason := fabric.DropNoBuffer
		if has(s.lossless, class) {
			reason = fabric.DropHeadroom
		}
		s.drop(in, reason, frame)
		return
	}
	queue.fill(length, s.now)
	if s.observer != nil {
		stored.flow = s.observer.enqueued(port, queue, *stored)
	}
	if has(s.lossless, class) && stored.place == inShared && !has(in.xoff, class) && s.mmu.mustPause(&in.ingress, class) {
		s.pause(in, class)
	}
	if s.delays {
		s.delay(port, qi, stored)
		return
	}
	s.enqueue(port, qi, stored)
}

// delay holds an entry for the switch's latency.
func (s *Switch) delay(port *port, qi uint8, entry *entry) {
	if s.pipeline.latency == 0 {
		s.cutOrStore(port, qi, entry)
		return
	}
	if s.pipeline.Empty() {
		s.events.Schedule(entry.at.Add(s.pipeline.latency), event.Timer, 0, timerEligible<<3)
	}
	s.pipeline.Push(delayed{*entry, uint16(port.index), qi})
}

// enqueueEligible moves on all frames whose latency is over.
func (s *Switch) enqueueEligible() {
	enqueue := s.enqueue
	if s.incoming != nil {
		enqueue = s.cutOrStore
	}
	for s.pipeline.next() <= s.now {
		d := s.pipeline.Pop()
		s.enqueueOrFlush(&d, enqueue)
	}
	if at := s.pipeline.next(); at != unit.Never {
		s.events.Schedule(at, event.Timer, 0, timerEligible<<3)
	}
}

// enqueueOrFlush gives an entry whose wait is over to enqueue, or drops it if its queue is being flushed.
func (s *Switch) enqueueOrFlush(d *delayed, enqueue func(*port, uint8, *entry)) {
	p := &s.ports[d.port]
	if p.flushes(d.queue) {
		p.queues[d.queue].drain(unit.Bytes(d.len), s.now)
		s.evict(p, p.queues[d.queue], &d.entry, p.flushReason(d.entry.frame))
		return
	}
	enqueue(p, d.queue, &d.entry)
}

// originate sends a frame that the switch made itself, by the usual route and
// queue. No ingress accounts for it.
func (s *Switch) originate(frame *wire.Frame) {
	pi := s.fwd.next(frame, s.now)
	if pi < 0 {
		s.out.Free(frame)
		return
	}
	port, length := &s.ports[pi], frame.Len()
	port.rec.SourcedFrames++
	port.rec.SourcedBytes += uint64(length)
	if s.accounted {
		length = port.tx.Accounting().QueuedOf(length, frame)
	}
	class := s.classOf[frame.DSCP()] & 7
	qi := s.queueOf[class] & 7
	stored := &entry{
		frame:   frame,
		at:      s.now,
		len:     uint16(length),
		ingress: uint16(pi),
		class:   class,
		place:   inNone,
	}
	if port.storm != 0 && port.flushes(qi) {
		s.drop(port, port.flushReason(frame), frame)
		return
	}
	if s.now >= port.meter.End {
		port.meter.close(s.now)
	}
	port.queue(qi).fill(length, s.now)
	s.enqueue(port, qi, stored)
}

// sink ends a frame that came in at a port and was for the switch itself.
func (s *Switch) sink(port *port, frame *wire.Frame, length unit.Bytes) {
	port.rec.SunkFrames++
	port.rec.SunkBytes += uint64(length)
	s.out.Free(frame)
}

// pause asks the peer of a port to pause a class.
func (s *Switch) pause(port *port, class uint8) {
	s.mmu.pause(&port.ingress, class)
	s.queuePFC(port, class)
}

// resumeIfDue sends XON after a class of a port released memory: for that
// account, and for any other that the freed memory lets below its threshold.
//
// Differs from the public simulator, which tests an account only when one of
// its own frames leaves: there an ingress whose last frames left while others
// filled the buffer stays paused for no reason.
func (s *Switch) resumeIfDue(port *port, class uint8) {
	if has(port.xoff, class) && s.mmu.tryResume(&port.ingress, class) {
		s.queuePFC(port, class)
	}
	if !s.mmu.othersMayResume() {
		return
	}
	for i := range s.ports {
		p := &s.ports[i]
		for rest := p.xoff; rest != 0; rest &= rest - 1 {
			if c := uint8(bits.TrailingZeros8(rest)); s.mmu.tryResume(&p.ingress, c) {
				s.queuePFC(p, c)
			}
		}
	}
}
