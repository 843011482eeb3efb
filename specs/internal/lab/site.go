package lab

import (
	"context"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/testbed/many/experiment"
	"github.com/rocelab/rocelab/testbed/many/reproduce"
	"github.com/rocelab/rocelab/testbed/many/sweep"
	"github.com/rocelab/rocelab/testbed/mem"
	"github.com/rocelab/rocelab/testbed/model"
)

// Site carries rows of published experiments and records of hardware out in this process, by built-in algorithms.
var Site = &reproduce.Site{
	Parse: func(name string, text []byte, changes map[string]string) (*scenario.Scenario, error) {
		return scenario.Parse(name, text, model.Checker(shipped.Find), scenario.WithOverrides(changes),
			scenario.WithMetrics(result.MetricNames(), result.JobMetricNames()...))
	},
	Identify: func(a *plan.Algorithm) (sweep.Algorithm, error) {
		return sweep.Algorithm{Name: a.Name, Params: a.Params}, nil
	},
	Bench: func(int) (*sweep.Bench, error) {
		return &sweep.Bench{
			Run: func(ctx context.Context, t experiment.Task) (*result.Outcome, error) {
				return mem.Run(ctx, t.Plan, mem.Options{Algorithms: shipped.Find, Workers: 1})
			},
			Complete: func(p *plan.Plan) error { return model.Embed([]*plan.Plan{p}, shipped.Find) },
			Close:    func() error { return nil },
		}, nil
	},
	ExitCode: func(error) int { return exit.CodePlugin },
	Models:   model.Version,
}
