// Package pc4 has the experiments of the paper on PC4.
//
// A row is a file, its scenario the YAML file beside it.
package pc4

import "github.com/rocelab/rocelab/testbed/many/reproduce"

// Paper is the paper.
var Paper = &reproduce.Paper{
	Name:     "pc4",
	Title:    "PC4: Precision Collective Communication Congestion Control for AI Cluster",
	Citation: "T. Qi et al.",
}

// Columns are the constants under which each row runs. Scenarios have algorithms: {subject:
// {name: pc4}}, and traffic under PC4 names subject. Those that ship count; evidence is what printed was called.
var Columns = []reproduce.Column{
	{Name: "earlier", Set: map[string]string{"algorithms.subject.params.set": "earlier"}, Beside: true},
	{Name: "evidence", Set: map[string]string{"algorithms.subject.params.set": "printed"}},
	{Name: "return-to-base", Set: map[string]string{"algorithms.subject.params.set": "return-to-base"}, Beside: true},
}

// Rows are its experiments.
var Rows = []*reproduce.Row{
	f6a, f6b, f7, f8, t2, f9, f10, f11, f12, f13, f13b, f14, n1,
	c1, c2, c3, c4, c5, c6, c7, c8,
}

// seeds are those of a full form, and the first ones of a quick one.
var seeds = []uint64{1, 2, 3, 4, 5}
