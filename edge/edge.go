package edge

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/fifo"
	"github.com/rocelab/rocelab/emulator/link"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Edge is the end of a link at which frames come in from outside and go out: a node with one port.
type Edge struct {
	// Outward, if set, is called from Deliver with each frame that leaves for outside, and with the time at which its
	// last bit is due there. The frame is only lent.
	Outward func(due unit.Time, frame *wire.Frame)
	// Started, if set, is called with each frame from outside that starts on the link: with how much later
	// than it would have, had each been put in when it came; 0 for one that was not moved.
	Started func(moved unit.Duration)

	attachment fabric.Attachment
	tx, rx     link.Serializer
	events     *event.Queue
	out        *fabric.Outbox
	handled    uint64
	// settled is the last event that an injection can no longer come before.
	settled unit.Time

	injected fifo.Queue[arrival] // from outside, whose time has not come
	last     unit.Time           // of them
	queue    queue
	port     port
	grid     record.Grid
	left     departed
	intake   intake
	carried  []*carried
	// dropsCNPs is set if CNPs from outside are dropped here.
	dropsCNPs bool

	// faults are the link's, nil for none, as the sending side knows them; arriving are the faults for arriving frames,
	// whose fate is decided when they start: fates, in order.
	faults, arriving *link.Faults
	fates            fifo.Queue[fabric.DropReason]
}

// Ports of the event queue: that of the link, and one of their own for injections,
// which therefore come after all else of their instant.
const (
	linkPort = iota
	outside
	ports
)

var _ fabric.Node = (*Edge)(nil)

// New returns an edge at the start of a run. The error joins everything that is wrong
// with the config.
func New(config Config) (*Edge, error) {
	if err := config.check(); err != nil {
		return nil, err
	}
	a := config.Attachment
	stream := config.Name + "/0/loss"
	e := &Edge{
		attachment: a,
		tx:         link.NewSerializer(a.Accounting, a.Tx.Rate).WhenSlow(a.TxSlow),
		rx:         link.NewSerializer(a.Accounting, a.Rx.Rate).WhenSlow(a.RxSlow),
		events:     event.NewQueue(ports),
		queue:      queue{room: config.Queue, classOf: config.ClassOf},
		faults:     link.NewFaults(&a, config.Seed, stream),
		arriving:   link.NewFaults(&a, config.Seed, stream),
	}
	e.port.rec.Outages = e.arriving.Losses()
	e.port.meter = record.NewActivityMeter(config.Grid)
	e.port.meter.OfPort(a.Tx.Rate, &e.port.busyUntil)
	e.grid = config.Grid
	e.intake, e.dropsCNPs = newIntake(config.Flows), config.DropCNPs
	for i := range config.Carried {
		e.carried = append(e.carried, newCarried(&config.Carried[i]))
	}
	e.port.obeys = config.PFCHere
	if config.PFCHere {
		e.port.pauses = link.NewPauses(1<<profile.Classes-1, 0)
	}
	e.awaitLinkChange()
	return e, nil
}

// awaitLinkChange schedules the next time at which the link goes down or up.
func (e *Edge) awaitLinkChange() {
	if e.faults != nil {
		if at := e.faults.NextChange(); at != unit.Never {
			e.events.Schedule(at, event.LinkChange, linkPort, 0)
		}
	}
}

// Deliver implements fabric.Node: it takes a frame that comes from the link, and lends
// it outward unless the link loses it.
func (e *Edge) Deliver(_ int, start unit.Time, length unit.Bytes, frame *wire.Frame) unit.Time {
	arrival := start.Add(e.rx.TimeAt(start, length, frame) + e.attachment.Rx.Latency)
	e.events.Arrive(linkPort, arrival, length, frame)
	if fate := e.fate(start, arrival, frame); fate == fabric.DropNone && e.Outward != nil {
		e.Outward(arrival, frame)
	}
	return arrival
}

// fate decides whether the link loses a frame that starts and arrives at the given times. Frames are delivered in the
// order of their arrival, so it may be decided before.
func (e *Edge) fate(start, arrival unit.Time, frame *wire.Frame) fabric.DropReason {
	if e.arriving == nil {
		return fabric.DropNone
	}
	for e.arriving.NextChange() <= arrival {
		e.arriving.Toggle()
	}
	fate := e.arriving.Lost(frame, start)
	e.fates.Push(fate)
	return fate
}

// Advance implements fabric.Node.
func (e *Edge) Advance(horizon unit.Time, out *fabric.Outbox) unit.Time {
	e.out = out
	var next event.Event
	for e.events.PopBefore(horizon, &next) {
		e.handled++
		switch next.Kind {
		case event.Frame, event.PFC:
			if !e.arrive(next.At, next.Frame) {
				continue // injections may come before it
			}
		case event.Timer:
			if next.Port == outside {
				e.enter(next.At, e.injected.Pop())
			} else {
				e.expirePauses(next.At)
			}
		case event.TxEnd:
			e.port.txEndPending = false
		case event.LinkChange:
			if e.faults.Toggle() {
				e.endPauses(next.At)
			}
			e.awaitLinkChange()
			e.port.ready(next.At)
		default:
			panic(fmt.Sprintf("edge: event of kind %d", next.Kind))
		}
		e.settled = next.At
		e.serve(next.At)
	}
	e.out = nil
	return e.events.Next()
}

// arrive takes a frame whose last bit is here. It reports whether that shows in what
// the edge sends and drops.
func (e *Edge) arrive(now unit.Time, frame *wire.Frame) (shows bool) {
	length := uint64(frame.Len())
	rec := &e.port.rec
	if e.arriving != nil {
		if fate := e.fates.Pop(); fate != fabric.DropNone {
			rec.RxLostFrames++
			rec.RxLostBytes += length
			rec.PausesLost.Count(frame)
			e.out.Drop(now, linkPort, fate, frame)
			return true
		}
	}
	rec.RxFrames++
	rec.RxBytes += length
	rec.SunkFrames++
	rec.SunkBytes += length
	e.leaves(now, frame)
	if frame.IsPFC() {
		rec.RxPFCFrames++
		rec.RxPFCBytes += length
		shows = e.receivePause(now, frame)
	}
	if len(e.carried) > 0 && e.passes(now, frame) {
		shows = true
	}
	e.out.Free(frame)
	return shows
}
