package tune

import (
	"fmt"
	"math"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/specs/tier"
)

// drawnRace is a race of candidates with drawn losses: logarithms of first and cost, to which each seed adds noise
// common to all candidates, and noise of their own: the last one's applies to all further ones.
func drawnRace(t *testing.T, name string, first, cost []float64, noise ...float64) *Answer {
	t.Helper()
	s := &Search{
		Slack:      0.05,
		Seeds:      []uint64{1, 2, 3},
		Patterns:   []*Pattern{{}},
		Objectives: []Objective{{Metric: metric(t, "fct_p99_us")}, {Metric: metric(t, "queueing_p99_us")}},
	}
	for i := range first {
		s.Candidates = append(s.Candidates, Candidate{Name: string(rune('a' + i)), Place: []int{i}})
	}
	a := &Answer{search: s, all: s.Candidates, Chosen: -1}
	draw := chance.New(1, name)
	normal := func() float64 { // the sum of twelve uniform draws has variance 1
		sum := -6.0
		for range 12 {
			sum += draw.Float64()
		}
		return sum
	}
	losses := make([][][]float64, len(first))
	for i := range losses {
		losses[i] = make([][]float64, 2)
	}
	err := a.race(func(left []int, seeds []uint64) ([][][]float64, error) {
		if left == nil {
			for i := range first {
				left = append(left, i)
			}
		}
		for from := len(losses[left[0]][0]); from < len(seeds); from++ {
			common := normal()
			for _, i := range left {
				noise := noise[min(i, len(noise)-1)]
				losses[i][0] = append(losses[i][0], first[i]+common+float64(noise*normal()))
				losses[i][1] = append(losses[i][1], cost[i]+common+float64(noise*normal()))
				a.Runs++
			}
		}
		return losses, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if a.Nothing = a.undecided(); a.Nothing != "" {
		a.Chosen = -1
	}
	return a
}

// Of ten races of 27 candidates that are all the same, and differ by 3 % or 30 % from seed to seed, at most one in
// ten has an advice. Tier: -short, 1 s.
func TestNoAdviceWhereAllAreTheSame(t *testing.T) {
	for _, noise := range []float64{0.03, 0.3} {
		t.Run(fmt.Sprintf("noise=%v", noise), func(t *testing.T) {
			advised := 0
			for i := range 10 {
				a := drawnRace(t, "flat/"+string(rune(i)), make([]float64, 27), make([]float64, 27), noise)
				if a.Chosen >= 0 {
					advised++
				}
				if a.Runs > 4*27*3 {
					t.Errorf("%d runs", a.Runs)
				}
			}
			if t.Logf("noise %g: %d of 10 have an advice", noise, advised); advised > 1 {
				t.Errorf("noise %g: %d of 10 have an advice", noise, advised)
			}
		})
	}
}

// A candidate that takes five times as long is told apart, though it varies by 15 % from seed to seed and the others by
// 0.03 %: its spread must not count in units of theirs. Tier: -short, 0.1 s.
func TestTheSpreadOfOneIsNotThatOfAll(t *testing.T) {
	for i := range 10 {
		a := drawnRace(t, "spread/"+string(rune(i)), []float64{0, 1.6, 0}, []float64{0, 0, 0}, 0.0003, 0.15, 0.0003)
		if a.Chosen < 0 || a.Chosen == 1 || slices.Contains(a.Tied, 1) {
			t.Errorf("draw %d: advice %d, not distinguished %v: %s", i, a.Chosen, a.Tied, a.Nothing)
		}
	}
}

// A candidate that left the race keeps its part in the comparison, over the seeds that both have: the others queue half
// as long again as it. Tier: -short, 10 ms.
func TestWhatLeftTheRaceIsComparedWith(t *testing.T) {
	a := drawnRace(t, "left", []float64{0, 1.6}, []float64{0.4, 0}, 0.01)
	if a.Chosen != 0 || a.Seen[0].Seeds < leastSeeds || a.Seen[1].Seeds != 3 {
		t.Fatalf("advice %d, seeds %d and %d", a.Chosen, a.Seen[0].Seeds, a.Seen[1].Seeds)
	}
	if x := a.Seen[0].Score[1]; math.Abs(x-math.Exp(0.4)) > 0.05 || a.Seen[0].Intervals[1].Low < 1.4 {
		t.Errorf("x %.3f %v of the least cost", x, a.Seen[0].Intervals[1])
	}
}

// Of twenty races of candidates that are drawn, those with an advice keep the promise nine times in ten; with little
// noise most have one. Tier: everyday, 3 s.
func TestPromiseIsKept(t *testing.T) {
	tier.Everyday(t)
	for _, c := range []struct {
		noise       float64
		leastAdvice int
	}{{0.02, 18}, {0.1, 2}, {0.5, 0}} {
		t.Run(fmt.Sprintf("noise=%v", c.noise), func(t *testing.T) {
			advised, kept := 0, 0
			for i := range 20 {
				draw := chance.New(uint64(i), "promise")
				first, cost := make([]float64, 27), make([]float64, 27)
				best := math.Inf(1)
				for k := range first {
					first[k], cost[k] = 0.3*draw.Float64(), draw.Float64()
					best = min(best, first[k])
				}
				a := drawnRace(t, "promise/"+string(rune(i)), first, cost, c.noise)
				if a.Chosen >= 0 {
					advised++
					if math.Exp(first[a.Chosen]-best) <= 1.05 {
						kept++
					}
				}
			}
			t.Logf("noise %g: %d of 20 have an advice, and %d keep the promise", c.noise, advised, kept)
			if advised < c.leastAdvice || float64(kept) < 0.9*float64(advised) {
				t.Errorf("noise %g: %d of 20 have an advice, and %d keep the promise", c.noise, advised, kept)
			}
		})
	}
}

// Each other point of the front in place of the advice breaks the promise on what the search did not see: it is slower
// than Slack allows, or has longer queues than the candidate of the rule.
func TestExchangedAdviceIsMissed(t *testing.T) {
	var ran atomic.Int64
	s := small(t, "2", &ran)
	s.Candidates = Grid([]Axis{
		{"switch.ecn.kmin", []string{"5KB", "20KB", "80KB", "320KB"}},
		{"switch.ecn.kmax", []string{"400KB"}},
	})
	s.Seeds, s.UnseenSeeds = []uint64{1, 2, 3}, []uint64{11, 12, 13, 14, 15}
	a, err := s.Do(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if a.Advice() == nil || a.Missed() {
		t.Fatalf("nothing %q, or missed:\n%s", a.Nothing, printed(t, a, "Kmin", "Kmax"))
	}
	exchanged := 0
	for _, i := range a.Front {
		if i == a.Chosen || a.all[i].Known() {
			continue
		}
		other := *a
		other.Chosen, other.Check = i, nil
		if err := s.check(t.Context(), &other); err != nil {
			t.Fatal(err)
		}
		exchanged++
		if !other.Missed() {
			t.Errorf("%s in place of %s:\n%s", a.all[i].Name, a.Advice().Name, printed(t, &other, "Kmin", "Kmax"))
		}
	}
	if exchanged == 0 {
		t.Errorf("the front is the advice:\n%s", printed(t, a, "Kmin", "Kmax"))
	}
}
