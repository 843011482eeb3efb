package scenario

import (
	"cmp"
	"slices"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// outageEffect takes the link down for a time.
var outageEffect = linkEffect{
	key: "down",
	keys: []field[faultDraft]{
		downAt("When the link goes down."),
		upAt("Time at which it is up again. Default never."),
		detectField,
	},
	fresh: func() any { return nil },
	check: func(r *reader, n *node, f *faultDraft) {
		if f.has("up") && !f.has("down") {
			r.add(n.Where("up"), "up without down: write when the link goes down")
			return
		}
		if f.has("detect") && !f.has("down") && !f.has("flaps") {
			r.add(n.Where("detect"), "detect without down or flaps: write when the link goes down")
		}
		endsLater(r, n, "down", "up", f.down, f.up)
	},
	apply: func(b *builder, link int, f *faultDraft) {
		addOutages(b, link, f, fabric.Outage{From: f.down, To: f.up})
	},
	haul: func(b *builder, path *plan.WAN, f *faultDraft) {
		addFlaps(b, path, f, fabric.Outage{From: f.down, To: f.up})
	},
}

// addOutages takes a link down in spans that do not overlap each other, or refuses to: outages of a link must not.
func addOutages(b *builder, link int, f *faultDraft, outages ...fabric.Outage) {
	l := &b.plan.Links[link]
	flight := max(l.Forward.Latency, l.Backward.Latency)
	for _, outage := range outages {
		for _, o := range l.Outages {
			both := f.has("switch") && rebootsIn(b, link, o) // two switches may reboot
			if !both && (meet(outage, o, flight) || meet(o, outage, flight)) {
				b.add(f.at, "link %s is down from %v to %v already: outages of a link must not overlap",
					b.graph.LinkName(link), o.From, o.To)
				return
			}
		}
	}
	l.Outages = append(l.Outages, outages...)
	noteDetect(b, link, f, outages...)
}

// meet reports whether one outage lasts at the beginning of another. An outage of one way lasts for a flight more at
// the other end, and the next may not touch it.
func meet(outage, other fabric.Outage, flight unit.Duration) bool {
	refused := outage.To <= outage.From || other.To <= other.From
	if refused || outage.From > other.From {
		return false
	}
	if outage.OneWay.Dark == plan.BothWays && other.OneWay.Dark == plan.BothWays {
		return other.From < outage.To
	}
	return other.From <= outage.To.Add(flight)
}

// addFlaps takes a long-haul path down in spans that do not touch each other, or refuses to: flaps of a path must not.
func addFlaps(b *builder, path *plan.WAN, f *faultDraft, flaps ...fabric.Outage) {
	for _, flap := range flaps {
		for _, o := range path.Profile.Flaps {
			if flap.From <= o.To && o.From <= flap.To {
				b.add(f.at, "long-haul path %s is down from %v to %v already: flaps of a path must not touch", path.Name,
					o.From, o.To)
				return
			}
		}
	}
	all := slices.Concat(path.Profile.Flaps, flaps)
	slices.SortFunc(all, func(x, y fabric.Outage) int { return cmp.Compare(x.From, y.From) })
	path.Profile.Flaps = all
}

// endsLater refuses a span that ends before it begins, and reports whether it is one.
func endsLater(r *reader, n *node, from, to string, begin, end unit.Time) bool {
	if begin < end {
		return true
	}
	r.add(n.Where(to), "%s is %v, %s %v: allowed is an end after the beginning", to, end, from, begin)
	return false
}
