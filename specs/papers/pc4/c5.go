package pc4

import (
	_ "embed"
	"slices"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

//go:embed c5.yaml
var c5Scenario []byte

var c5 = &reproduce.Row{
	ID:     "C5",
	Title:  "Adjusting on every ACK, against once in an interval",
	Source: "Section III-C",
	Paper:  Paper,
	Reading: "The simulations that the paper mentions are not printed. Sixteen flows, from 1 ms on, in bins of 10 " +
		"us: the bytes that the port sends, and the 99th percentile of the longest queue of a bin.",
	Scenario: c5Scenario,
	Columns:  Columns,
	Seeds:    seeds,
	Quick:    reproduce.Form{Seeds: seeds[:1], About: "one seed"},
	Measure: func(r *reproduce.Results) (list []reproduce.Figure) {
		names := map[string]string{"interval": "", "each-ack": ", each ACK"}
		each(r, names, func(column, suffix string, runs reproduce.Runs) {
			list = append(list,
				runs.Figure(column, "port"+suffix, "Gb/s", func(run *reproduce.Run) float64 {
					return reproduce.Mean(settledC5(run, "series_ports.csv", "tx_bytes")) * 8 / 10_000
				}),
				runs.Figure(column, "p99 queue"+suffix, "KB", func(run *reproduce.Run) float64 {
					depths := settledC5(run, "series_queues.csv", "depth_max_bytes", "queue=3")
					slices.Sort(depths)
					return result.Quantile(depths, 99) / 1000
				}))
		})
		return list
	},
}

// settledC5 are the bins of the receiver's port from 1 ms on.
func settledC5(run *reproduce.Run, file, column string, where ...string) []float64 {
	series := run.Series(file, column, append(where, "node=s0", "port=16")...)
	return slices.Clone(series.Between(1000, 5000))
}
