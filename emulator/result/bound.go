package result

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/plan"
)

// leastTime holds the run's iterations against what no congestion control can better, and makes
// the run void where congestion was to be costly and was not.
func leastTime(outcome *Outcome, summary *Summary) []Finding {
	if outcome.Bound == nil || summary.IterationsDone == 0 {
		return nil
	}
	share := summary.BoundUS / summary.Iteration.Mean
	findings := []Finding{{Pass, LeastTime, fmt.Sprintf("iterations of %.4g ms have %.3f of the bound's rate, %.4g ms: %s",
		summary.Iteration.Mean/1e3, share, summary.BoundUS/1e3, outcome.Bound.Sum())}}
	if outcome.Plan.Expect.Costly && share >= plan.CostlyShare && !outcome.Interrupted {
		findings = append(findings, Finding{Void, LeastTime, fmt.Sprintf(
			"congestion costs little, but the scenario requires that it costs: iterations have %.3f of the "+
				"bound's rate, and less than %.4g is required; almost nothing can be "+
				"gained", share, plan.CostlyShare)})
	}
	return findings
}
