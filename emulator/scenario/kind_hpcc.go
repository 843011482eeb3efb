package scenario

import "github.com/rocelab/rocelab/emulator/topology"

// hpccFatTree is the fat tree of the HPCC paper's simulations.
var hpccFatTree = kind{
	name:  "hpcc-fat-tree",
	doc:   "the fat tree of the HPCC paper: 320 hosts in 5 pods, 400 Gb/s above the hosts",
	nodes: "`tor0`, `agg0`, `core0`, `h0`",
	keys: []key{
		common("rate"), common("latency"),
		common("uplink_rate").byDefault("400Gbps"), common("uplink_latency"),
		common("core_rate").byDefault("400Gbps").meaning("from aggregation switch to core"),
		common("core_latency").meaning("from aggregation switch to core"),
		common("nics_per_server"),
		own(integerField("pods", "5", 1, 256, `Pods.`,
			func(f *fabricDraft) *int { return &hpccFatTreeOf(f).pods })),
		own(integerField("tors_per_pod", "4", 1, 256, `ToR switches of each pod.`,
			func(f *fabricDraft) *int { return &hpccFatTreeOf(f).tors })),
		own(integerField("aggs_per_pod", "4", 1, 256,
			`Aggregation switches of each pod, each joined to every ToR switch of it.`,
			func(f *fabricDraft) *int { return &hpccFatTreeOf(f).aggs })),
		own(integerField("hosts_per_tor", "16", 1, 1024, `Hosts at each ToR switch.`,
			func(f *fabricDraft) *int { return &hpccFatTreeOf(f).hostsPerToR })),
		own(integerField("cores_per_agg", "4", 1, 256,
			`Core switches of each aggregation switch; aggregation switches with the same number in each pod share them.`,
			func(f *fabricDraft) *int { return &hpccFatTreeOf(f).cores })),
	},
	fresh: func() any { return &hpccFatTreeDraft{} },
	graph: func(b *builder, draft *fabricDraft) *topology.Graph {
		d := hpccFatTreeOf(draft)
		return b.graphWithinLimits(&topology.Pods{
			Pods:   d.pods,
			ToRs:   d.tors,
			Aggs:   d.aggs,
			Hosts:  d.hostsPerToR,
			Cores:  d.cores,
			Line:   draft.line,
			Uplink: withDefaults(draft.uplink, draft.line),
			Core:   withDefaults(draft.core, draft.line),
		})
	},
}

// hpccFatTreeDraft is the fat tree's own keys: pods, and how many switches and
// hosts each has.
type hpccFatTreeDraft struct{ pods, tors, aggs, hostsPerToR, cores int }

func hpccFatTreeOf(draft *fabricDraft) *hpccFatTreeDraft { return draft.own.(*hpccFatTreeDraft) }
