package scenario

import (
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/unit"
)

// outageEffect takes the link down for a time.
var outageEffect = linkEffect{
	key:     "down",
	allowed: "down with or without up",
	keys: []field[faultDraft]{
		downAt("When the link goes down."),
		upAt("When it is up again. Default never."),
	},
	fresh: func() any { return nil },
	check: func(r *reader, n *node, f *faultDraft) {
		if f.has("up") && !f.has("down") {
			r.add(n.Where("up"), "up without down: write when the link goes down")
			return
		}
		endsLater(r, n, "down", "up", f.down, f.up)
	},
	apply: func(b *builder, link int, f *faultDraft) {
		addOutage(b, link, f, fabric.Outage{From: f.down, To: f.up})
	},
}

// addOutage takes a link down. Outages of a link must not overlap.
func addOutage(b *builder, link int, f *faultDraft, outage fabric.Outage) {
	l := &b.plan.Links[link]
	for _, o := range l.Outages {
		if outage.From < o.To && o.From < outage.To {
			b.add(f.at, "link %s is down from %v to %v already: outages of a link must not overlap",
				b.graph.LinkName(link), o.From, o.To)
		}
	}
	l.Outages = append(l.Outages, outage)
}

// endsLater refuses a span that ends before it begins, and reports whether it is one.
func endsLater(r *reader, n *node, from, to string, begin, end unit.Time) bool {
	if begin < end {
		return true
	}
	r.add(n.Where(to), "%s is %v, %s %v: allowed is an end after the beginning", to, end, from, begin)
	return false
}
