package thesis

import (
	_ "embed"
	"fmt"

	"github.com/rocelab/rocelab/testbed/reproduction"
)

//go:embed l1.yaml
var l1Scenario []byte

var l1 = &reproduction.Row{
	ID:     "L1",
	Title:  "What lost packets cost RDMA",
	Source: "section 2.1.3, Figure 3",
	Paper:  Paper,
	Doubts: []string{"D15"},
	Reading: "The thesis gives neither RTT nor NIC. Here a flow of 100 Gb/s has one BDP in flight and no congestion " +
		"control; columns far- are at a round trip of 1.2 ms. Waits for the timer of 4 ms are left out where that is " +
		"said: they are of a last packet, or of a NAK, that was lost too.",
	Scenario: l1Scenario,
	Seeds:    fiveSeeds,
	Measure:  measureL1,
	Published: []reproduction.Published{
		{Column: "gbn-1", Figure: shareL1, Value: 0, Source: "Figure 3, near zero at 1 %"},
	},
	Criteria: []reproduction.Criterion{
		{
			Name:  "falling",
			Text:  "go-back-N, waits for the timer aside: goodput does not rise with the loss",
			Grade: reproduction.Pass,
			Holds: func(f reproduction.Figures) (bool, string) {
				falls, before, text := true, 2.0, ""
				for _, l := range lossesL1 {
					share := f.In(l.variant).Median(busyL1)
					falls = falls && share <= before
					before = share
					text += fmt.Sprintf(" %.3f", share)
				}
				return falls, text[1:]
			},
		},
		{
			Name:  "formula",
			Text:  "and is within 20 % of 1/(1 + pW), W being 48 packets",
			Grade: reproduction.Pass,
			Holds: func(f reproduction.Figures) (bool, string) {
				holds, text := true, ""
				for _, l := range lossesL1 {
					formula := 1 / (1 + l.loss*windowL1)
					share := f.In(l.variant).Median(busyL1)
					holds = holds && share >= 0.8*formula && share <= 1.2*formula
					text += fmt.Sprintf("; %s %.3f, formula %.3f", l.variant, share, formula)
				}
				return holds, text[2:]
			},
		},
		{
			Name:  "windows",
			Text:  "each recovery sends a window again, to 20 %, of which a tenth at most had arrived",
			Grade: reproduction.Pass,
			Holds: func(f reproduction.Figures) (bool, string) {
				holds, text := true, ""
				for _, l := range lossesL1[1:] {
					resent, again := f.In(l.variant).Median(resentL1), f.In(l.variant).Median(againL1)
					holds = holds && resent >= 0.8*windowL1 && resent <= 1.2*windowL1 && again <= 0.1
					text += fmt.Sprintf("; %s %.1f, %.3f", l.variant, resent, again)
				}
				return holds, text[2:]
			},
		},
		{
			Name:  "second NAK",
			Text:  "where a NAK is sent again after a round trip the formula holds with all waits, to 20 %",
			Grade: reproduction.Pass,
			Holds: all(near("nak-0.1", shareL1, 1/(1+0.001*windowL1), 0.2), near("nak-1", shareL1, 1/(1+0.01*windowL1), 0.2)),
		},
		{
			Name:  "far",
			Text:  "at 1.2 ms and 1 % it holds, to 20 %: less than a hundredth is left",
			Grade: reproduction.Pass,
			Holds: all(near("far-1", shareL1, 1/(1+0.01*13660), 0.2), between("far-1", shareL1, 0, 0.01)),
		},
		{
			Name:  "far, early NAK",
			Text:  "and with a NAK twice a round trip less than 4 %",
			Grade: reproduction.Pass,
			Holds: between("far-1-early", shareL1, 0, 0.04),
		},
		{
			Name:  "near zero",
			Text:  "at 1 % a tenth is left at most, all waits counted",
			Grade: reproduction.Target,
			Holds: between("gbn-1", shareL1, 0, 0.1),
		},
	},
}

// windowL1 is W: 100 Gb/s x 4.19 us are 47.7 packets of 1098 B.
const windowL1 = 48

var lossesL1 = []struct {
	variant string
	loss    float64
}{{"gbn-0", 0}, {"gbn-0.01", 0.0001}, {"gbn-0.1", 0.001}, {"gbn-0.3", 0.003}, {"gbn-1", 0.01}}

const (
	goodputL1 = "goodput"
	shareL1   = "share of the goodput without loss"
	busyL1    = "share, waits for the timer aside"
	resentL1  = "packets sent again a recovery"
	againL1   = "share of them that had arrived"
)

// measureL1 reads each variant into a column of its name; shares are of the run without loss and with
// the same seed.
func measureL1(r *reproduction.Results) (list []reproduction.Figure) {
	clean := map[string]reproduction.Runs{"": r.Of("", "gbn-0"), "far": r.Of("", "far-0")}
	for _, variant := range r.Variants() {
		runs, reference := r.Of("", variant), clean[""]
		if variant[:3] == "far" {
			reference = clean["far"]
		}
		list = append(list, runs.Metric(variant, goodputL1, "Gb/s", "goodput_gbps"))
		share, busy := reproduction.Figure{Column: variant, Name: shareL1}, reproduction.Figure{Column: variant, Name: busyL1}
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
			runs.Figure(variant, resentL1, "", func(run *reproduction.Run) float64 {
				resent, recoveries, _ := tallyL1(run)
				return resent / max(recoveries, 1)
			}),
			runs.Figure(variant, againL1, "", func(run *reproduction.Run) float64 {
				resent, _, duplicates := tallyL1(run)
				return duplicates / max(resent, 1)
			}))
	}
	return list
}

// tallyL1 counts the packets of a run that were sent again, its recoveries, and what arrived twice.
func tallyL1(run *reproduction.Run) (resent, recoveries, duplicates float64) {
	for line := range run.Lines("flows.csv") {
		resent += line.Number("resent_packets")
		recoveries += line.Number("naks_received") + line.Number("timeouts")
		duplicates += line.Number("duplicate_packets")
	}
	return resent, recoveries, duplicates
}
