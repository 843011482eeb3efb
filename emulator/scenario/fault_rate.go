package scenario

import (
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// rateEffect makes the link slower for a time, as one that has lost lanes.
var rateEffect = linkEffect{
	key:      "rate",
	directed: true,
	keys: []field[faultDraft]{
		rateField("rate", "", minRate, maxRate, "Rate of the link from the time from to the time to, below its "+
			"own rate, in both directions unless toward names one. It applies to frames that start in that time, "+
			"and not to frames in transit.",
			func(f *faultDraft) *unit.BitRate { return &effectOf[rateDraft](f).rate }),
		fromAt("Time at which the link becomes slow. Default 0s."),
		toAt("Time at which it has its own rate again. Default never."),
	},
	fresh: func() any { return new(rateDraft) },
	check: func(r *reader, n *node, f *faultDraft) {
		for _, key := range []string{"from", "to"} {
			if f.has(key) && !f.has("rate") {
				r.add(n.Where(key), "%s without rate: write the rate of the slow link", key)
				return
			}
		}
		endsLater(r, n, "from", "to", f.from, f.to)
	},
	apply: func(b *builder, link int, f *faultDraft) {
		slow := plan.Slow{
			Slow: fabric.Slow{From: f.from, To: f.to, Rate: effectOf[rateDraft](f).rate},
			Way:  wayToward(b, link, f),
		}
		l := &b.plan.Links[link]
		if own := l.Forward.Rate; slow.Rate >= own {
			b.add(f.node.Where("rate"), "rate is %v, and link %s has %v: allowed is less", slow.Rate,
				b.graph.LinkName(link), own)
			return
		}
		for _, o := range l.Slow {
			both := slow.Way == o.Way || slow.Way == plan.BothWays || o.Way == plan.BothWays
			if both && slow.From < o.To && o.From < slow.To {
				b.add(f.at, "link %s has %v from %v to %v already: slow spans of a link must not overlap",
					b.graph.LinkName(link), o.Rate, o.From, o.To)
				return
			}
		}
		l.Slow = append(l.Slow, slow)
	},
}

// rateDraft is the own key of a link that is slow.
type rateDraft struct{ rate unit.BitRate }
