package scenario

import (
	"github.com/rocelab/rocelab/emulator/traffic"
	"github.com/rocelab/rocelab/emulator/unit"
)

// resolvePool finds the hosts among whom an incast draws: its senders and, if
// it has no receiver of its own, one host more.
func (b *builder) resolvePool(d *trafficDraft, pool []int, receivers int) bool {
	d.Senders = pool
	if d.from != nil {
		list, ok := b.hosts(d.from, "senders", pool)
		if !ok {
			return false
		}
		if d.Senders = list; receivers == 0 {
			d.Senders = without(list, d.Receivers[0])
		}
	}
	if most := len(d.Senders) - receivers; d.SendersPerEvent > most {
		b.add(d.at, "traffic %q draws %d senders among %d hosts: allowed are up to %d, without the receiver",
			d.Name, d.SendersPerEvent, len(d.Senders), max(0, most))
		return false
	}
	return true
}

// resolveArrivals works out how often flows or events come. It is false if that
// cannot be said.
func (b *builder) resolveArrivals(d *trafficDraft) bool {
	again := d.Kind == traffic.Poisson || d.load > 0 || d.Period > 0 && d.Events == 0
	if !again {
		return true
	}
	if d.Until == 0 {
		if d.Until = b.run.until; d.Until == 0 {
			b.add(d.at, "traffic %q never ends: write until, or run.until", d.Name)
			return false
		}
	}
	span := d.Until.Sub(d.Start)
	if span <= 0 {
		if b.run.until == d.Until {
			b.add(d.at, "traffic %q starts at %v and the run ends at %v: allowed is a start before it",
				d.Name, d.Start, d.Until)
		}
		return false
	}
	switch {
	case d.Kind == traffic.Poisson:
		if d.Sizes == nil || d.load == 0 {
			return false
		}
		d.Gaps = nil
		for _, s := range d.Senders {
			d.Gaps = append(d.Gaps, traffic.MeanGap(d.Sizes.Mean(), d.load, b.lineRate(s)))
		}
	case d.load > 0:
		return b.resolveLoad(d, span)
	default:
		events := (int64(span) + int64(d.Period) - 1) / int64(d.Period)
		if events > maxEvents {
			b.add(d.at, "traffic %q has %d events: allowed are up to %d", d.Name, events, maxEvents)
			return false
		}
		d.Events = int(events)
	}
	return true
}

const maxEvents = 1_000_000

// resolveLoad spaces as many events evenly over the span as come nearest to the
// load on all hosts that can take part.
func (b *builder) resolveLoad(d *trafficDraft, span unit.Duration) bool {
	rate := unit.BitRate(0)
	for _, hosts := range [][]int{d.Senders, d.Receivers} {
		for _, h := range hosts {
			rate += b.lineRate(h)
		}
	}
	if d.Size == 0 {
		return false
	}
	once := *d
	once.Events = 1
	flows := once.Count()
	events := traffic.Events(d.load, rate, span, float64(flows)*float64(d.Size))
	if events < 1 || events > maxEvents {
		b.add(d.at,
			"traffic %q: for a load of %g, %d flows of %v must happen %d times in %v: allowed is 1 to %d times; "+
				"change load, size or until",
			d.Name, d.load, flows, d.Size, events, span, maxEvents)
		return false
	}
	d.Events, d.Period = int(events), span/unit.Duration(events)
	return true
}
