package tune

import (
	"context"
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/specs/tier"
	"github.com/rocelab/rocelab/testbed/mem"
	"github.com/rocelab/rocelab/testbed/model"
)

// The advice for a leaf keeps its promise on ten seeds that the search did not see, against all candidates and not only
// the ones that the search ran there: on the search's own patterns, and on others. The result for each leaf is printed,
// and a miss is counted. Tier: night, four minutes.
func TestAdviceHoldsOnUnseenSeeds(t *testing.T) {
	tier.Night(t)
	misses := 0
	for _, leaf := range []Leaf{
		leafOf(8, 100*unit.Gbps, 4*unit.Microsecond),
		leafOf(16, 400*unit.Gbps, 8*unit.Microsecond),
	} {
		t.Run(fmt.Sprint(leaf), func(t *testing.T) {
			s := searchOf(t, leaf)
			a, err := s.Do(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if a.Advice() == nil {
				t.Logf("%d hosts at %v: nothing is recommended: %s", leaf.Hosts, leaf.Rate, a.Nothing)
				return
			}
			for _, on := range []struct {
				what     string
				patterns []*Pattern
			}{{"the search's patterns", s.Patterns}, {"other patterns", s.Unseen}} {
				first := firstOf(t, s, a, on.patterns)
				t.Logf("%d hosts at %v, %s, on %s: x %.3f of the best of all candidates",
					leaf.Hosts, leaf.Rate, a.Advice().Name, on.what, first)
				if first > 1+s.Slack {
					misses++
				}
			}
		})
	}
	if misses > 0 {
		t.Errorf("%d of 4 are beyond the promise", misses)
	}
}

// searchOf is the search of tune ecn for a leaf.
func searchOf(t *testing.T, leaf Leaf) *Search {
	t.Helper()
	s := &Search{Slack: 0.05, Seeds: []uint64{1, 2, 3}, UnseenSeeds: []uint64{101, 102, 103, 104, 105}, Jobs: 2}
	s.Run = func(ctx context.Context, p *plan.Plan, _ int, _ func(model.Progress)) (*result.Outcome, error) {
		return mem.Run(ctx, p, mem.Options{Workers: 1, Algorithms: shipped.Find})
	}
	s.Candidates, s.Known = ECNCandidates()
	var err error
	if s.Patterns, s.Unseen, err = leaf.Patterns(model.Checker(shipped.Find), makerOf); err != nil {
		t.Fatal(err)
	}
	probe, err := s.Patterns[0].Probe()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"fct_p99_us", "queueing_p99_us", "paused_us"} {
		s.Objectives = append(s.Objectives, Objective{Metric: metric(t, name), Zero: Zero(metric(t, name), probe)})
	}
	return s
}

// firstOf runs all candidates with ten unseen seeds, and returns the first score of the advice.
func firstOf(t *testing.T, s *Search, a *Answer, patterns []*Pattern) float64 {
	t.Helper()
	every := make([]int, len(a.all))
	for i := range every {
		every[i] = i
	}
	seeds := []uint64{201, 202, 203, 204, 205, 206, 207, 208, 209, 210}
	all := newTable(len(a.all), len(patterns), len(seeds))
	if err := s.measure(t.Context(), a, all, every, patterns, seeds, 0, len(seeds)); err != nil {
		t.Fatal(err)
	}
	x := a.stand(s.losses(all))[a.Chosen]
	if x == nil {
		t.Fatalf("a run of %s does not complete", a.Advice().Name)
	}
	return x.Score[0]
}
