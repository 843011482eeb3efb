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
	graph: func(b *builder, f *fabricDraft) *topology.Graph {
		perLeaf := leafSpineOf(f).hostsPerLeaf
		hosts, links := f.leaves*perLeaf, f.leaves*f.spines*f.uplinks
		if hosts < 2 || hosts > maxHosts || links > maxLinks {
			b.add(f.at, "%d hosts and %d links between switches: allowed are 2 to %d hosts and up to %d such links",
				hosts, links, maxHosts, maxLinks)
			return nil
		}
		return topology.LeafSpine(f.leaves, f.spines, perLeaf, f.uplinks, f.line, withDefaults(f.uplink, f.line))
	},
}

// leafSpineDraft is a leaf-spine's own key.
type leafSpineDraft struct{ hostsPerLeaf int }

func leafSpineOf(f *fabricDraft) *leafSpineDraft { return f.own.(*leafSpineDraft) }
