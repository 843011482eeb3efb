package switchd

import (
	"cmp"
	"slices"

	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/fabric"
)

// lost decides whether the frame that arrives with e is lost on the link: in
// an outage always, else with the port's loss probability. Such a frame stands
// in RxLost and in none of the other counters.
func (s *Switch) lost(p *port, e *event.Event) bool {
	reason := fabric.DropLinkDown
	if !p.down {
		if p.chance.Float64() >= p.loss {
			return false
		}
		reason = fabric.DropLinkLoss
	}
	p.rec.RxLostFrames++
	p.rec.RxLostBytes += uint64(e.Frame.Len())
	p.rec.PausesLost.Count(e.Frame)
	s.out.Drop(e.At, e.Port, reason, e.Frame)
	return true
}

// linkChange takes the link of port p down or up, and looks to the next
// change. In an outage nothing is started; the frame under way completes, and
// pauses go on running.
func (s *Switch) linkChange(p *port) {
	p.down = !p.down
	if p.down {
		s.events.Schedule(p.outages[0].To, event.LinkChange, p.index, 0)
		return
	}
	p.outages = p.outages[1:]
	s.awaitOutage(p)
	s.kick(p)
}

func (s *Switch) awaitOutage(p *port) {
	if left := p.outages; len(left) > 0 {
		s.events.Schedule(left[0].From, event.LinkChange, p.index, 0)
	}
}

// sortedOutages returns outages in order, those that touch or overlap as one,
// empty ones left out.
func sortedOutages(outages []fabric.Outage) []fabric.Outage {
	sorted := slices.Clone(outages)
	slices.SortFunc(sorted, func(a, b fabric.Outage) int { return cmp.Compare(a.From, b.From) })
	merged := sorted[:0]
	for _, o := range sorted {
		switch n := len(merged); {
		case o.To <= o.From:
		case n > 0 && o.From <= merged[n-1].To:
			merged[n-1].To = max(merged[n-1].To, o.To)
		default:
			merged = append(merged, o)
		}
	}
	return merged
}
