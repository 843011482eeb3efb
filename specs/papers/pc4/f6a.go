package pc4

import (
	_ "embed"
	"fmt"
	"math"
	"strconv"

	"github.com/rocelab/rocelab/testbed/reproduction"
)

//go:embed f6a.yaml
var f6aScenario []byte

var f6a = &reproduction.Row{
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
	Quick: reproduction.Form{
		Grid:     map[string][]string{"traffic.incast.size": {"25MB"}},
		Variants: []string{"pc4", "1pkt", "dcqcn"},
		Seeds:    seeds[:1],
		About:    "25 MB only, one seed, without options of the first window but 1pkt",
	},
	Measure:  measureF6a,
	Criteria: append(append(incastCriteria(nil), slowdownOfDCQCN...), optionsF6a),
}

var slowdownOfDCQCN = []reproduction.Criterion{
	{
		Name:  "DCQCN's RTT",
		Text:  "DCQCN's mean RTT with 16 flows is over twice PC4's",
		Grade: reproduction.Pass,
		Holds: func(f reproduction.Figures) (bool, string) {
			theirs, ours := f.In("dcqcn").Median(rttOf(16)), f.Median(rttOf(16))
			return theirs > 2*ours, fmt.Sprintf("%.2f times", theirs/ours)
		},
	},
	{
		Name:  "DCQCN's slowdown",
		Text:  "DCQCN's mean slowdown with 16 flows is PC4's or more",
		Grade: reproduction.Pass,
		Holds: func(f reproduction.Figures) (bool, string) {
			theirs, ours := f.In("dcqcn").Median(slowdownOf(16)), f.Median(slowdownOf(16))
			return theirs >= ours, fmt.Sprintf("%.4f n and %.4f n", theirs, ours)
		},
	},
}

// optionsF6a is that options do what they are for.
var optionsF6a = reproduction.Criterion{
	Name: "options",
	Text: "with 16 flows the mean RTT is shorter with one packet first, where senders know their base rate, and by over " +
		"0.1 us by the base rate alone, whose queue is what chance makes; it is over twice as long under DCQCN by its paper",
	Grade:    reproduction.Pass,
	FullOnly: true,
	Holds: func(f reproduction.Figures) (bool, string) {
		plain, one, base := f.Median(rttOf(16)), f.Median(rttOf(16)+", 1pkt"), f.Median(rttOf(16)+", base")
		alone, paper := f.Median(rttOf(16)+", base-rate-alone"), f.In("dcqcn").Median(rttOf(16)+", paper")
		return one < plain && base < plain && alone < plain-0.1 && paper > 2*plain,
			fmt.Sprintf("%.2f: %.2f, %.2f, %.2f and %.2f us", plain, one, base, alone, paper)
	},
}

// degrees are the numbers of senders.
var degrees = []int{2, 4, 8, 16}

func rttOf(n int) string      { return fmt.Sprintf("mean RTT, n=%d", n) }
func slowdownOf(n int) string { return fmt.Sprintf("mean slowdown / n, n=%d", n) }
func slowestOf(n int) string  { return fmt.Sprintf("largest slowdown / n, n=%d", n) }

// baseRTT of a full-size packet over one switch, in microseconds: four links of 1 us and the
// time on the wire of a packet of 1098 B and of its ACK, twice each.
const baseRTT = 4.193

// incastCriteria are those of n flows into one port; unequal is why their slowdowns are not.
func incastCriteria(unequal *reproduction.Miss) []reproduction.Criterion {
	return []reproduction.Criterion{
		{
			Name:  "RTT varies",
			Text:  "the largest mean RTT over n is at most 1.15 of the least",
			Grade: reproduction.Pass,
			Holds: func(f reproduction.Figures) (bool, string) {
				least, most := math.Inf(1), 0.0
				for _, n := range degrees {
					least, most = min(least, f.Median(rttOf(n))), max(most, f.Median(rttOf(n)))
				}
				return most <= 1.15*least, fmt.Sprintf("%.3f", most/least)
			},
		},
		{
			Name:  "RTT",
			Text:  "the mean RTT is at most the base RTT and 1.3 us, whatever n",
			Grade: reproduction.Pass,
			Holds: ofAllDegrees(rttOf, func(rtt float64) bool { return rtt <= baseRTT+1.3 }),
		},
		{
			Name:  "slowdown",
			Text:  "the mean slowdown is from 0.97 to 1.06 n",
			Grade: reproduction.Pass,
			Holds: ofAllDegrees(slowdownOf, func(share float64) bool { return share >= 0.97 && share <= 1.06 }),
			Miss:  unequal,
		},
		{
			Name:  "slowest",
			Text:  "the slowest flow's slowdown is at most 1.02 n",
			Grade: reproduction.Pass,
			Holds: ofAllDegrees(slowestOf, func(share float64) bool { return share <= 1.02 }),
		},
		{
			Name:  "published slowdown",
			Text:  "the mean slowdown is n within 3 %",
			Grade: reproduction.Target,
			Holds: ofAllDegrees(slowdownOf, func(share float64) bool { return math.Abs(share-1) <= 0.03 }),
			Miss:  unequal,
		},
	}
}

// ofAllDegrees holds if the medians of a figure of each n do.
func ofAllDegrees(name func(n int) string, holds func(float64) bool) func(reproduction.Figures) (bool, string) {
	return func(f reproduction.Figures) (bool, string) {
		all, text := true, ""
		for _, n := range degrees {
			value := f.Median(name(n))
			all = all && holds(value)
			text += fmt.Sprintf(" %.3f", value)
		}
		return all, text[1:]
	}
}

func measureF6a(r *reproduction.Results) (list []reproduction.Figure) {
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
			list = append(list, incastFigures(r.Of("printed", "dcqcn", keys...), "dcqcn", n, suffix)...)
			for _, variant := range []string{"1pkt", "base", "base-rate-alone"} {
				for _, column := range columnsWith(r, variant) {
					list = append(list, incastFigures(r.Of(column, variant, keys...), column, n, ", "+variant+suffix)...)
				}
			}
			if len(columnsWith(r, "dcqcn-paper")) > 0 {
				list = append(list, incastFigures(r.Of("printed", "dcqcn-paper", keys...), "dcqcn", n, ", paper"+suffix)...)
			}
		}
	}
	return list
}

// incastFigures are those of n flows into one port.
func incastFigures(runs reproduction.Runs, column string, n int, suffix string) []reproduction.Figure {
	share := func(metric string) func(*reproduction.Run) float64 {
		return func(run *reproduction.Run) float64 { return run.Metric(metric) / float64(n) }
	}
	return []reproduction.Figure{
		runs.Metric(column, rttOf(n)+suffix, "us", "rtt_mean_us"),
		runs.Figure(column, slowdownOf(n)+suffix, "", share("slowdown_mean")),
		runs.Figure(column, slowestOf(n)+suffix, "", share("slowdown_max")),
	}
}
