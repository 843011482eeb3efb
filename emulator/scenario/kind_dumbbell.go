package scenario

import (
	"github.com/rocelab/rocelab/emulator/topology"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// dumbbell is two switches with hosts, and one link between them.
var dumbbell = kind{
	name:  "dumbbell",
	doc:   "two switches with hosts, joined by one link, which may be a long-haul path",
	nodes: "`s0`, `s1`, `h0`",
	keys: []key{
		own(integerField("left", "2", 1, 16000, `Hosts at switch s0.`,
			func(f *fabricDraft) *int { return &dumbbellOf(f).left })),
		own(integerField("right", "2", 1, 16000, `Hosts at switch s1.`,
			func(f *fabricDraft) *int { return &dumbbellOf(f).right })),
		common("rate"), common("latency"),
		own(rateField("bottleneck_rate", "", minRate, maxRate, `Rate of the link between the switches. Default rate.`,
			func(f *fabricDraft) *unit.BitRate { return &dumbbellOf(f).bottleneck.Rate })),
		own(durationField("bottleneck_latency", "", minLatency, maxLatency,
			`Latency of the link between the switches. Default latency.`,
			func(f *fabricDraft) *unit.Duration { return &dumbbellOf(f).bottleneck.Latency })),
		own(objectField("bottleneck_wan", `A long-haul path between the switches.`, wanKeys,
			func(f *fabricDraft) *wanDraft { return &dumbbellOf(f).haul })),
		common("nics_per_server"),
	},
	fresh: func() any { return &dumbbellDraft{haul: newWANDraft()} },
	check: func(r *reader, n *node, f *fabricDraft) {
		refuseBesideWAN(r, n, &dumbbellOf(f).haul, "bottleneck_rate", "bottleneck_latency")
	},
	graph: func(b *builder, draft *fabricDraft) *topology.Graph {
		d := dumbbellOf(draft)
		bottleneck := withDefaults(d.bottleneck, draft.line)
		bottleneck.Rate = d.haul.rate(bottleneck.Rate)
		g := topology.Dumbbell(d.left, d.right, draft.line, bottleneck)
		if d.haul.node != nil {
			b.insertWANs(g, []wanLink{{len(g.Links) - 1, &d.haul}})
		}
		return g
	},
}

// dumbbellDraft is a dumbbell's own keys: hosts at each switch, the link between
// them, and the long-haul path in its place.
type dumbbellDraft struct {
	left, right int
	bottleneck  topology.Line
	haul        wanDraft
}

func dumbbellOf(draft *fabricDraft) *dumbbellDraft { return draft.own.(*dumbbellDraft) }
