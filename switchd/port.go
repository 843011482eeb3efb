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
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// port is one port: its transmitter, the egress queues, the ingress accounts and the two sides of PFC. State read for
// every frame is in the port itself, rarely read state is behind pointers.
type port struct {
	// busyUntil is the time at which the last bit of the frame in transmission leaves; in the past if the port is idle.
	busyUntil  unit.Time
	index      int   // which port of the switch this is
	armed      bool  // an event TxEnd is pending
	down       bool  // the link is, and nothing is sent
	pfcPending uint8 // classes whose state goes into the next PFC frame, as bits
	storm      uint8 // queues that the watchdog freed, as bits; all while the link is down
	link       fabric.LinkID
	pauses     link.Pauses // that the port obeys, on the classes that are lossless on its link
	tx, rx     link.Serializer
	rxLatency  unit.Duration
	sent       unit.Bytes       // as they count on the wire; 0 of a port that does not stamp
	load       record.LoadMeter // how long the port transmits over time
	stamper    stamper
	marks      *[profile.Classes]marker
	egress
	ingress

	faults *link.Faults // nil for a link without
	// meter counts what the port does over time, perhaps with others.
	meter *meter
	rec   *record.Port
	// expiry is, by class, when a pause that the port obeys runs out.
	expiry   deadlines
	pfc      *pfcSender
	watchdog *watchdog
}

// newPort returns port i of a switch, idle, with the marking profiles of its rate. If its memory is a DCI port's,
// initDCI makes it one.
func newPort(i int, config *Config, sw *Switch, marks *[profile.Classes]marker, meter *meter, rec *record.Port,
) port {
	attachment, prof := &config.Ports[i], config.Profile.OfPort(i)
	idle := port{
		index:     i,
		link:      attachment.Link,
		pauses:    link.NewPauses(sw.lossless, profile.ResponseAt(prof.PauseResponse, attachment.Rx.Rate)),
		tx:        link.NewSerializer(attachment.Accounting, attachment.Tx.Rate).WhenSlow(attachment.TxSlow),
		rx:        link.NewSerializer(attachment.Accounting, attachment.Rx.Rate).WhenSlow(attachment.RxSlow),
		rxLatency: attachment.Rx.Latency,
		stamper:   newStamper(prof.INT, attachment.Tx.Rate, attachment.Link),
		marks:     marks,
		load:      record.NewLoadMeter(config.Recording.Grid),
		meter:     meter,
		faults:    link.NewFaults(attachment, config.Seed, fmt.Sprintf("%s/%d/loss", config.Name, i)),
		rec:       rec,
		pfc:       newPFCSender(&prof.PFC, attachment.Tx.Rate),
		watchdog:  &watchdog{profile: prof.Watchdog, queueOf: &sw.queueOf},
	}
	idle.rec.Outages = idle.faults.Losses()
	idle.ingress = ingress{
		alpha:    prof.AlphaAt(attachment.Rx.Rate),
		lossless: sw.lossless,
		headroom: prof.HeadroomFor(attachment, config.MaxFrame),
		classes:  &idle.rec.Classes,
	}
	idle.strict = setOf(&prof.Strict)
	if i > 0 && *sw.ports[i-1].weight == prof.Weight {
		idle.weight = sw.ports[i-1].weight // most ports of a switch have the same
	} else {
		own := prof.Weight
		idle.weight = &own
	}
	for q := range profile.Classes {
		if prof.DataQueue(q) {
			idle.data |= 1 << q
		}
	}
	return idle
}

// idle reports whether nothing is sent and nothing waits at the port, and queue qi may send.
func (p *port) idle(now unit.Time, qi uint8) bool {
	return p.busyUntil <= now && p.busy|p.pfcPending == 0 && !p.armed && !has(p.blocked, qi)
}

// enqueue puts an entry at the end of queue qi and starts it if the port is free.
func (s *Switch) enqueue(port *port, qi uint8, entry *entry) {
	if port.idle(s.now, qi) {
		// An idle port with nothing queued: the frame need not pass through
		// the ring.
		port.bypass(qi)
		s.send(port, port.queues[qi&7], entry)
		return
	}
	port.push(qi, entry)
	if has(port.blocked, qi) {
		s.watchStalled(port, qi)
		return
	}
	s.startIfFree(port)
}

// startIfFree starts what waits at the port, now or at the end of the frame
// under way. It must be called whenever something becomes ready.
func (s *Switch) startIfFree(port *port) {
	switch {
	case port.armed:
	case port.busyUntil <= s.now:
		s.serve(port)
	case port.ready()|port.pfcPending != 0:
		port.armed = true
		s.events.Schedule(port.busyUntil, event.TxEnd, port.index, 0)
	}
}

// serve starts the next frame of a port that is free: a PFC frame before all
// others, else the scheduler's choice.
func (s *Switch) serve(port *port) {
	if port.pfcPending != 0 {
		s.sendPause(port)
		return
	}
	for port.ready() != 0 {
		if s.sendFrom(port, port.pick(port.ready())) {
			return
		}
	}
}

// sendFrom takes the first frame of queue qi and sends it, or drops it if WRED decides so; it reports whether it was
// sent.
func (s *Switch) sendFrom(port *port, qi uint8) bool {
	q := port.queues[qi&7]
	e := *q.First()
	q.RemoveFirst()
	if q.Empty() {
		port.empty(qi)
		return s.send(port, q, &e)
	}
	// The next one has waited, perhaps long enough to leave the cache.
	prefetch.Line(unsafe.Pointer(q.First().frame))
	sent := s.send(port, q, &e)
	if sent {
		port.charge(qi, unit.Bytes(e.len))
	}
	return sent
}

// send sends a frame that is no longer in its queue, or drops it if WRED decides so; it reports whether it was sent.
func (s *Switch) send(port *port, queue *queue, entry *entry) bool {
	length := unit.Bytes(entry.len)
	queue.drain(length, s.now)
	if s.accounted {
		length = entry.frame.Len()
	}
	if m := &port.marks[entry.class&7]; m.atDequeue && !m.apply(queue, entry, s.now, s.spared, &s.streams) {
		s.evict(port, queue, entry, fabric.DropWRED)
		return false
	}
	rec := &queue.rec
	rec.Frames++
	rec.Bytes += uint64(length)
	rec.Wait.Add(s.now.Sub(entry.at))
	s.releaseMemory(port, entry)
	if s.observer != nil {
		s.observer.dequeued(port, queue, *entry)
	}
	if port.stamper.stamps(entry.frame) {
		port.stamper.stamp(entry.frame, s.now, port.sent, port.waiting(queue))
	}
	s.transmit(port, entry.frame, length)
	if s.mmu.paused != 0 {
		s.resumeIfDue(&s.ports[entry.ingress], entry.class)
	}
	return true
}

// releaseMemory gives back the memory of a frame that leaves the switch by a port.
func (s *Switch) releaseMemory(port *port, entry *entry) {
	switch entry.place {
	case inShared:
		s.mmu.release(&s.ports[entry.ingress].ingress, entry.class, unit.Bytes(entry.len))
	case inIngressPool:
		s.ports[entry.ingress].pool.release(entry)
	case inEgressPool:
		port.pool.release(entry)
	}
}

// evict drops a frame that had been taken into the switch and, by then, out of
// its queue of a port.
func (s *Switch) evict(port *port, queue *queue, entry *entry, reason fabric.DropReason) {
	s.releaseMemory(port, entry)
	if s.observer != nil {
		s.observer.dequeued(port, queue, *entry)
	}
	in := &s.ports[entry.ingress]
	s.drop(in, reason, entry.frame)
	if s.mmu.paused != 0 {
		s.resumeIfDue(in, entry.class)
	}
}

// drop counts and traces a frame that came in at a port.
func (s *Switch) drop(port *port, reason fabric.DropReason, frame *wire.Frame) {
	port.rec.Drop(reason, frame.Len())
	if s.now >= port.meter.End {
		port.meter.close(s.now)
	}
	port.meter.Dropped++
	s.out.Drop(s.now, port.index, reason, frame)
}

// transmit puts the first bit of a frame on the wire and arranges for what waits. The port's meter must
// be at the bin of now.
func (s *Switch) transmit(port *port, frame *wire.Frame, length unit.Bytes) {
	d := port.tx.TimeAt(s.now, length, frame)
	if s.now >= port.load.End {
		port.load.Close(s.now, port.rec.Busy, port.busyUntil)
	}
	port.busyUntil = s.now.Add(d)
	port.rec.Busy += d
	if port.stamper.on {
		port.sent += port.tx.Accounting().BytesOf(length, frame)
	}
	port.meter.Sent += uint64(length)
	port.meter.Last = uint64(length)
	if port.ready()|port.pfcPending != 0 {
		port.armed = true
		s.events.Schedule(port.busyUntil, event.TxEnd, port.index, 0)
	}
	s.out.Emit(port.index, port.link, s.now, frame)
}
