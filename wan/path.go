package wan

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
)

// Path is a long-haul path: a node with two ports.
type Path struct {
	events  *event.Queue
	ways    [2]direction // by the port at which frames come in
	out     *fabric.Outbox
	handled uint64
}

var _ fabric.Node = (*Path)(nil)

// New returns a path at the start of a run. The error joins everything that is
// wrong with c.
func New(c Config) (*Path, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	p := &Path{events: event.NewQueue(2)}
	for port := range p.ways {
		p.ways[port] = newDirection(&c, port)
	}
	return p, nil
}

// largest is what a frame of length l counts on the wire at most: the fullest
// rule counts most.
func largest(l unit.Bytes) unit.Bytes { return wire.Full.BytesOf(l, nil) }

// Deliver takes a frame that comes in at port.
func (p *Path) Deliver(port int, start unit.Time, length unit.Bytes, f *wire.Frame) unit.Time {
	w := &p.ways[port]
	arrival := start.Add(w.serializer.Time(length, f) + w.near.Rx.Latency)
	p.events.Arrive(port, arrival, length, f)
	return arrival
}

// Advance handles what comes in and goes out before horizon.
func (p *Path) Advance(horizon unit.Time, out *fabric.Outbox) unit.Time {
	p.out = out
	var e event.Event
	for p.events.PopBefore(horizon, &e) {
		p.handled++
		switch e.Kind {
		case event.Frame, event.PFC:
			p.enter(&p.ways[e.Port], e.At, e.Frame)
		case event.Timer:
			p.leave(&p.ways[e.Port], e.At)
		default:
			panic(fmt.Sprintf("wan: event of kind %d", e.Kind))
		}
	}
	return p.events.Next()
}

// enter decides what becomes of f, whose last bit is in.
func (p *Path) enter(w *direction, now unit.Time, f *wire.Frame) {
	length := f.Len()
	serial := w.serializer.Time(length, f)
	w.came(f, length)
	start := now.Add(-serial - w.near.Rx.Latency) // at the near port
	phase := w.at(start)
	exit := start.Add(phase.Delay[w.port] - w.far.Tx.Latency)
	if phase.Jitter > 0 {
		exit = exit.Add(unit.Duration(w.jitter.Between(0, int64(phase.Jitter))))
	}
	exit = max(exit, w.free)
	if exit < now {
		panic(fmt.Sprintf("wan: a frame of %d B is due out at %v, before it is in at %v", length, exit, now))
	}
	w.free = exit.Add(serial)
	fate := fabric.DropNone
	if w.channel.loses(&phase.Loss) {
		fate = fabric.DropLinkLoss
	}
	if w.flaps.Meets(start, w.free.Add(w.far.Tx.Latency)) {
		fate = fabric.DropLinkDown
	}
	w.inside.Push(passage{
		frame:  f,
		exit:   exit,
		serial: serial,
		length: length,
		fate:   fate,
	})
	if w.inside.Len() == 1 {
		p.events.Schedule(exit, event.Timer, w.port, 0)
	}
	w.hold(serial, length)
}

// leave sends on, or counts as lost, the first frame of a direction.
func (p *Path) leave(w *direction, now unit.Time) {
	t := w.inside.Pop()
	w.release(&t)
	if !w.inside.Empty() {
		p.events.Schedule(w.inside.First().exit, event.Timer, w.port, 0)
	}
	if t.fate != fabric.DropNone {
		w.lost(&t)
		p.out.Drop(now, w.port, t.fate, t.frame)
		return
	}
	p.ways[1-w.port].sent(&t)
	p.out.Emit(1-w.port, w.far.Link, now, t.frame)
}
