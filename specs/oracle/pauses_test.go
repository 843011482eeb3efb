package oracle

import (
	"slices"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// classAt is a class at a port.
type classAt struct {
	port  plan.End
	class int
}

// span is a time from one instant to another.
type span struct{ from, to unit.Time }

// pauses has the contents and the effects of a run's PFC frames.
type pauses struct {
	// sent counts XOFF by class, refreshes included, of the ports of switches and NICs.
	sent uint64
	// held are the times during which a port that obeys was held.
	held map[classAt][]span
}

// rebuildPauses reads all PFC frames. A pause begins when the port has reacted to its frame, and lasts for its quanta
// of 512 bit times; a new one takes the place of what is left, and 0 ends it at once, or before it began, as
// does an outage of the link.
func (s *seen) rebuildPauses() *pauses {
	p := &pauses{held: map[classAt][]span{}}
	for i := range s.hops {
		h := &s.hops[i]
		if !h.frame.IsPFC() {
			continue
		}
		if kind := s.plan.KindOf(h.from.Node); kind != plan.KindWAN {
			for class, quanta := range h.frame.Pause {
				if h.frame.ClassEnable>>class&1 == 1 && quanta > 0 {
					p.sent++
				}
			}
		}
	}
	var arrived []*hop
	for i := range s.hops {
		if h := &s.hops[i]; h.frame.IsPFC() && h.delivered {
			arrived = append(arrived, h)
		}
	}
	slices.SortStableFunc(arrived, func(a, b *hop) int { return int(min(1, max(-1, a.arrival-b.arrival))) })
	for _, h := range arrived {
		p.take(s, h)
	}
	for at, spans := range p.held {
		spans = slices.DeleteFunc(spans, func(x span) bool { return x.from >= s.end })
		for i := range spans {
			spans[i].to = min(spans[i].to, s.end)
		}
		p.held[at] = spans
	}
	return p
}

// take lets a PFC frame act on the port to which it came.
func (p *pauses) take(s *seen, h *hop) {
	rate := s.plan.Links[h.link/2].Forward.Rate
	if h.link%2 == 1 {
		rate = s.plan.Links[h.link/2].Backward.Rate
	}
	for class, quanta := range h.frame.Pause {
		if h.frame.ClassEnable>>class&1 == 0 || !s.obeys(h.to, uint8(class)) {
			continue
		}
		at := classAt{h.to, class}
		from := h.arrival.Add(s.reaction(h.to, rate))
		until := from.Add(serialOf(int64(quanta)*64, rate))
		for _, o := range s.plan.Links[h.link/2].Outages {
			if o.From >= h.arrival { // it ends with the link
				until = min(until, o.From)
				from = min(from, until)
			}
		}
		spans := p.held[at]
		n := len(spans)
		switch {
		case n > 0 && spans[n-1].from >= h.arrival && quanta == 0:
			p.held[at] = spans[:n-1]
		case n > 0 && spans[n-1].to >= h.arrival && quanta == 0:
			spans[n-1].to = h.arrival
		case n > 0 && spans[n-1].to >= h.arrival:
			spans[n-1].to = until
		case quanta > 0:
			p.held[at] = append(spans, span{from, until})
		}
	}
}

// reaction returns the time after which a port obeys a pause. The standard bounds it in quanta of 512 bit times, by the
// port's rate in Gb/s (IEEE 802.3, 31B.3.7).
func (s *seen) reaction(port plan.End, rate unit.BitRate) unit.Duration {
	var set unit.Duration
	switch node := s.plan.Node(port.Node); node.Kind {
	case plan.KindNIC:
		set = s.plan.NICs[node.Index].Profile.PauseResponse
	case plan.KindSwitch:
		set = s.plan.Switches[node.Index].Profile.PauseResponse
	}
	if set >= 0 {
		return set
	}
	for _, x := range [][2]int64{{10, 67}, {25, 80}, {40, 118}, {50, 147}, {100, 394}, {200, 453}} {
		if int64(rate) <= x[0]*int64(unit.Gbps) && rate > unit.Gbps {
			return serialOf(x[1]*64, rate)
		}
	}
	return serialOf(905*64, rate)
}

// obeys reports whether a port is held by a pause of a class: a NIC by any, a switch by its lossless classes, across a
// fibre only with PFC there.
func (s *seen) obeys(port plan.End, class uint8) bool {
	node := s.plan.Node(port.Node)
	switch node.Kind {
	case plan.KindNIC:
		return s.plan.NICs[node.Index].Profile.PFC
	case plan.KindSwitch:
		settings := &s.plan.Switches[node.Index].Profile
		if s.plan.KindOf(s.farOf(port)) == plan.KindWAN && !settings.DCI.PFC.Enabled {
			return false
		}
		return isLossless(settings, class)
	}
	return false
}

// total returns the time during which classes of ports were held.
func (p *pauses) total() (sum unit.Duration) {
	for _, spans := range p.held {
		for _, at := range spans {
			sum += at.to.Sub(at.from)
		}
	}
	return sum
}

// broken counts the storms that watchdogs broke: a queue that was held, and not empty, for as long as the watchdog
// waits, once for each class that held it; then it is ignored until the port had no pause for the time to restore.
func (s *seen) broken(p *pauses, q *queues) (fired uint64) {
	for at, steps := range q.lengths {
		settings := &s.plan.Switches[at.place].Profile
		if !settings.Watchdog.Enabled {
			continue
		}
		port := plan.End{Node: s.plan.SwitchNode(at.place), Port: at.port}
		var spans []span // of all classes of the queue
		for class, queue := range settings.QueueOf {
			if int(queue) == at.queue {
				spans = append(spans, p.held[classAt{port, class}]...)
			}
		}
		slices.SortFunc(spans, func(a, b span) int { return int(min(1, max(-1, a.from-b.from))) })
		free := unit.Time(0) // until when the queue was left alone
		for _, held := range spans {
			from := max(held.from, free)
			if stalled := firstFrame(steps, from); stalled < held.to && held.to.Sub(stalled) > settings.Watchdog.Detect {
				fired++
				free = held.to.Add(settings.Watchdog.Restore)
			}
		}
	}
	return fired
}

// firstFrame returns the first instant from a given one on at which a queue is not empty.
func firstFrame(steps []step, from unit.Time) unit.Time {
	length := int64(0)
	for _, s := range steps {
		if s.at > from {
			if length > 0 {
				return from
			}
			if s.bytes > 0 {
				return s.at
			}
		}
		length = s.bytes
	}
	if length > 0 {
		return from
	}
	return unit.Never
}

// hasOpcode reports whether a frame is of RoCE, so that its opcode means something.
func hasOpcode(f *wire.Frame) bool { return !f.IsPFC() && !f.IsDatagram() && !f.IsOpaque() }
