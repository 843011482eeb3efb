package tune

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/rocelab/rocelab/emulator/result"
)

// The front has the unbeaten scores, and among equal ones the first; with three parts, also a score that is best in
// none of them.
func TestFront(t *testing.T) {
	list := []score{{1, 3}, {2, 2}, {3, 1}, {2, 3}, nil, {1, 3}, {3, 3}, {1.5, 2.5}}
	if got := front(list); !slices.Equal(got, []int{0, 1, 2, 7}) {
		t.Errorf("the front is %v", got)
	}
	list = []score{{1, 3, 2}, {1, 2, 3}, {2, 2.5, 2.5}, {1, 3, 3}, {1.5, 2.5, 2.5}}
	if got := front(list); !slices.Equal(got, []int{0, 1, 4}) {
		t.Errorf("of three parts the front is %v", got)
	}
}

// The advice is the cheapest among the ones whose first part is near the best.
func TestChoose(t *testing.T) {
	list := []score{{1, 3, 2}, {1.02, 2, 2}, {1.03, 1, 1}, {1.01, 4, 1}, nil, {1.01, 2, 2}}
	all := func(int) bool { return true }
	for _, c := range []struct {
		slack   float64
		allowed func(int) bool
		want    int
	}{
		{0.02, all, 3}, // costs of 4, 4 and 4: the quickest, and of those the first
		{0, all, 0},
		{0.05, all, 2},
		{0.02, func(i int) bool { return i != 3 }, 5},
		{0.02, func(i int) bool { return i != 3 && i != 5 && i != 0 }, 2}, // 1.02 is the best then
		{0.02, func(i int) bool { return i == 4 }, -1},
	} {
		t.Run(fmt.Sprintf("slack=%v,want=%v", c.slack, c.want), func(t *testing.T) {
			if got := choose(list, c.allowed, c.slack); got != c.want {
				t.Errorf("slack %g: %d, want %d", c.slack, got, c.want)
			}
		})
	}
	if got := choose([]score{{1.01}, {1}, {1.02}}, all, 0.05); got != 1 {
		t.Errorf("of one part: %d, want the least", got)
	}
}

func metric(t *testing.T, name string) result.Metric {
	t.Helper()
	m, ok := result.MetricOf(name)
	if !ok {
		t.Fatalf("no metric %s", name)
	}
	return m
}

// Losses of two patterns and seeds by hand, of a metric that is better lower, one that is better higher, and one that
// may be 0; standings are multiples of the best other than known rules.
func TestLosses(t *testing.T) {
	s := &Search{Objectives: []Objective{
		{Metric: metric(t, "fct_p99_us")},
		{Metric: metric(t, "goodput_gbps")},
		{Metric: metric(t, "queueing_p99_us"), Zero: 4},
	}}
	run := func(fct, goodput, queueing float64) *Measured {
		return &Measured{Values: map[string]float64{
			"fct_p99_us": fct, "goodput_gbps": goodput, "queueing_p99_us": queueing}}
	}
	losses := s.losses(table{
		{{run(10, 80, 0)}, {run(40, 20, 4)}}, // means 20, 1/40, sqrt(4 x 8)
		{{run(20, 40, 4)}, {run(80, 10, 12)}},
		{{run(1, 80, 4)}, {{Bad: "red"}}},
		{{run(1, 80, 4)}, {nil}},
		{{run(5, 80, 4)}, {run(20, 80, 4)}},
	})
	a := &Answer{search: s}
	for i := range 4 {
		a.all = append(a.all, Candidate{Place: []int{i}})
	}
	a.all = append(a.all, Candidate{}) // a known rule
	got := a.stand(losses)
	want := []score{{1, 1, 1}, {2, 2, 2}, nil, nil, {0.5, 0.5, math.Sqrt2}} // 40/20; 40/20; sqrt(8 x 16) / sqrt(4 x 8)
	for i := range want {
		if (got[i] == nil) != (want[i] == nil) {
			t.Errorf("standing %d is %v, want %v", i, got[i], want[i])
			continue
		}
		for k := range want[i] {
			if math.Abs(got[i].Score[k]-want[i][k]) > 1e-12 {
				t.Errorf("score %d is %v, want %v", i, got[i].Score, want[i])
			}
		}
	}
}
