package picture

import (
	"math"
	"strings"
	"testing"
)

// Tier: -short, as all of this file.
func TestSwept(t *testing.T) {
	nan := math.NaN()
	s := Swept{
		Key:    "switch.ecn.kmin",
		Metric: "fct_p99_us",
		Places: []string{"50KB", "100KB", "a value that is very long"},
		Lines: []SweptLine{
			{Key{"pc4", 0}, []Range{{3, 2, 5}, {4, 4, 4}, {nan, nan, nan}}},
			{Key{evil, 1}, []Range{{30, 20, 50}, {7, 6, 8}, {9, 9, 9}}},
		},
	}
	golden(t, "swept", s.Draw())
	if d := s.Draw().Description; !strings.Contains(d, "pc4: 50KB 3 (2 to 5); 100KB 4 (4 to 4);") {
		t.Error(d)
	}
	s.Lines = nil
	proper(t, s.Draw())
}

func TestMatrix(t *testing.T) {
	m := Matrix{
		Title:   "fct_p99_us of pc4",
		Across:  "switch.ecn.kmin",
		Down:    evil,
		Columns: []string{"50KB", "100KB", "200KB"},
		Rows:    []string{"1MB", "2MB"},
		Cells:   [][]float64{{1, 2, math.NaN()}, {3, 4.5, 1e9}},
	}
	golden(t, "matrix", m.Draw())
	m.Cells = [][]float64{{1, 1, 1}, {1, 1, 1}}
	proper(t, m.Draw())
	m.Cells = nil
	proper(t, m.Draw())
}

// The front has what nothing beats, whichever way is better.
func TestFront(t *testing.T) {
	d := Front{X: "fct_p99_us", Y: "queueing_p99_us"}
	for i, at := range [][2]float64{{1, 9}, {2, 4}, {3, 5}, {4, 1}, {4, 2}, {math.NaN(), 1}} {
		d.Points = append(d.Points, FrontPoint{Key{"pc4", i % 2}, string(rune('a' + i)), at[0], at[1]})
	}
	golden(t, "front", d.Draw())
	names := func() (text string) {
		for _, p := range d.front(d.Points[:5]) {
			text += p.Label
		}
		return text
	}
	if got := names(); got != "abd" {
		t.Errorf("the front is %s", got)
	}
	d.HighY = true
	if got := names(); got != "a" {
		t.Errorf("where more is better the front is %s", got)
	}
	proper(t, Front{X: "a", Y: "b", Points: d.Points[:1]}.Draw())
	proper(t, Front{X: "a", Y: "b"}.Draw())
}
