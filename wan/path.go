package wan

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
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
// wrong with the config.
func New(config Config) (*Path, error) {
	if err := config.check(); err != nil {
		return nil, err
	}
	p := &Path{events: event.NewQueue(2)}
	for port := range p.ways {
		p.ways[port] = newDirection(&config, port)
		p.ways[port].meter.OfPort(config.Ports[port].Tx.Rate, &p.ways[port].busyUntil)
	}
	return p, nil
}

// largest returns the largest number of bytes that a frame of the given length counts on the wire: the fullest rule
// counts most.
func largest(length unit.Bytes) unit.Bytes { return wire.Full.BytesOf(length, nil) }

// Deliver implements fabric.Node: it takes a frame that comes in at port.
func (p *Path) Deliver(port int, start unit.Time, length unit.Bytes, frame *wire.Frame) unit.Time {
	w := &p.ways[port]
	arrival := start.Add(w.serializer.Time(length, frame) + w.near.Rx.Latency)
	p.events.Arrive(port, arrival, length, frame)
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

// enter decides the fate of a frame whose last bit is in.
func (p *Path) enter(way *direction, now unit.Time, frame *wire.Frame) {
	length := frame.Len()
	serial := way.serializer.Time(length, frame)
	way.countReceived(frame, length)
	start := now.Add(-serial - way.near.Rx.Latency) // at the near port
	phase := way.phaseAt(start)
	exit := start.Add(phase.Delay[way.port] - way.far.Tx.Latency)
	if phase.Jitter > 0 {
		exit = exit.Add(unit.Duration(way.jitter.Between(0, int64(phase.Jitter))))
	}
	exit = max(exit, way.free)
	if exit < now {
		panic(fmt.Sprintf("wan: a frame of %d B is due out at %v, before it is in at %v", length, exit, now))
	}
	way.free = exit.Add(serial)
	fate := fabric.DropNone
	if way.channel.loses(&phase.Loss) {
		fate = fabric.DropLinkLoss
	}
	if way.flaps.Meets(start, way.free.Add(way.far.Tx.Latency)) {
		fate = fabric.DropLinkDown
	}
	way.inside.Push(passage{
		frame:  frame,
		exit:   exit,
		serial: serial,
		length: length,
		fate:   fate,
	})
	if way.inside.Len() == 1 {
		p.events.Schedule(exit, event.Timer, way.port, 0)
	}
	way.addInside(serial, length)
}

// leave sends on, or counts as lost, the first frame of a direction.
func (p *Path) leave(way *direction, now unit.Time) {
	passage := way.inside.Pop()
	way.removeInside(&passage)
	if !way.inside.Empty() {
		p.events.Schedule(way.inside.First().exit, event.Timer, way.port, 0)
	}
	if passage.fate != fabric.DropNone {
		way.countLost(&passage)
		p.out.Drop(now, way.port, passage.fate, passage.frame)
		return
	}
	p.ways[1-way.port].countSent(&passage)
	p.out.Emit(1-way.port, way.far.Link, now, passage.frame)
}
