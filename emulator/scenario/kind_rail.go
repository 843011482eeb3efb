package scenario

import "github.com/rocelab/rocelab/emulator/topology"

// rail is a rail-optimised fabric.
var rail = kind{
	name:  "rail",
	doc:   "rail-optimised: each NIC of a server at a different leaf, the leaves joined by spines",
	nodes: "`leaf0`, `spine0`, `h0`, `server0`",
	keys: []key{
		own(integerField("groups", "1", 1, 256,
			`Groups of servers, each with its own leaves, one for each NIC of a server.`,
			func(f *fabricDraft) *int { return &railOf(f).groups })),
		own(integerField("servers_per_group", "4", 1, 1024, `Servers of each group: the hosts of each of its leaves.`,
			func(f *fabricDraft) *int { return &railOf(f).serversPerGroup })),
		common("nics_per_server").byDefault("8"),
		common("spines").byDefault("4"), common("uplinks"),
		common("rate"), common("latency"), common("uplink_rate"), common("uplink_latency"),
	},
	fresh: func() any { return &railDraft{} },
	graph: func(b *builder, draft *fabricDraft) *topology.Graph {
		return b.graphWithinLimits(&topology.Rail{
			Groups:  railOf(draft).groups,
			Servers: railOf(draft).serversPerGroup,
			NICs:    draft.nicsPerServer,
			Spines:  draft.spines,
			Uplinks: draft.uplinks,
			Line:    draft.line,
			Uplink:  withDefaults(draft.uplink, draft.line),
		})
	},
}

// railDraft is a rail-optimised fabric's own keys.
type railDraft struct{ groups, serversPerGroup int }

func railOf(draft *fabricDraft) *railDraft { return draft.own.(*railDraft) }
