package article

import (
	_ "embed"
	"fmt"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

// Rows A3, A4 and A7 are about flows of unequal RTT; they have one scenario, and so share runs.

//go:embed rtt.yaml
var rttScenario []byte

const rttReading = "The article names no set-up: here the fabric is one switch of 100 Gb/s with Kmax = 3 Kmin, " +
	"RTTs are only propagation, and rates count from 10 to 30 ms, after flows have come down from line rate."

// standard is the column of what the article speaks of, a flow of each kind and the NICs' own
// parameters.
const standard = "nvidia, 1 + 1"

// rttColumn is the column of a parameter set with so many flows of each kind.
func rttColumn(set, flows string) string { return fmt.Sprintf("%s, %s + %s", set, flows, flows) }

// rttColumns calls visit for each column that was run.
func rttColumns(r *reproduce.Results, visit func(column string, of func(variant string) reproduce.Runs)) {
	for _, set := range r.Values("algorithm.params.set") {
		for _, flows := range r.Values("traffic.flows") {
			visit(rttColumn(set, flows), func(variant string) reproduce.Runs {
				return r.Of("", variant, "algorithm.params.set="+set, "traffic.flows="+flows)
			})
		}
	}
}

func ratioOf(variant string) string { return "near / far, " + variant }

// measureShares reads what the two kinds of flows got of the port with each of the ways to
// recover that were run.
func measureShares(r *reproduce.Results) (list []reproduce.Figure) {
	rttColumns(r, func(column string, of func(variant string) reproduce.Runs) {
		for _, variant := range r.Variants() {
			runs := of(variant)
			list = append(list,
				runs.Figure(column, ratioOf(variant), "", func(run *reproduce.Run) float64 {
					return rateOfGroup(run, "near") / rateOfGroup(run, "far")
				}),
				runs.Figure(column, "both, "+variant, "Gb/s", func(run *reproduce.Run) float64 {
					return rateOfGroup(run, "near") + rateOfGroup(run, "far")
				}))
			for _, kind := range []string{"near", "far"} {
				list = append(list, runs.Figure(column, kind+", of its peak, "+variant, "",
					func(run *reproduce.Run) float64 { return shareOfPeak(run, kind) }))
			}
		}
	})
	return list
}

// flowRates are the payload rates of the flows of a group in bins of 100 us, settled.
func flowRates(run *reproduce.Run, group string) (rates [][]float64) {
	for _, flow := range run.Flows() {
		if flow.Group == group {
			series := run.Series("series_flows.csv", "goodput_gbps", "flow="+flow.Name)
			rates = append(rates, series.Between(10_000, 30_000))
		}
	}
	return rates
}

// rateOfGroup is the payload rate of the flows of a group together, in Gb/s.
func rateOfGroup(run *reproduce.Run, group string) (sum float64) {
	for _, rates := range flowRates(run, group) {
		sum += reproduce.Mean(rates)
	}
	return sum
}

// shareOfPeak is the mean rate of the first flow of a group as a share of its largest in a bin.
func shareOfPeak(run *reproduce.Run, group string) float64 {
	rates := flowRates(run, group)[0]
	return reproduce.Mean(rates) / reproduce.Largest(rates)
}
