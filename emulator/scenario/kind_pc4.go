package scenario

import "github.com/rocelab/rocelab/emulator/topology"

// pc4Testbed is the testbed of the PC4 paper.
var pc4Testbed = kind{
	name:  "pc4-testbed",
	doc:   "the testbed of the PC4 paper: 2 spines, 20 leaves, 32 servers of eight 100 Gb/s NICs",
	nodes: "`leaf0`, `spine0`, `h0`, `server0`",
	keys: []key{
		common("spines"), common("rate"), common("latency"), common("uplink_rate"), common("uplink_latency"),
		common("nics_per_server").byDefault("8"),
		own(integerField("double_leaves", "12", 0, 1024, `Leaves with two servers, each of nics_per_server hosts.`,
			func(f *fabricDraft) *int { return &pc4TestbedOf(f).double })),
		own(integerField("single_leaves", "8", 0, 1024, `Leaves with one server.`,
			func(f *fabricDraft) *int { return &pc4TestbedOf(f).single })),
	},
	fresh: func() any { return &pc4TestbedDraft{} },
	check: func(r *reader, n *node, draft *fabricDraft) {
		if draft.nicsPerServer%draft.spines != 0 {
			r.add(n.Where("nics_per_server"),
				"nics_per_server is %d, with %d spines: allowed is a multiple of the spines, "+
					"as each NIC has an uplink and each spine as many of them", draft.nicsPerServer, draft.spines)
		}
	},
	graph: func(b *builder, draft *fabricDraft) *topology.Graph {
		if draft.nicsPerServer%draft.spines != 0 {
			b.requireReported(draft.node)
			return nil
		}
		return b.graphWithinLimits(&topology.Racks{
			Double: pc4TestbedOf(draft).double,
			Single: pc4TestbedOf(draft).single,
			Spines: draft.spines,
			NICs:   draft.nicsPerServer,
			Line:   draft.line,
			Uplink: withDefaults(draft.uplink, draft.line),
		})
	},
}

// pc4TestbedDraft is the testbed's own keys: leaves with two servers and with one.
type pc4TestbedDraft struct{ double, single int }

func pc4TestbedOf(draft *fabricDraft) *pc4TestbedDraft { return draft.own.(*pc4TestbedDraft) }
