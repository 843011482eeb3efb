package pc4

import (
	_ "embed"
	"math"
	"slices"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

//go:embed f7.yaml
var f7Scenario []byte

var f7 = &reproduce.Row{
	ID:     "F7",
	Title:  "All-to-all among eight hosts, 448 flows",
	Source: "Section IV-B, Figure 7",
	Paper:  Paper,
	Doubts: []string{"D2"},
	Reading: "Whether a task sends 50 MB to each destination or in all is left open: per flow, and 7.14 MB per " +
		"flow beside it. How tasks start is left open too: five patterns. The target is 5 us, the default beside " +
		"it. A packet of PC4 and an ACK take 1098 and 106 B of the wire, of DCQCN 1082 and 86 B: 3.1 % more.",
	Scenario: f7Scenario,
	Columns:  Columns,
	Seeds:    seeds[:1],
	Quick: reproduce.Form{
		Grid: map[string][]string{"traffic.a2a.size": {"500KB"}},
		Set:  quickF7(),
		Variants: []string{"a-alone", "a-pc4", "a-5us", "a-dcqcn", "b1-alone", "b1-5us", "b1-dcqcn", "c-alone", "c-5us",
			"c-dcqcn"},
		About: "500 KB a flow, a hundredth; three of the patterns",
	},
	Measure: measureF7,
	Published: []reproduce.Published{
		{Figure: "p99 over that without adjusting, a", Value: 0.69, Source: "Section IV-B"},
		{Figure: "max over that without adjusting, a", Value: 0.66, Source: "Section IV-B"},
		{Figure: "p99 over DCQCN's, a", Value: 0.45, Source: "Section IV-B"},
		{Figure: "max over DCQCN's, a", Value: 0.28, Source: "Section IV-B"},
	},
}

// quickF7 has the patterns with steps be of the quick form's size.
func quickF7() map[string]string {
	set := map[string]string{}
	for _, algorithm := range []string{"alone", "5us", "dcqcn"} {
		set["variants.c-"+algorithm+".traffic.size"] = "500KB"
		set["variants.c-"+algorithm+".traffic.spacing"] = "2.46ms"
		set["variants.d-"+algorithm+".traffic.size"] = "500KB"
		set["variants.d-"+algorithm+".traffic.spacing"] = "351us"
	}
	return set
}

func overAlone(figure, pattern string) string {
	return figure + " over that without adjusting, " + pattern
}

func overDCQCN(figure, pattern string) string { return figure + " over DCQCN's, " + pattern }

// patternsF7 are the start patterns.
var patternsF7 = []string{"a", "b1", "b10", "c", "d"}

func measureF7(r *reproduce.Results) (list []reproduce.Figure) {
	sizes := r.Values("traffic.a2a.size")
	for _, size := range sizes {
		suffix := ""
		if size != sizes[0] {
			suffix = ", " + size
		}
		for _, column := range r.Columns() {
			finished := math.Inf(1)
			for _, pattern := range patternsF7 {
				if !slices.Contains(r.Variants(), pattern+"-dcqcn") || (pattern >= "c") && size != sizes[len(sizes)-1] {
					continue
				}
				of := func(algorithm string) *reproduce.Run {
					runs := r.Of(column, pattern+"-"+algorithm, "traffic.a2a.size="+size)
					if len(runs) == 0 {
						return nil
					}
					finished = min(finished, runs[0].Metric("completed"))
					return runs[0]
				}
				list = append(list, figuresF7(of, column, pattern, suffix)...)
			}
			list = append(list, reproduce.Figure{
				Column: column, Name: "flows finished, least" + suffix, Values: []float64{finished},
			})
		}
	}
	return list
}

// figuresF7 are those of a pattern.
func figuresF7(of func(string) *reproduce.Run, column, pattern, suffix string) (list []reproduce.Figure) {
	add := func(name, unit string, value float64) {
		list = append(list, reproduce.Figure{Column: column, Name: name + suffix, Unit: unit, Values: []float64{value}})
	}
	ours, alone, theirs := of("5us"), of("alone"), of("dcqcn")
	if ours == nil || alone == nil || theirs == nil {
		return nil
	}
	for _, name := range []string{"p99", "max"} {
		metric := "fct_" + name + "_us"
		add(overAlone(name, pattern), "", ours.Metric(metric)/alone.Metric(metric))
		add(overDCQCN(name, pattern), "", ours.Metric(metric)/theirs.Metric(metric))
	}
	add("largest FCT, "+pattern, "ms", ours.Metric("fct_max_us")/1000)
	if pattern != "a" {
		return list
	}
	byDefault := of("pc4")
	if byDefault == nil {
		return list
	}
	for _, name := range []string{"p99", "max"} {
		metric := "fct_" + name + "_us"
		add(overAlone(name, "a, default target"), "", byDefault.Metric(metric)/alone.Metric(metric))
	}
	bytes := 0.0 // that a host receives
	for _, flow := range ours.Flows() {
		if flow.To == "h0" {
			bytes += flow.Size
		}
	}
	const acks = 1.205 // packets' headers, and the ACKs of what the host sends
	add("makespan over ideal, a", "", ours.Metric("duration_us")/(bytes*8*acks/100e3))
	return list
}
