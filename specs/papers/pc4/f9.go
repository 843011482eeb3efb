package pc4

import (
	_ "embed"
	"fmt"
	"math"
	"slices"

	"github.com/rocelab/rocelab/testbed/reproduction"
)

//go:embed f9.yaml
var f9Scenario []byte

var f9 = &reproduction.Row{
	ID:     "F9",
	Title:  "Noise in the one-way delay, ten flows into one port",
	Source: "Section IV-E, Figure 9",
	Paper:  Paper,
	Doubts: []string{"D10"},
	Reading: "The noise is uniform, on what the receiver reads alone; noise of both clocks is beside it. A " +
		"negative delay is read literally, as it is printed: the decrease then multiplies the rate up. The robust " +
		"reading, that it is zero, is beside it. Queueing is the true wait.",
	Scenario: f9Scenario,
	Columns:  Columns,
	Seeds:    seeds,
	Quick: reproduction.Form{
		Grid:     map[string][]string{"nic.clock.noise": {"0ns", "400ns", "1000ns"}},
		Variants: []string{"literal", "robust", "literal-both"},
		Seeds:    seeds[:3],
		About:    "noise of 0, 400 and 1000 ns, three seeds",
	},
	Measure: measureF9,
	Criteria: []reproduction.Criterion{
		{
			Name:  "harmless",
			Text:  "up to 400 ns utilisation is at least 0.98 of that without noise, and the mean RTT within 10 %",
			Grade: reproduction.Pass,
			Holds: harmless("literal", 400),
		},
		{
			Name: "harmful",
			Text: "at 1 us utilisation is at most 0.98 of that without noise, or the p99 wait at least 1.2 times " +
				"as long",
			Grade: reproduction.Pass,
			Holds: func(f reproduction.Figures) (bool, string) {
				busy := f.Median(noisy("utilisation", "literal", 1000)) / f.Median(noisy("utilisation", "literal", 0))
				wait := f.Median(noisy("p99 wait", "literal", 1000)) / f.Median(noisy("p99 wait", "literal", 0))
				return busy <= 0.98 || wait >= 1.2, fmt.Sprintf("%.3f and %.2f", busy, wait)
			},
		},
		{
			Name:  "robust",
			Text:  "where a negative delay counts as zero 1 us is harmless: utilisation, RTT and the p99 wait",
			Grade: reproduction.Pass,
			Holds: func(f reproduction.Figures) (bool, string) {
				calm, text := harmless("robust", 1000)(f)
				wait := f.Median(noisy("p99 wait", "robust", 1000)) / f.Median(noisy("p99 wait", "robust", 0))
				return calm && wait < 1.2, fmt.Sprintf("%s, %.2f times", text, wait)
			},
		},
		{
			Name:  "both clocks",
			Text:  "noise of both clocks makes the p99 wait longer than noise of one, at 1 us",
			Grade: reproduction.Pass,
			Holds: func(f reproduction.Figures) (bool, string) {
				one, both := f.Median(noisy("p99 wait", "literal", 1000)), f.Median(noisy("p99 wait", "literal-both", 1000))
				return both > one, fmt.Sprintf("%.2f and %.2f us", both, one)
			},
		},
		{
			Name:     "both clocks, robust",
			Text:     "where a negative delay counts as zero the p99 wait with noise of both clocks is shorter",
			Grade:    reproduction.Pass,
			FullOnly: true,
			Holds: func(f reproduction.Figures) (bool, string) {
				robust := f.Median(noisy("p99 wait", "robust-both", 1000))
				literal := f.Median(noisy("p99 wait", "literal-both", 1000))
				return robust < literal, fmt.Sprintf("%.2f and %.2f us", robust, literal)
			},
		},
		{
			Name:  "published",
			Text:  "at 1 us utilisation is at most 0.95 and the mean wait longer than without noise",
			Grade: reproduction.Target,
			Holds: func(f reproduction.Figures) (bool, string) {
				busy := f.Median(noisy("utilisation", "literal", 1000))
				wait := f.Median(noisy("mean wait", "literal", 1000)) / f.Median(noisy("mean wait", "literal", 0))
				return busy <= 0.95 && wait > 1, fmt.Sprintf("%.3f and %.3f times", busy, wait)
			},
			Miss: &reproduction.Miss{
				Why: "decreases take a quarter at most, and what one flow gives up the others' increments take at " +
					"once: noise of 1 us doubles the p99 wait and leaves utilisation where it is. The paper's " +
					"gains are not known; steeper ones are in the full form, variant steep",
				Command: "rocelab reproduce F9 --full",
			},
		},
	},
}

func noisy(what, variant string, noise int) string {
	return fmt.Sprintf("%s, %s, %d ns", what, variant, noise)
}

// harmless holds if noise of up to a bound costs nothing.
func harmless(variant string, bound int) func(reproduction.Figures) (bool, string) {
	return func(f reproduction.Figures) (bool, string) {
		least, farthest := math.Inf(1), 0.0
		for noise := 200; noise <= bound; noise += 200 {
			if f.Has(noisy("utilisation", variant, noise)) {
				busy := f.Median(noisy("utilisation", variant, noise)) / f.Median(noisy("utilisation", variant, 0))
				rtt := f.Median(noisy("mean RTT", variant, noise)) / f.Median(noisy("mean RTT", variant, 0))
				least, farthest = min(least, busy), max(farthest, math.Abs(rtt-1))
			}
		}
		return least >= 0.98 && farthest <= 0.1, fmt.Sprintf("%.4f and %.1f %%", least, 100*farthest)
	}
}

func measureF9(r *reproduction.Results) (list []reproduction.Figure) {
	for _, variant := range []string{"literal", "robust", "literal-both", "robust-both", "steep"} {
		for noise := 0; noise <= 1000; noise += 200 {
			key := fmt.Sprintf("%dns", noise)
			if !slices.Contains(r.Values("nic.clock.noise"), key) {
				continue
			}
			for _, column := range columnsWith(r, variant) {
				runs := r.Of(column, variant, "nic.clock.noise="+key)
				list = append(list,
					runs.Metric(column, noisy("utilisation", variant, noise), "", "utilisation"),
					runs.Metric(column, noisy("mean RTT", variant, noise), "us", "rtt_mean_us"),
					runs.Metric(column, noisy("mean wait", variant, noise), "us", "queueing_mean_us"),
					runs.Metric(column, noisy("p99 wait", variant, noise), "us", "queueing_p99_us"))
			}
		}
	}
	return list
}
