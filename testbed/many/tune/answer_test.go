package tune

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/testbed/look/compare"
)

// Advice at either end of an axis is warned of, axis by axis; on an axis with one value there is no end. Of every place
// in a grid of four, three, two and one values.
func TestAdviceAtTheEndsOfAxes(t *testing.T) {
	sizes, names := []int{4, 3, 2, 1}, []string{"Kmin", "Kmax", "Pmax", "alpha"}
	var axes []Axis
	for i, size := range sizes {
		axis := Axis{Path: names[i]}
		for value := range size {
			axis.Values = append(axis.Values, fmt.Sprint(value))
		}
		axes = append(axes, axis)
	}
	s := &Search{Candidates: Grid(axes), Objectives: []Objective{{Metric: metric(t, "fct_p99_us")}}}
	seen := map[string]bool{}
	for i := range s.Candidates {
		a := &Answer{search: s, all: s.Candidates, Chosen: i}
		a.Seen = make([]*standing, len(s.Candidates))
		a.Seen[i] = &standing{Score: score{1}, Intervals: []compare.Interval{{Low: 1, High: 1}}, Seeds: 3}
		var want []int
		for axis, at := range s.Candidates[i].Place {
			if sizes[axis] > 1 && (at == 0 || at == sizes[axis]-1) {
				want = append(want, axis)
			}
		}
		if got := a.atEnds(); !slices.Equal(got, want) {
			t.Errorf("%v of %v: at the ends of axes %v, want %v", s.Candidates[i].Place, sizes, got, want)
		}
		text := printed(t, a, names...)
		for axis, name := range names {
			t.Run(name, func(t *testing.T) {
				line := "warning: it is at the end of the range tried for " + name + "\n"
				if got := strings.Contains(text, line); got != slices.Contains(want, axis) {
					t.Errorf("%v of %v: warned of %s is %v:\n%s", s.Candidates[i].Place, sizes, name, got, text)
				}
			})
		}
		seen[fmt.Sprint(want)] = true
	}
	if len(s.Candidates) != 24 || !seen["[2]"] || !seen["[0 1 2]"] || !seen["[0 2]"] || !seen["[1 2]"] {
		t.Errorf("%d places, and ends %v", len(s.Candidates), seen)
	}
}
