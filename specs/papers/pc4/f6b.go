package pc4

import (
	_ "embed"
	"math"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

//go:embed f6b.yaml
var f6bScenario []byte

var f6b = &reproduce.Row{
	ID:     "F6b",
	Title:  "A long flow joined by a short one for a while",
	Source: "Section IV-A, Figures 6(b) and 6(c)",
	Paper:  Paper,
	Doubts: []string{"D9"},
	Reading: "Both flows have one receiver. Rates are on the wire, in bins of 20 us from 50 us after the join and " +
		"after the short flow's end. Neither ECN thresholds nor DCQCN's parameters are given: 400 KB, 1600 KB, 0.2 " +
		"and NVIDIA's defaults, others are beside them. The gain is of the long flow's mean rate in the 4 ms after " +
		"the short one's end.",
	Scenario: f6bScenario,
	Columns:  Columns,
	Seeds:    seeds,
	Quick: reproduce.Form{
		Variants: []string{"pc4", "base-rate-alone", "dcqcn", "dcqcn-150", "dcqcn-paper"},
		About:    "without options of the first window and of who knows n",
	},
	Measure: measureF6b,
	Published: []reproduce.Published{
		{Figure: gainOverDCQCN, Value: 1.78, Tolerance: 0.25 / 1.78, Source: "Section IV-A"},
	},
}

// The figures of F6b/c: rates on the wire in Gb/s.
const (
	longLeast     = "long flow beside the short one, least"
	longMost      = "long flow beside the short one, most"
	shortLeast    = "short flow, least"
	shortMost     = "short flow, most"
	longAfter     = "long flow from 50 us after, least"
	longMean      = "long flow, mean of 4 ms after"
	longLate      = "long flow 4 ms after"
	gainOverDCQCN = "mean of 4 ms after, of DCQCN's"
)

func measureF6b(r *reproduce.Results) (list []reproduce.Figure) {
	theirs := r.Of("evidence", "dcqcn")
	for _, column := range r.Columns() {
		list = append(list, sharesOf(r.Of(column, "pc4"), column)...)
	}
	for _, variant := range []string{"dcqcn", "dcqcn-150", "dcqcn-paper"} {
		list = append(list, sharesOf(r.Of("evidence", variant), variant)...)
	}
	for _, column := range r.Columns() {
		ours := r.Of(column, "pc4").Figure(column, gainOverDCQCN, "", measureShares(longMean))
		for i, rate := range theirs.Figure("", "", "", measureShares(longMean)).Values {
			ours.Values[i] /= rate
		}
		list = append(list, ours)
	}
	for _, variant := range []string{"1pkt", "base", "receiver", "base-rate-alone"} {
		for _, column := range columnsWith(r, variant) {
			for _, name := range []string{longLeast, longMost, longAfter} {
				list = append(list, r.Of(column, variant).Figure(column, name+", "+variant, "Gb/s", measureShares(name)))
			}
		}
	}
	return list
}

func sharesOf(runs reproduce.Runs, column string) (list []reproduce.Figure) {
	for _, name := range []string{longLeast, longMost, shortLeast, shortMost, longAfter, longMean, longLate} {
		list = append(list, runs.Figure(column, name, "Gb/s", measureShares(name)))
	}
	return list
}

// measureShares reads a figure of the two flows' rates.
func measureShares(name string) func(*reproduce.Run) float64 {
	return func(run *reproduce.Run) float64 {
		const bin, settle, late = 20, 50, 4000 // us
		long, short := wireRate(run, "long/h0-h2"), wireRate(run, "short/h1-h2")
		flows := run.Flows()
		join, end := flows[1].Start, flows[1].End
		from, to := nextBin(join+settle, bin), nextBin(end, bin)-bin // whole bins before the end
		switch name {
		case longLeast:
			return reproduce.Least(long.Between(from, to))
		case longMost:
			return reproduce.Largest(long.Between(from, to))
		case shortLeast:
			return reproduce.Least(short.Between(from, to))
		case shortMost:
			return reproduce.Largest(short.Between(from, to))
		case longAfter:
			return reproduce.Least(long.Between(nextBin(end+settle, bin), nextBin(end+late, bin)))
		case longMean:
			return reproduce.Mean(long.Between(nextBin(end, bin), nextBin(end, bin)+late))
		default:
			return reproduce.Mean(long.Between(nextBin(end+late, bin), nextBin(end+late, bin)+bin))
		}
	}
}

// nextBin is the first start of a bin at a time or later, in microseconds.
func nextBin(time, width float64) float64 { return math.Ceil(time/width) * width }
