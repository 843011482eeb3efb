package thesis

import (
	_ "embed"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

//go:embed l1.yaml
var l1Scenario []byte

var l1 = &reproduce.Row{
	ID:     "L1",
	Title:  "What lost packets cost RDMA",
	Source: "section 2.1.3, Figure 3",
	Paper:  Paper,
	Doubts: []string{"D15"},
	Reading: "The thesis gives neither RTT nor NIC. Here a flow of 100 Gb/s has one BDP in flight and no " +
		"congestion control; columns far- are at a round trip of 1.2 ms. Figures that mention it exclude waits for " +
		"the timer of 4 ms, which happen if the last packet or a NAK is lost, too.",
	Scenario: l1Scenario,
	Seeds:    fiveSeeds,
	Measure:  measureL1,
	Published: []reproduce.Published{
		{Column: "gbn-1", Figure: shareL1, Value: 0, Source: "Figure 3, near zero at 1 %"},
	},
}

const (
	goodputL1 = "goodput"
	shareL1   = "share of the goodput without loss"
	busyL1    = "share, waits for the timer aside"
	resentL1  = "packets sent again a recovery"
	againL1   = "share of them that had arrived"
)

// measureL1 reads each variant into a column of its name; shares are of the run without loss and with
// the same seed.
func measureL1(r *reproduce.Results) (list []reproduce.Figure) {
	clean := map[string]reproduce.Runs{"": r.Of("", "gbn-0"), "far": r.Of("", "far-0")}
	for _, variant := range r.Variants() {
		runs, reference := r.Of("", variant), clean[""]
		if variant[:3] == "far" {
			reference = clean["far"]
		}
		list = append(list, runs.Metric(variant, goodputL1, "Gb/s", "goodput_gbps"))
		share, busy := reproduce.Figure{Column: variant, Name: shareL1}, reproduce.Figure{Column: variant, Name: busyL1}
		for i := range min(len(runs), len(reference)) {
			whole := reference[i].Metric("goodput_gbps")
			share.Values = append(share.Values, runs[i].Metric("goodput_gbps")/whole)
			took := runs[i].Metric("duration_us")
			moved := runs[i].Metric("goodput_gbps") * took
			busy.Values = append(busy.Values, moved/(took-4000*runs[i].Metric("timeouts"))/whole)
		}
		list = append(list, share)
		if variant[:3] == "far" {
			continue
		}
		list = append(list, busy,
			runs.Figure(variant, resentL1, "", func(run *reproduce.Run) float64 {
				resent, recoveries, _ := tallyL1(run)
				return resent / max(recoveries, 1)
			}),
			runs.Figure(variant, againL1, "", func(run *reproduce.Run) float64 {
				resent, _, duplicates := tallyL1(run)
				return duplicates / max(resent, 1)
			}))
	}
	return list
}

// tallyL1 counts the packets of a run that were sent again, its recoveries, and what arrived twice.
func tallyL1(run *reproduce.Run) (resent, recoveries, duplicates float64) {
	for line := range run.Lines("flows.csv") {
		resent += line.Number("resent_packets")
		recoveries += line.Number("naks_received") + line.Number("timeouts")
		duplicates += line.Number("duplicate_packets")
	}
	return resent, recoveries, duplicates
}
