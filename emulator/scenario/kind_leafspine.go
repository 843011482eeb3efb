package scenario

import "github.com/rocelab/rocelab/emulator/topology"

// leafSpine is leaves with hosts, each joined to every spine.
var leafSpine = kind{
	name:  "leaf-spine",
	doc:   "leaves with hosts, each joined to every spine",
	nodes: "`leaf0`, `spine0`, `h0`",
	keys: []key{
		common("leaves"), common("spines"),
		own(integerField("hosts_per_leaf", "4", 1, 1024, `Hosts at each leaf.`,
			func(f *fabricDraft) *int { return &leafSpineOf(f).hostsPerLeaf })),
		common("uplinks"), common("rate"), common("latency"),
		common("uplink_rate"), common("uplink_latency"), common("nics_per_server"),
	},
	fresh: func() any { return &leafSpineDraft{} },
	graph: func(b *builder, draft *fabricDraft) *topology.Graph {
		perLeaf := leafSpineOf(draft).hostsPerLeaf
		hosts, links := draft.leaves*perLeaf, draft.leaves*draft.spines*draft.uplinks
		if hosts < 2 || hosts > maxHosts || links > maxLinks {
			b.add(draft.at, "%d hosts and %d links between switches: allowed are 2 to %d hosts and up to %d such links",
				hosts, links, maxHosts, maxLinks)
			return nil
		}
		uplink := withDefaults(draft.uplink, draft.line)
		return topology.LeafSpine(draft.leaves, draft.spines, perLeaf, draft.uplinks, draft.line, uplink)
	},
}

// leafSpineDraft is a leaf-spine's own key.
type leafSpineDraft struct{ hostsPerLeaf int }

func leafSpineOf(draft *fabricDraft) *leafSpineDraft { return draft.own.(*leafSpineDraft) }
