package article

import (
	_ "embed"
	"slices"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

//go:embed a1.yaml
var a1Scenario []byte

var a1 = &reproduce.Row{
	ID:     "A1",
	Title:  "A random wait before a CNP is handled, against oscillation",
	Source: "Flow synchronization collapse",
	Paper:  Paper,
	Doubts: []string{"D4"},
	Reading: "The article names no set-up: here 16 or 32 long flows share a port of 100 Gb/s, without PFC. The " +
		"amplitude is (p95 - p5) / mean of the port's bytes in 50 us, from 10 ms on. Beside them are two flows at " +
		"400 Gb/s, which row A5 found to swing together.",
	Scenario: a1Scenario,
	Seeds:    []uint64{1, 2, 3, 4, 5},
	Quick: reproduce.Form{
		Set:   map[string]string{"run.until": "20ms"},
		Seeds: []uint64{1, 2},
		About: "20 ms in place of 60, two seeds",
	},
	Measure: measureA1,
	Published: []reproduce.Published{
		{Column: "nvidia, 16", Figure: amplitudeOf("at-once"), Value: 0.3, Source: "\"a 30% amplitude oscillation\""},
		{Column: "nvidia, 16", Figure: amplitudeOf("50us"), Value: 0.05, Source: "\"under 5%\""},
	},
}

func amplitudeOf(variant string) string { return "amplitude, " + variant }

// columnsOfA1 are the columns and the keys of their runs.
var columnsOfA1 = []struct{ column, set, senders, rate string }{
	{"nvidia, 16", "nvidia", "16", "100Gbps"},
	{"nvidia, 32", "nvidia", "32", "100Gbps"},
	{twoOfA1, "nvidia", "2", "400Gbps"},
	{"paper, 16", "paper", "16", "100Gbps"},
	{"paper, 32", "paper", "32", "100Gbps"},
	{"paper, 2 at 400 Gb/s", "paper", "2", "400Gbps"},
}

const twoOfA1 = "nvidia, 2 at 400 Gb/s"

func measureA1(r *reproduce.Results) (list []reproduce.Figure) {
	for _, x := range columnsOfA1 {
		for _, variant := range r.Variants() {
			runs := r.Of("", variant, "algorithm.params.set="+x.set, "traffic.senders="+x.senders, "topology.rate="+x.rate)
			list = append(list,
				runs.Figure(x.column, amplitudeOf(variant), "", func(run *reproduce.Run) float64 {
					sent := run.Series("series_ports.csv", "tx_bytes", "node=s0", "port=32")
					settled := sent.Between(10_000, float64(len(sent.Values))*sent.Width)
					slices.Sort(settled)
					swing := result.Quantile(settled, 95) - result.Quantile(settled, 5)
					return swing / reproduce.Mean(settled)
				}),
				runs.Metric(x.column, "utilisation, "+variant, "", "utilisation"),
				runs.Metric(x.column, "mean wait, "+variant, "us", "queueing_mean_us"),
				runs.Figure(x.column, "longest queue, "+variant, "MB", func(run *reproduce.Run) float64 {
					return run.Metric("queue_max_bytes") / 1e6
				}))
		}
	}
	return list
}
