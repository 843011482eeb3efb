package article

import (
	_ "embed"
	"math"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

//go:embed a11.yaml
var a11Scenario []byte

var a11 = &reproduce.Row{
	ID:     "A11",
	Title:  "A gain g of 1/8 against 1/16: convergence and oscillation",
	Source: "Alpha scaling",
	Paper:  Paper,
	Doubts: []string{"D5"},
	Reading: "The article names no set-up. Four flows are joined by four more after 5 ms. They have converged when " +
		"Jain's index of the goodputs of eight flows, in 100 us, is 0.9 or more for a whole 1 ms; 20 ms means " +
		"never. The swing is a flow's standard deviation divided by its mean over the last 10 ms, averaged over " +
		"all flows. The criteria judge the article's own rule for alpha (fraction); beside it is DCQCN's, with " +
		"NVIDIA's parameters and the paper's.",
	Scenario: a11Scenario,
	Seeds:    []uint64{1, 2, 3, 4, 5},
	Measure:  measureA11,
}

func measureA11(r *reproduce.Results) (list []reproduce.Figure) {
	gains := []struct{ key, name string }{{"0.0625", "g=1/16"}, {"0.125", "g=1/8"}}
	for _, x := range []struct{ column, alpha, set string }{
		{"fraction", "fraction", "nvidia"}, {"nvidia", "event", "nvidia"}, {"paper", "event", "paper"},
	} {
		for _, gain := range gains {
			runs := r.Of("", "", "algorithm.params.alpha="+x.alpha, "algorithm.params.set="+x.set,
				"algorithm.params.g="+gain.key)
			list = append(list,
				runs.Figure(x.column, "converged after, "+gain.name, "ms", convergedA11),
				runs.Figure(x.column, "swing of a flow, "+gain.name, "", swingA11),
				runs.Metric(x.column, "utilisation, "+gain.name, "", "utilisation"))
		}
	}
	return list
}

// goodputsA11 are each flow's goodputs between two times, in microseconds.
func goodputsA11(run *reproduce.Run, from, until float64) (list [][]float64) {
	for _, flow := range run.Flows() {
		series := run.Series("series_flows.csv", "goodput_gbps", "flow="+flow.Name)
		list = append(list, series.Between(from, until))
	}
	return list
}

// convergedA11 is the time in ms from the late flows' start to the first ms in which all shares are alike.
func convergedA11(run *reproduce.Run) float64 {
	const start, end, bins = 5000, 25000, 10
	flows := goodputsA11(run, start, end)
	alike := 0
	for bin := range (end - start) / 100 {
		rates := make([]float64, len(flows))
		for i := range flows {
			rates[i] = flows[i][bin]
		}
		if result.Jain(rates) < 0.9 {
			alike = 0
		} else if alike++; alike == bins {
			return float64(bin+1-bins) / 10
		}
	}
	return (end - start) / 1000
}

// swingA11 is the mean over flows of a goodput's standard deviation over its mean.
func swingA11(run *reproduce.Run) float64 {
	var swings []float64
	for _, rates := range goodputsA11(run, 15000, 25000) {
		mean, squares := reproduce.Mean(rates), 0.0
		for _, rate := range rates {
			squares += float64((rate - mean) * (rate - mean))
		}
		swings = append(swings, math.Sqrt(squares/float64(len(rates)))/mean)
	}
	return reproduce.Mean(swings)
}
