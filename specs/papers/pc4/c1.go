package pc4

import (
	_ "embed"
	"fmt"
	"strconv"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

//go:embed c1.yaml
var c1Scenario []byte

var c1 = &reproduce.Row{
	ID:     "C1",
	Title:  "Target and queue by the number of flows, from 8 to 128",
	Source: "Section III-C",
	Paper:  Paper,
	Reading: "No experiment is printed, and no constant of the reduction: the target is 64 us / N, and 1 us for " +
		"all N beside it. A wait is the true one of a probe's packets, in the second half of 4 ms. Steps let each " +
		"flow add the same for any N; in the shipped sets N flows together add the same.",
	Scenario: c1Scenario,
	Columns:  Columns[1:],
	Seeds:    seeds,
	Quick:    reproduce.Form{Variants: []string{"shares"}, Seeds: seeds[:1], About: "one seed, without steps"},
	Measure:  measureC1,
}

// targetsC1 are targets in microseconds by the number of flows of a sender, of which there are eight.
var targetsC1 = []struct {
	name   string
	target func(flows int) string
}{
	{"target by 1/N", func(flows int) string {
		return map[int]string{1: "8us", 2: "4us", 4: "2us", 8: "1us", 16: "500ns"}[flows]
	}},
	{"common target", func(int) string { return "1us" }},
}

func measureC1(r *reproduce.Results) (list []reproduce.Figure) {
	suffixes := map[string]string{"steps": ", steps"}
	for _, variant := range r.Variants() {
		for _, column := range r.Columns() {
			for _, t := range targetsC1 {
				for _, flows := range []int{1, 2, 4, 8, 16} {
					runs := r.Of(column, variant, "traffic.sync.flows="+strconv.Itoa(flows),
						"algorithms.subject.params.target_qtime="+t.target(flows))
					name := fmt.Sprintf("%s, n=%d%s", t.name, 8*flows, suffixes[variant])
					list = append(list,
						runs.Figure(column, "mean wait, "+name, "us", probed),
						runs.Figure(column, "port, "+name, "Gb/s", func(run *reproduce.Run) float64 {
							sent := run.Series("series_ports.csv", "tx_bytes", "node=s0", "port=9")
							return reproduce.Mean(sent.Between(2000, 4000)) * 8 / 100_000
						}))
				}
			}
		}
	}
	return list
}
