package pc4

import (
	_ "embed"
	"fmt"
	"strconv"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

//go:embed f6a.yaml
var f6aScenario []byte

var f6a = &reproduce.Row{
	ID:     "F6a",
	Title:  "n long flows into one port, n from 2 to 16",
	Source: "Section IV-A, Figure 6(a)",
	Paper:  Paper,
	Doubts: []string{"D11"},
	Reading: "The sizes are not given: 25 and 100 MB. A rack of the testbed has 16 NICs and n = 16 needs 17, so it " +
		"is one switch with the same links. The first window, not given either, is one BDP at line rate; 1pkt is " +
		"beside it.",
	Scenario: f6aScenario,
	Columns:  Columns,
	Seeds:    seeds,
	Quick: reproduce.Form{
		Grid:     map[string][]string{"traffic.incast.size": {"25MB"}},
		Variants: []string{"pc4", "1pkt", "dcqcn"},
		Seeds:    seeds[:1],
		About:    "25 MB only, one seed, without options of the first window but 1pkt",
	},
	Measure: measureF6a,
}

// degrees are the numbers of senders.
var degrees = []int{2, 4, 8, 16}

func rttOf(n int) string      { return fmt.Sprintf("mean RTT, n=%d", n) }
func slowdownOf(n int) string { return fmt.Sprintf("mean slowdown / n, n=%d", n) }
func slowestOf(n int) string  { return fmt.Sprintf("largest slowdown / n, n=%d", n) }

// baseRTT of a full-size packet over one switch, in microseconds: four links of 1 us and the
// time on the wire of a packet of 1098 B and of its ACK, twice each.
const baseRTT = 4.193

func measureF6a(r *reproduce.Results) (list []reproduce.Figure) {
	sizes := r.Values("traffic.incast.size")
	for _, size := range sizes {
		suffix := ""
		if size != sizes[0] {
			suffix = ", " + size
		}
		for _, n := range degrees {
			keys := []string{"topology.hosts=" + strconv.Itoa(n+1), "traffic.incast.size=" + size}
			for _, column := range r.Columns() {
				list = append(list, incastFigures(r.Of(column, "pc4", keys...), column, n, suffix)...)
			}
			list = append(list, incastFigures(r.Of("evidence", "dcqcn", keys...), "dcqcn", n, suffix)...)
			for _, variant := range []string{"1pkt", "base", "base-rate-alone"} {
				for _, column := range columnsWith(r, variant) {
					list = append(list, incastFigures(r.Of(column, variant, keys...), column, n, ", "+variant+suffix)...)
				}
			}
			if len(columnsWith(r, "dcqcn-paper")) > 0 {
				list = append(list, incastFigures(r.Of("evidence", "dcqcn-paper", keys...), "dcqcn", n, ", paper"+suffix)...)
			}
		}
	}
	return list
}

// incastFigures are those of n flows into one port.
func incastFigures(runs reproduce.Runs, column string, n int, suffix string) []reproduce.Figure {
	share := func(metric string) func(*reproduce.Run) float64 {
		return func(run *reproduce.Run) float64 { return run.Metric(metric) / float64(n) }
	}
	return []reproduce.Figure{
		runs.Metric(column, rttOf(n)+suffix, "us", "rtt_mean_us"),
		runs.Figure(column, slowdownOf(n)+suffix, "", share("slowdown_mean")),
		runs.Figure(column, slowestOf(n)+suffix, "", share("slowdown_max")),
	}
}
