package result

import (
	"fmt"
	"math"
	"slices"

	"github.com/rocelab/rocelab/emulator/plan"
)

// CollectiveFigures are the iterations of collectives, and the least that they take.
type CollectiveFigures struct {
	// Collectives are the figures over all collectives, Jobs the figures of each if there are several.
	Collectives
	Jobs []Job
	// BoundUS and FreeUS are step and free of the plan's bound, NaN if none is known.
	BoundUS, FreeUS float64
}

// Collectives are the iterations of collectives in numbers: of all of a run, or of one job.
type Collectives struct {
	// Iterations counts the iterations of the plan, IterationsDone the ones finished by every rank.
	Iterations, IterationsDone uint64
	Iteration, Collective      Distribution
	AlgBW, BusBW               float64
}

// reduceIterations reduces iterations.
func reduceIterations(list []iteration) Collectives {
	c := Collectives{AlgBW: math.NaN(), BusBW: math.NaN()}
	var took, whole []float64
	alg, bus := 0.0, 0.0
	for i := range list {
		r := &list[i]
		c.Iterations++
		if r.stuck != "" {
			continue
		}
		c.IterationsDone++
		took, whole = append(took, r.collectiveTime()), append(whole, r.iterationTime())
		alg += r.algBW()
		bus += r.busBW()
	}
	c.Collective, c.Iteration = distribution(took), distribution(whole)
	if n := float64(len(took)); n > 0 {
		c.AlgBW, c.BusBW = alg/n, bus/n
	}
	return c
}

// collectiveFigures reduces the iterations of all collectives, and of each job if there are several.
func collectiveFigures(outcome *Outcome) CollectiveFigures {
	f := CollectiveFigures{BoundUS: math.NaN(), FreeUS: math.NaN()}
	var all []iteration
	for i := range outcome.Plan.Collectives {
		c, begin := &outcome.Plan.Collectives[i], len(all)
		for k := range c.Iterations {
			all = append(all, iterationOf(outcome, c, k))
		}
		if len(outcome.Plan.Collectives) > 1 {
			f.Jobs = append(f.Jobs, Job{c.Name, reduceIterations(all[begin:])})
		}
	}
	f.Collectives = reduceIterations(all)
	if bound := outcome.Bound; bound != nil {
		f.BoundUS, f.FreeUS = bound.Step.Microseconds(), bound.Free.Microseconds()
	}
	return f
}

// ofAll are the figures of all collectives of a run.
func ofAll(s *Summary) *Collectives { return &s.Collectives }

var collectiveMetrics = slices.Concat(iterationMetrics(ofAll), boundMetrics, operationMetrics(ofAll))

// iterationMetrics are the metrics of the iterations of some collectives.
func iterationMetrics(of func(*Summary) *Collectives) []Metric {
	return append([]Metric{
		counter("iterations", "Iterations of the plan's collectives.", None,
			func(s *Summary) uint64 { return of(s).Iterations }),
		counter("iterations_done", "Iterations that every rank has finished.", Higher,
			func(s *Summary) uint64 { return of(s).IterationsDone }),
	}, spread("iteration", "_us", "time of an iteration, from the first rank's computation until "+
		"the last rank is done.", 3,
		func(s *Summary) *Distribution { return &of(s).Iteration })...)
}

// operationMetrics are the metrics of the operations of some collectives.
func operationMetrics(of func(*Summary) *Collectives) []Metric {
	return append(spread("collective", "_us", "time of a collective, from the first rank that begins it until the "+
		"last rank is done.", 3,
		func(s *Summary) *Distribution { return &of(s).Collective }),
		measure("algbw_gigabytes_s", "Algorithm bandwidth of collectives as nccl-tests define it, size over "+
			"time, in 10^9 bytes a second; mean over the iterations.", Higher, 4,
			func(s *Summary) float64 { return of(s).AlgBW }),
		measure("busbw_gigabytes_s", "Bus bandwidth of collectives as nccl-tests define it, to compare with the "+
			"line rate, in 10^9 bytes a second; mean over the iterations.", Higher, 4,
			func(s *Summary) float64 { return of(s).BusBW }))
}

// boundMetrics are the least times of iterations over long-haul paths.
var boundMetrics = []Metric{
	measure("bound_us", "Shortest possible time of an iteration of collectives whose data cross long-haul paths, "+
		"if all reach the fibre at the same time: an iteration in one site, the crossing at the rate that is left at "+
		"the DCI port most loaded by ECMP, and the fibre; see Collectives below.", None, 3,
		func(s *Summary) float64 { return s.BoundUS }),
	measure("free_us", "The same if collectives may drift apart, so that some compute while others send: no run "+
		"has a shorter mean iteration of its slowest collective.", None, 3,
		func(s *Summary) float64 { return s.FreeUS }),
}

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
