package result

import (
	"math"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// bounded is a run of six iterations of 50 ms each, with a bound of the given number of milliseconds.
func bounded(bound float64) (*Outcome, *Summary) {
	o := star()
	step := unit.Duration(bound * 1e9)
	o.Bound = &plan.Bound{Step: step, Free: step - 1e9, Port: "s0:1"}
	return o, &Summary{CollectiveFigures: CollectiveFigures{
		Collectives: Collectives{IterationsDone: 6, Iteration: Distribution{Mean: 50_000}},
		BoundUS:     bound * 1e3,
		FreeUS:      math.NaN(),
	}}
}

// A run reports how near to the bound it is; one whose congestion must cost is void from 0.85 of the bound's rate on.
func TestCostlyCongestion(t *testing.T) {
	for _, c := range []struct {
		bound  float64
		harm   func(*Outcome, *Summary)
		status Status
		words  string
	}{
		{42.4, func(*Outcome, *Summary) {}, Pass, "iterations of 50 ms have 0.848 of the bound's rate, 42.4 ms: "},
		{42.5, func(*Outcome, *Summary) {}, Void, "congestion costs little"},
		{42.5, func(o *Outcome, _ *Summary) { o.Plan.Expect.Costly = false }, Pass, "have 0.850 of"},
		{42.5, func(o *Outcome, _ *Summary) { o.Interrupted = true }, Pass, "have 0.850 of"},
		{42.5, func(_ *Outcome, s *Summary) { s.IterationsDone = 0 }, Pass, ""},
		{42.5, func(o *Outcome, _ *Summary) { o.Bound = nil }, Pass, ""},
	} {
		o, s := bounded(c.bound)
		o.Plan.Expect.Costly = true
		c.harm(o, s)
		v := Verdict{}
		v.add(leastTime(o, s)...)
		text := ""
		for _, f := range v.Findings {
			text += f.Text + "\n"
		}
		if v.Status != c.status || !strings.Contains(text, c.words) || c.words == "" && text != "" {
			t.Errorf("bound %v: %v, %q; want %v, %q", c.bound, v.Status, text, c.status, c.words)
		}
	}
}

// A check may hold a metric against another.
func TestCheckOfAMetric(t *testing.T) {
	_, s := bounded(49)
	for _, c := range []struct {
		check plan.Check
		want  string
	}{
		{plan.Check{Metric: "iteration_mean_us", Op: "<=", Value: 1.03, Of: "bound_us"}, ""},
		{plan.Check{Metric: "iteration_mean_us", Op: ">", Value: 1, Of: "bound_us"}, ""},
		{plan.Check{Metric: "iteration_mean_us", Op: "<=", Value: 1.02, Of: "bound_us"},
			"iteration_mean_us <= 1.02 * bound_us: it is 50000, and 1.02 * bound_us is 49980"},
		{plan.Check{Metric: "iteration_mean_us", Op: "<", Value: 1, Of: "bound_us"},
			"iteration_mean_us < bound_us: it is 50000, and bound_us is 49000"},
		{plan.Check{Metric: "iteration_mean_us", Op: ">=", Value: 1, Of: "free_us"},
			"iteration_mean_us >= free_us: free_us was not measured"},
		{plan.Check{Metric: "drops", Op: "<", Value: 1, Of: "bond_us"}, `drops < bond_us: there is no metric "bond_us"`},
	} {
		got := ""
		for _, f := range expectations(&Outcome{Plan: &plan.Plan{Expect: plan.Expect{Checks: []plan.Check{c.check}}}}, s) {
			got += f.Text
		}
		if got != c.want {
			t.Errorf("%+v: %q, want %q", c.check, got, c.want)
		}
	}
}
