package scenario

import "github.com/rocelab/rocelab/emulator/topology"

// star is hosts at one switch.
var star = kind{
	name:  "star",
	doc:   "hosts at one switch",
	nodes: "`s0`, `h0`",
	keys: []key{
		common("hosts").byDefault("2").meaning("Default {default} in a star"),
		common("rate"), common("latency"), common("nics_per_server"),
	},
	graph: func(_ *builder, f *fabricDraft) *topology.Graph { return topology.Star(f.hosts, f.line) },
}
