package switchd

import (
	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/unit"
)

// delayed is a frame between its last bit and its eligibility at the egress.
// It holds its memory and counts in its queue's length meanwhile.
type delayed struct {
	entry
	port  uint16
	queue uint8
}

// delay holds e for the switch's latency, which is one for all frames, so that
// they become eligible in the order in which they came.
func (s *Switch) delay(p *port, qi uint8, e *entry) {
	if s.pipeline.empty() {
		s.events.Schedule(e.at.Add(s.latency), event.Timer, 0, timerEligible<<3)
	}
	s.pipeline.push(&delayed{*e, uint16(p.index), qi})
}

// eligible moves on all frames whose latency is over.
func (s *Switch) eligible() {
	for !s.pipeline.empty() {
		d := *s.pipeline.first()
		if at := d.at.Add(s.latency); at > s.now {
			s.events.Schedule(at, event.Timer, 0, timerEligible<<3)
			return
		}
		s.pipeline.pop()
		p := &s.ports[d.port]
		if s.flushes(p, d.queue) {
			p.queues[d.queue].drain(unit.Bytes(d.len), s.now)
			s.evict(p, &p.queues[d.queue], &d.entry, fabric.DropWatchdog)
			continue
		}
		s.enqueue(p, d.queue, &d.entry)
	}
}
