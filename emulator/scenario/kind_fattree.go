package scenario

import "github.com/rocelab/rocelab/emulator/topology"

// maxArity is the largest k of a fat tree: 65 536 hosts.
const maxArity = 64

// fatTree is the k-ary fat tree.
var fatTree = kind{
	name:  "fat-tree",
	doc:   "the k-ary fat tree of three levels",
	nodes: "`edge0`, `agg0`, `core0`, `h0`",
	keys: []key{
		common("hosts").meaning("a fat tree takes k instead, or the k that has this many hosts"),
		own(integerField("k", "4", 2, maxArity, `Ports of each switch of the fat tree, an even number: k pods, k^3/4 hosts, `+
			`16 of them for 4, 128 for 8, 1024 for 16.`,
			func(f *fabricDraft) *int { return &fatTreeOf(f).arity })),
		common("rate"), common("latency"), common("core_rate"), common("core_latency"), common("nics_per_server"),
	},
	fresh: func() any { return &fatTreeDraft{} },
	check: checkFatTree,
	graph: func(b *builder, draft *fabricDraft) *topology.Graph {
		k := fatTreeOf(draft).arity
		if k < 2 || k%2 != 0 {
			b.requireReported(draft.node)
			return nil
		}
		return topology.FatTree(k, draft.line, withDefaults(draft.core, draft.line))
	},
}

// fatTreeDraft is a fat tree's own key.
type fatTreeDraft struct{ arity int }

func fatTreeOf(draft *fabricDraft) *fatTreeDraft { return draft.own.(*fatTreeDraft) }

// checkFatTree finds the k of a fat tree that is given by its hosts.
func checkFatTree(r *reader, n *node, draft *fabricDraft) {
	tree := fatTreeOf(draft)
	given := n.Child("k") != nil && !r.has(n.Where("k"))
	switch {
	case tree.arity%2 != 0:
		r.add(n.Where("k"), "k is %d: a fat tree needs an even number", tree.arity)
	case draft.hosts == 0:
	case given:
		if has := topology.FatTreeHosts(tree.arity); has != draft.hosts {
			r.add(n.Where("hosts"), "hosts is %d, but a fat tree of k %d has %d: leave one of the two out",
				draft.hosts, tree.arity, has)
		}
	default:
		k := topology.FatTreeFor(draft.hosts)
		if k > maxArity || topology.FatTreeHosts(k) != draft.hosts {
			r.add(n.Where("hosts"), "no fat tree has %d hosts: allowed is k^3/4 for an even k up to %d, "+
				"such as 16, 54, 128, 250, 432, 686 or 1024", draft.hosts, maxArity)
			return
		}
		tree.arity = k
	}
}
