package experiment_test

import (
	"context"
	"fmt"
	"log"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/testbed/many/experiment"
	"github.com/rocelab/rocelab/testbed/mem"
	"github.com/rocelab/rocelab/testbed/model"
)

// Two variants of a scenario with two seeds each, run in this process and without a folder.
func ExampleExperiment() {
	text := []byte(`
name: pair
topology: {kind: star, hosts: 3}
traffic: [{kind: incast, senders: 2, receiver: h2, size: 100KB}]
variants: [{name: a, algorithm: pc4}, {name: b, algorithm: dcqcn}]
`)
	e := experiment.Experiment{
		Name:   "pair",
		Source: text,
		Seeds:  []uint64{1, 2},
		Plans: func(seed *uint64) ([]*plan.Plan, error) {
			read, err := scenario.Parse("pair.yaml", text, model.Checker(shipped.Find))
			if err != nil {
				return nil, err
			}
			plans, err := read.Plans()
			for _, p := range plans {
				p.Seed = *seed
			}
			return plans, err
		},
		Run: func(ctx context.Context, task experiment.Task) (*result.Outcome, error) {
			return mem.Run(ctx, task.Plan, mem.Options{Algorithms: shipped.Find})
		},
	}
	report, err := e.Do(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	for _, run := range report.Runs {
		fmt.Println(run.Summary.Variant, run.Summary.Seed, run.Verdict.Status)
	}
	// Output:
	// a 1 pass
	// b 1 pass
	// a 2 pass
	// b 2 pass
}
