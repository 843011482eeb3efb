package scenario

import (
	"github.com/rocelab/rocelab/emulator/internal/traffic"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// resolvePool finds the hosts among whom an incast draws: its senders and, if
// it names no receiver, one host more.
func (b *builder) resolvePool(draft *trafficDraft, pool []int, receivers int) bool {
	draft.Senders = pool
	if draft.from != nil {
		list, ok := b.hosts(draft.from, "senders", pool)
		if !ok {
			return false
		}
		if draft.Senders = list; receivers == 0 {
			draft.Senders = without(list, draft.Receivers[0])
		}
	}
	if most := len(draft.Senders) - receivers; draft.SendersPerEvent > most {
		b.add(draft.at, "traffic %q draws %d senders among %d hosts: allowed are up to %d, without the receiver",
			draft.Name, draft.SendersPerEvent, len(draft.Senders), max(0, most))
		return false
	}
	return true
}

// resolveArrivals works out how often flows or events come. It is false if that
// cannot be said.
func (b *builder) resolveArrivals(draft *trafficDraft) bool {
	again := draft.Kind == traffic.Poisson || draft.load > 0 || draft.Period > 0 && draft.Events == 0
	if !again {
		return true
	}
	b.plan.Expect.Arrivals = append(b.plan.Expect.Arrivals, draft.Name)
	if draft.Until == 0 {
		if draft.Until = b.run.until; draft.Until == 0 {
			b.add(draft.at, "traffic %q never ends: write until, or run.until", draft.Name)
			return false
		}
	}
	span := draft.Until.Sub(draft.Start)
	if span <= 0 {
		if b.run.until == draft.Until {
			b.add(draft.at, "traffic %q starts at %v and the run ends at %v: allowed is a start before it",
				draft.Name, draft.Start, draft.Until)
		}
		return false
	}
	switch {
	case draft.Kind == traffic.Poisson:
		if draft.Sizes == nil || draft.load == 0 {
			return false
		}
		draft.Gaps = nil
		for _, s := range draft.Senders {
			draft.Gaps = append(draft.Gaps, traffic.MeanGap(draft.Sizes.Mean(), draft.load, b.lineRate(s)))
		}
	case draft.load > 0:
		return b.resolveLoad(draft, span)
	default:
		events := (int64(span) + int64(draft.Period) - 1) / int64(draft.Period)
		if events > maxEvents {
			b.add(draft.at, "traffic %q has %d events: allowed are up to %d", draft.Name, events, maxEvents)
			return false
		}
		draft.Events = int(events)
	}
	return true
}

const maxEvents = 1_000_000

// resolveLoad spaces as many events evenly over the span as come nearest to the
// load on all hosts that can take part.
func (b *builder) resolveLoad(draft *trafficDraft, span unit.Duration) bool {
	rate := unit.BitRate(0)
	for _, hosts := range [][]int{draft.Senders, draft.Receivers} {
		for _, h := range hosts {
			rate += b.lineRate(h)
		}
	}
	if draft.Size == 0 {
		return false
	}
	once := *draft
	once.Events = 1
	flows := once.Count()
	events := traffic.Events(draft.load, rate, span, float64(flows)*float64(draft.Size))
	if events < 1 || events > maxEvents {
		b.add(draft.at,
			"traffic %q: for a load of %g, %d flows of %v must happen %d times in %v: allowed is 1 to %d times; "+
				"change load, size or until",
			draft.Name, draft.load, flows, draft.Size, events, span, maxEvents)
		return false
	}
	draft.Events, draft.Period = int(events), span/unit.Duration(events)
	return true
}
