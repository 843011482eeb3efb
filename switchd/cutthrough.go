package switchd

import (
	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/fifo"
	"github.com/rocelab/rocelab/emulator/link"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// incoming is the additional state of a port of a switch that cuts through: events of arrival come at the end of a
// frame's header, and a frame that cannot go on at once waits for its last bit.
type incoming struct {
	whole link.Serializer
	// stored are the frames that are stored and forwarded, in the order of their arrival.
	stored fifo.Queue[delayed]
}

// rest is the time from the end of a frame's header, which came in at the port at an instant, to its last bit.
func (i *incoming) rest(in *port, frame *wire.Frame, at unit.Time) unit.Duration {
	length := frame.Len()
	if !i.whole.IsSlow() {
		return i.whole.Time(length, frame) - in.rx.Time(length, frame)
	}
	start := in.startOf(at, frame)
	return i.whole.TimeAt(start, length, frame) - in.rx.TimeAt(start, length, frame)
}

// startOf returns when a frame started at the far end that came in at an instant.
func (p *port) startOf(at unit.Time, frame *wire.Frame) unit.Time {
	return p.rx.StartOf(at.Add(-p.rxLatency), frame.Len(), frame)
}

// cannotRunDry reports whether a frame that came in leaves no faster, if it starts now.
func (p *port) cannotRunDry(in *port, entry *entry, now unit.Time) bool {
	rate := in.rx.Rate()
	if in.rx.IsSlow() {
		rate = in.rx.RateAt(in.startOf(entry.at, entry.frame))
	}
	return p.tx.RateAt(now) <= rate
}

// cutOrStore sends a frame on, whose header is through the switch's latency, if the egress is idle, not paused and
// not faster than the ingress: it then never runs dry. Any other frame is eligible when it would be without
// cut-through. One frame of a port is never ahead of an earlier one: that one's last bit came before this
// one's header.
func (s *Switch) cutOrStore(port *port, qi uint8, entry *entry) {
	in := &s.ports[entry.ingress]
	rest := s.incoming[in.index].rest(in, entry.frame, entry.at)
	if rest == 0 || port.cannotRunDry(in, entry, s.now) && port.idle(s.now, qi) {
		s.enqueue(port, qi, entry)
		return
	}
	entry.at = entry.at.Add(rest)
	s.incoming[in.index].stored.Push(delayed{*entry, uint16(port.index), qi})
	s.events.Schedule(entry.at.Add(s.pipeline.latency), event.Timer, in.index, timerStored<<3)
}
