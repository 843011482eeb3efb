package result

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Evidence is a sign of congestion in a run.
type Evidence struct {
	// Count is the number of What; 0 if it is not counted.
	Count uint64
	What  string
}

// EffectNote describes the mechanisms that runs of one variant exercised, from their summaries and the congestion in
// their verdicts. For several runs it gives ranges. Figures have all digits, as in files.
func EffectNote(runs []*Summary, congestion [][]Evidence) string {
	return effectNote(runs, congestion, waitRange)
}

// EffectText is EffectNote with figures for people.
func EffectText(runs []*Summary, congestion [][]Evidence) string {
	return effectNote(runs, congestion, func(low, high float64) string {
		scale := unit.InMicroseconds.Of(high)
		if low == high {
			return scale.Text(scale.Figure(low))
		}
		ends := scale.Figures(low, high)
		return scale.Text(fmt.Sprintf("[%s..%s]", ends[0], ends[1]))
	})
}

func effectNote(runs []*Summary, congestion [][]Evidence, wait func(low, high float64) string) string {
	counted := func(of func(*Summary) uint64, what string) string {
		var counts []uint64
		for _, s := range runs {
			counts = append(counts, of(s))
		}
		return countRange(counts, what)
	}
	text := strings.Join([]string{
		counted(func(s *Summary) uint64 { return s.Decisions }, "decision"),
		counted(func(s *Summary) uint64 { return s.Marks }, "mark"),
		counted(func(s *Summary) uint64 { return s.CNPs }, "CNP"),
		counted(func(s *Summary) uint64 { return s.Pauses }, "pause"),
		counted(func(s *Summary) uint64 { return s.Drops }, "drop"),
	}, ", ") + "; mean wait in a queue " + meanWaits(runs, wait)
	if evidence := evidenceOf(congestion); len(evidence) > 0 {
		text += "; congestion: " + strings.Join(evidence, ", ")
	}
	return text
}

// evidenceOf lists the evidence of several runs, and in how many there was some
// that not all have.
func evidenceOf(congestion [][]Evidence) (list []string) {
	var order []string
	counts := map[string][]uint64{}
	for _, evidence := range congestion {
		for _, e := range evidence {
			if counts[e.What] == nil {
				order = append(order, e.What)
			}
			counts[e.What] = append(counts[e.What], e.Count)
		}
	}
	for _, what := range order {
		in, text := counts[what], what
		if slices.Max(in) > 0 {
			text = countRange(in, strings.TrimSuffix(what, "s"))
		}
		if len(in) < len(congestion) {
			text += fmt.Sprintf(" (in %d of %d)", len(in), len(congestion))
		}
		list = append(list, text)
	}
	return list
}

// countRange prints the least and the largest of counts of a thing.
func countRange(counts []uint64, what string) string {
	low, high := slices.Min(counts), slices.Max(counts)
	if low == high {
		return unit.Count(low, what)
	}
	return fmt.Sprintf("[%d..%d] %ss", low, high, what)
}

// meanWaits prints the least and the largest mean wait that was measured.
func meanWaits(runs []*Summary, print func(low, high float64) string) string {
	low, high := math.NaN(), math.NaN()
	for _, s := range runs {
		low, high = Lower.Best(low, s.Queueing.Mean), Higher.Best(high, s.Queueing.Mean)
	}
	if math.IsNaN(low) {
		return "unknown"
	}
	return print(low, high)
}

// waitRange prints a range of times in microseconds with all digits.
func waitRange(low, high float64) string {
	if low == high {
		return fmt.Sprintf("%.3fus", low)
	}
	return fmt.Sprintf("[%.3f..%.3f]us", low, high)
}
