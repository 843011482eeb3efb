package oracle

import (
	"fmt"
	"math"
	"testing"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/testbed/mem"
)

// compare holds all metrics of a run to its frames.
func compare(t *testing.T, s *seen) {
	t.Helper()
	a := s.account()
	for i := range table {
		r := &table[i]
		got, ok := s.summary.Value(r.metric)
		if !ok {
			t.Errorf("there is no metric %s", r.metric)
			continue
		}
		want := r.of(a)
		if r.most != nil && want < got && got <= r.most(a) {
			continue
		}
		if math.IsNaN(want) != math.IsNaN(got) || !math.IsNaN(want) && !r.within.holds(want, got) {
			t.Errorf("%s is %v, by its frames %v (%s; %s)", r.metric, got, want, r.how, r.within.name)
		}
	}
	if s.summary.Endless != a.endless {
		t.Errorf("%d flows without a size, want %d", s.summary.Endless, a.endless)
	}
	if s.summary.Bottleneck != a.bottleneck {
		t.Errorf("bottleneck is %s, by its frames %s", s.summary.Bottleneck, a.bottleneck)
	}
	if _, basis := a.jain(a.flows); s.summary.JainBasis != basis {
		t.Errorf("jain is of %s, want %s", s.summary.JainBasis, basis)
	}
}

// The metrics of runs that have everything are what their frames say. Tier: -short.
func TestMetricsOfFixedScenarios(t *testing.T) {
	for _, c := range fixed {
		t.Run(c.name, func(t *testing.T) {
			for _, p := range plansOf(t, c.text) {
				compare(t, watch(t, p, mem.Options{}))
			}
		})
	}
}
func TestMetricsOfDrawnScenarios(t *testing.T) {
	for seed := range uint64(400) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			text := drawn(seed)
			for _, p := range plansOf(t, text) {
				compare(t, watch(t, p, mem.Options{}))
			}
			if t.Failed() {
				t.Log(text)
			}
		})
	}
}

var _ = plan.FirstIP
