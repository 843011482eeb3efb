package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// constants returns the numbers and durations among a set's constants by name, in their order.
func (s *scored) constants() (names []string, values []float64) {
	for pair := range strings.SplitSeq(s.set, ",") {
		name, text, _ := strings.Cut(pair, "=")
		if value, err := strconv.ParseFloat(strings.TrimSuffix(text, "ps"), 64); err == nil {
			names, values = append(names, name), append(values, value)
		}
	}
	return names, values
}

// writeDecides writes, for each search, Spearman's correlation of every constant with every figure: which
// constant decides what. Sets that were not measured in all figures are left out.
func writeDecides(to io.Writer, scores []scored) error {
	var text strings.Builder
	for _, s := range seriesOf(scores) {
		names, _ := s.sets[0].constants()
		columns := make([][]float64, len(names))
		results := make([][]float64, len(figures)+1)
		for _, set := range s.sets {
			if _, values := set.constants(); len(values) == len(names) && len(set.figures) == len(figures) {
				for i := range values {
					columns[i] = append(columns[i], values[i])
				}
				for i := range figures {
					results[i] = append(results[i], set.figures[figures[i].column])
				}
				missed, err := strconv.ParseFloat(set.shortfall, 64)
				if err != nil {
					return err
				}
				results[len(figures)] = append(results[len(figures)], missed)
			}
		}
		if len(names) == 0 || len(columns[0]) < 3 {
			continue
		}
		fmt.Fprintf(&text, "| %s, %d sets |", s.title, len(columns[0]))
		for i := range figures {
			fmt.Fprintf(&text, " %s |", figures[i].column)
		}
		text.WriteString(" shortfall |\n|---|" + strings.Repeat("---|", len(results)) + "\n")
		for i, name := range names {
			fmt.Fprintf(&text, "| %s |", name)
			for _, figure := range results {
				fmt.Fprintf(&text, " %+.2f |", spearman(columns[i], figure))
			}
			text.WriteString("\n")
		}
		text.WriteString("\n")
	}
	_, err := io.WriteString(to, text.String())
	return err
}

// spearman returns the correlation of the ranks of two lists, 0 if one is the same throughout.
func spearman(a, b []float64) float64 {
	a, b = ranks(a), ranks(b)
	mean := float64(len(a)-1) / 2
	var both, aa, bb float64
	for i := range a {
		both += (a[i] - mean) * (b[i] - mean)
		aa += (a[i] - mean) * (a[i] - mean)
		bb += (b[i] - mean) * (b[i] - mean)
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return both / math.Sqrt(aa*bb)
}

// ranks returns each value's place among all from 0, the mean place for equal ones.
func ranks(values []float64) []float64 {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(values[i], values[j]) })
	out := make([]float64, len(values))
	for first := 0; first < len(order); {
		last := first
		for last+1 < len(order) && values[order[last+1]] == values[order[first]] {
			last++
		}
		for _, i := range order[first : last+1] {
			out[i] = float64(first+last) / 2
		}
		first = last + 1
	}
	return out
}
