package result

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Evidence is a sign of congestion in a run.
type Evidence struct {
	// Count is how many there were of What; 0 where it is not counted.
	Count uint64
	What  string
}

// EffectNote says what runs of one variant exercised, from their summaries and
// the congestion in their verdicts. Of several runs it gives ranges.
func EffectNote(runs []*Summary, congestion [][]Evidence) string {
	counted := func(of func(*Summary) uint64, what string) string {
		var counts []uint64
		for _, s := range runs {
			counts = append(counts, of(s))
		}
		return countRange(counts) + " " + what
	}
	text := strings.Join([]string{
		counted(func(s *Summary) uint64 { return s.Decisions }, "decisions"),
		counted(func(s *Summary) uint64 { return s.Marks }, "marks"),
		counted(func(s *Summary) uint64 { return s.CNPs }, "CNPs"),
		counted(func(s *Summary) uint64 { return s.Pauses }, "pauses"),
		counted(func(s *Summary) uint64 { return s.Drops }, "drops"),
	}, ", ") + "; mean wait in a queue " + waitRange(runs)
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
			text = countRange(in) + " " + what
		}
		if len(in) < len(congestion) {
			text += fmt.Sprintf(" (in %d of %d)", len(in), len(congestion))
		}
		list = append(list, text)
	}
	return list
}

// countRange prints the least and the largest of counts.
func countRange(counts []uint64) string {
	low, high := slices.Min(counts), slices.Max(counts)
	if low == high {
		return fmt.Sprint(low)
	}
	return fmt.Sprintf("[%d..%d]", low, high)
}

// waitRange prints the least and the largest mean wait that was measured.
func waitRange(runs []*Summary) string {
	low, high := math.NaN(), math.NaN()
	for _, s := range runs {
		low, high = Lower.Best(low, s.Queueing.Mean), Higher.Best(high, s.Queueing.Mean)
	}
	switch {
	case math.IsNaN(low):
		return "unknown"
	case low == high:
		return fmt.Sprintf("%.3fus", low)
	}
	return fmt.Sprintf("[%.3f..%.3f]us", low, high)
}
