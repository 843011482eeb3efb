package tune

import (
	"math"
	"slices"
	"testing"

	"github.com/rocelab/rocelab/emulator/result"
)

// Worked out by hand: the excess is the worst part's, held against the nearest point of the
// front. Tier: -short.
func TestExcess(t *testing.T) {
	for _, c := range []struct {
		what   string
		x      Score
		others []Score
		want   float64
	}{
		{"the best in both", Score{1, 1}, []Score{{1, 1}, {2, 3}}, 0},
		{"10 % worse in one and 20 % in the other", Score{1.1, 1.2}, []Score{{1, 1}, {1.1, 1.2}}, 0.2},
		{"on the front itself", Score{1, 5}, []Score{{1, 5}, {2, 1}}, 0},
		{"equal in one, and behind in the other", Score{1, 5}, []Score{{1, 1}, {1, 5}}, 4},
		{"almost the best in one", Score{1.001, 5}, []Score{{1, 1}, {1.001, 5}}, 4},
		{"the nearest point counts", Score{2, 2}, []Score{{1.9, 1}, {1, 1.6}, nil, {2, 2}}, 1},
		{"what is behind the front is no point of it", Score{2, 2}, []Score{{1, 1}, {1.9, 1.9}, {2, 2}}, 1},
		{"better in one part makes up for nothing", Score{1.5, 2, 3}, []Score{{1, 4, 1}}, 2},
		{"one part alone", Score{1.3}, []Score{{1}, {1.2}}, 0.3},
		{"nothing to hold it against", Score{1.3}, []Score{nil}, 0},
	} {
		if got := Excess(c.x, c.others); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %g, want %g", c.what, got, c.want)
		}
	}
}

// The front has what no other beats, and of equal ones the first; with three parts, what is the
// best in none of them too. Tier: -short.
func TestFront(t *testing.T) {
	list := []Score{{1, 3}, {2, 2}, {3, 1}, {2, 3}, nil, {1, 3}, {3, 3}, {1.5, 2.5}}
	if got := front(list); !slices.Equal(got, []int{0, 1, 2, 7}) {
		t.Errorf("the front is %v", got)
	}
	list = []Score{{1, 3, 2}, {1, 2, 3}, {2, 2.5, 2.5}, {1, 3, 3}, {1.5, 2.5, 2.5}}
	if got := front(list); !slices.Equal(got, []int{0, 1, 4}) {
		t.Errorf("of three parts the front is %v", got)
	}
}

// The advice is the cheapest of those whose first part is near the best. Tier: -short.
func TestChoose(t *testing.T) {
	list := []Score{{1, 3, 2}, {1.02, 2, 2}, {1.03, 1, 1}, {1.01, 4, 1}, nil, {1.01, 2, 2}}
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
		if got := choose(list, c.allowed, c.slack); got != c.want {
			t.Errorf("slack %g: %d, want %d", c.slack, got, c.want)
		}
	}
	if got := choose([]Score{{1.01}, {1}, {1.02}}, all, 0.05); got != 1 {
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

// Geometric means over two patterns, by hand, of a metric that is better lower, one that is
// better higher, and one that may be 0. Tier: -short.
func TestScores(t *testing.T) {
	objectives := []Objective{
		{Metric: metric(t, "fct_p99_us")},
		{Metric: metric(t, "goodput_gbps")},
		{Metric: metric(t, "queueing_p99_us"), Zero: 4},
	}
	got := scores(objectives, [][][]float64{
		{{10, 80, 0}, {40, 20, 4}}, // means 20, 40 upside down, sqrt(4 x 8)
		{{20, 40, 4}, {80, 10, 12}},
		nil,
	})
	want := []Score{{1, 1, 1}, {2, 2, 2}, nil} // 40/20; 40/20; sqrt(8 x 16) / sqrt(4 x 8)
	for i := range want {
		for k := range want[i] {
			if math.Abs(got[i][k]-want[i][k]) > 1e-12 {
				t.Errorf("score %d is %v, want %v", i, got[i], want[i])
			}
		}
	}
	if got[2] != nil {
		t.Errorf("a candidate without values has the score %v", got[2])
	}
}
