package runfolder_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/runfolder"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/testbed/many/experiment"
	"github.com/rocelab/rocelab/testbed/mem"
	"github.com/rocelab/rocelab/testbed/model"
)

// A program of your own reads a run folder, as rocelab run writes it.
func Example() {
	path := madeByRun()
	defer os.RemoveAll(filepath.Dir(path))
	folder, err := runfolder.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	for _, run := range folder.Runs() {
		summary, err := run.Summary()
		if err != nil {
			log.Fatal(err)
		}
		drops, _ := summary.Value("drops")
		fmt.Printf("%s, seed %d: %s, %.0f drops\n", run.Variant, run.Seed, run.Verdict, drops)

		type flow struct {
			Name string  `csv:"flow"`
			Size uint64  `csv:"size_bytes"`
			FCT  float64 `csv:"fct_us"`
		}
		bytes := uint64(0)
		for f, err := range runfolder.Rows[flow](run, "flows.csv") {
			if err != nil {
				log.Fatal(err) // with file, line and column
			}
			bytes += f.Size
		}
		fmt.Printf("%d bytes of payload\n", bytes)
	}
	// Output:
	// four, seed 1: pass, 0 drops
	// 1200000 bytes of payload
}

// madeByRun is the path of a run folder.
func madeByRun() string {
	text := []byte(`
name: four
topology: {kind: star, hosts: 5}
traffic: [{kind: incast, senders: 4, receiver: h4, size: 300KB}]
algorithm: pc4
`)
	dir, err := os.MkdirTemp("", "runfolder")
	if err != nil {
		log.Fatal(err)
	}
	e := experiment.Experiment{
		Name:   "four",
		Digest: "0",
		Source: text,
		Plans: func(*uint64) ([]*plan.Plan, error) {
			s, err := scenario.Parse("four.yaml", text, model.Checker(shipped.Find))
			if err != nil {
				return nil, err
			}
			return s.Plans()
		},
		Folder: func() (*result.Folder, error) { return result.Create(filepath.Join(dir, "run")) },
		Run: func(ctx context.Context, task experiment.Task) (*result.Outcome, error) {
			return mem.Run(ctx, task.Plan, mem.Options{Algorithms: shipped.Find})
		},
	}
	if _, err := e.Do(context.Background()); err != nil {
		log.Fatal(err)
	}
	return filepath.Join(dir, "run")
}
