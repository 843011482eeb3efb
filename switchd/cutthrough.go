package switchd

import (
	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/fifo"
	"github.com/rocelab/rocelab/emulator/link"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
)

// incoming is what a switch that cuts through knows of a port beside: events of arrival come there with the end of
// a frame's header, and a frame that cannot go on at once waits for its last bit.
type incoming struct {
	whole link.Serializer
	// stored are the frames that are stored and forwarded, in the order in which they came.
	stored fifo.Queue[delayed]
}

// rest is the time from the end of a frame's header, which came in at the port, to its last bit.
func (i *incoming) rest(in *port, frame *wire.Frame) unit.Duration {
	length := frame.Len()
	return i.whole.Time(length, frame) - in.rx.Time(length, frame)
}

// cutOrStore sends a frame on, whose header is through the switch's latency, if the egress is idle, not paused and
// not faster than the ingress: it then never runs dry. Any other frame is eligible when it would be without
// cut-through. One frame of a port is never ahead of an earlier one: that one's last bit came before this
// one's header.
func (s *Switch) cutOrStore(port *port, qi uint8, entry *entry) {
	in := &s.ports[entry.ingress]
	rest := s.incoming[in.index].rest(in, entry.frame)
	if rest == 0 || port.tx.Rate() <= in.rx.Rate() && port.idle(s.now, qi) {
		s.enqueue(port, qi, entry)
		return
	}
	entry.at = entry.at.Add(rest)
	s.incoming[in.index].stored.Push(delayed{*entry, uint16(port.index), qi})
	s.events.Schedule(entry.at.Add(s.pipeline.latency), event.Timer, in.index, timerStored<<3)
}
