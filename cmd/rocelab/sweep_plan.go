package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/internal/terminal"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/many/campaign"
	"github.com/rocelab/rocelab/testbed/many/sweep"
	"github.com/rocelab/rocelab/testbed/model"
)

// formatJSONLines is one value a line.
const formatJSONLines page.Format = "jsonl"

func sweepPlanCommand() *cobra.Command {
	f := &sweepAsked{}
	noSample, jobs, all := false, 0, false
	format := page.FormatTable
	c := &cobra.Command{
		Use:   "plan SCENARIO",
		Short: "List the runs of a sweep, and estimate their time and memory",
		Long: `List the runs of a sweep with their values and names, without making any of them. The
first and the last runs are shown; --all and the formats csv, json and jsonl list all.

Their time and memory are estimated from three sample runs spread over the plan, which
are not kept. Each is given five seconds; if a run takes longer, the rest is
extrapolated. --no-sample leaves the estimate out.`,
		Example: `  rocelab sweep plan incast.yaml --grid switch.ecn.kmin=50KB,100KB,200KB --seeds 5
  rocelab sweep plan incast.yaml --seeds 100 --no-sample --format jsonl`,
		Args: oneScenario,
		RunE: func(c *cobra.Command, args []string) (err error) {
			defer func() { err = errors.Join(err, f.scenario.plugins.close()) }()
			if jobs < 0 {
				return usage(fmt.Errorf("--jobs %d: allowed are 0 and above", jobs))
			}
			if jobs == 0 {
				jobs = idleProcessors()
			}
			p, err := f.plan(args[0])
			if err != nil {
				return err
			}
			if format == formatJSONLines {
				return host(p.plan.Write(c.OutOrStdout()))
			}
			out := c.OutOrStdout()
			if format == page.FormatTable { // a person sees the runs while the sample runs
				if err := printAs(out, format, nil, p.document(all)); err != nil || noSample {
					return err
				}
				e, err := f.estimate(c.Context(), p, jobs, c.ErrOrStderr())
				if err != nil {
					return err
				}
				_, err = fmt.Fprintln(out, pageOf(out).Fold(e.Text(len(p.plan.Runs), jobs), 0))
				return host(err)
			}
			d := p.document(all)
			record := planRecord{Scenario: p.name, Runs: p.plan.Runs}
			if format == page.FormatCSV { // a row for each run, and no estimate
				return printAs(out, format, record.Runs, d)
			}
			if !noSample {
				e, err := f.estimate(c.Context(), p, jobs, c.ErrOrStderr())
				if err != nil {
					return err
				}
				d.Say("%s", e.Text(len(p.plan.Runs), jobs))
				record.Estimate = &planEstimate{
					Sampled:     e.Sampled,
					WallSeconds: e.Wall.Seconds(),
					CPUSeconds:  e.CPU.Seconds(),
					Jobs:        jobs,
					MemoryBytes: e.Memory,
					DiskBytes:   e.Disk,
				}
			}
			return printAs(out, format, record, d)
		},
	}
	f.add(c)
	flags := c.Flags()
	flags.BoolVar(&noSample, "no-sample", false, "estimate nothing")
	flags.BoolVar(&all, "all", false, "show all runs")
	flags.IntVar(&jobs, "jobs", 0, "runs at a time that the estimate is for; 0 for one per idle processor")
	formatFlag(c, &format, append(slices.Clone(page.Formats), formatJSONLines)...)
	return c
}

// fewRuns is the number of runs of a plan that are shown, half of them its last.
const fewRuns = 10

// planRecord is a plan as JSON, with the estimate unless --no-sample leaves that out.
type planRecord struct {
	Scenario string        `json:"scenario"`
	Runs     []sweep.Run   `json:"runs"`
	Estimate *planEstimate `json:"estimate,omitempty"`
}

// planEstimate is the cost of a run, the number of runs that it was estimated from, and the number made at a time.
type planEstimate struct {
	Sampled     int     `json:"sampled"`
	WallSeconds float64 `json:"wall_seconds"`
	CPUSeconds  float64 `json:"cpu_seconds"`
	Jobs        int     `json:"jobs"`
	MemoryBytes uint64  `json:"memory_bytes"`
	DiskBytes   int64   `json:"disk_bytes"`
}

// document lists the runs of a plan.
func (p *planned) document(all bool) *page.Document {
	table := page.New(append(append([]string{"run", "id"}, p.plan.Keys...), "variant", "seed")...)
	few := !all && len(p.plan.Runs) > fewRuns
	for i := range p.plan.Runs {
		if few && i >= fewRuns/2 && i < len(p.plan.Runs)-fewRuns/2 {
			if i == fewRuns/2 {
				table.Add(append([]any{"..."}, slices.Repeat([]any{""}, len(p.plan.Keys)+3)...)...)
			}
			continue
		}
		run := &p.plan.Runs[i]
		cells := []any{fmt.Sprint(run.Index), run.ID.Short()}
		for _, key := range p.plan.Keys {
			cells = append(cells, run.Keys[key])
		}
		table.Add(append(cells, run.Variant, fmt.Sprint(run.Seed))...)
	}
	table.AlignFigures()
	table.Caption = terminal.Line(p.name) + ": " + unit.Count(len(p.plan.Runs), "run")
	d := &page.Document{Title: p.name, Kind: "sweep plan", Blocks: []page.Block{table}}
	if left := p.maker.Combinations - p.maker.Checked; left > 0 {
		d.Say("the whole plans of %d of %d combinations were checked; of the others each key by itself", p.maker.Checked,
			p.maker.Combinations)
	}
	return d
}

// estimate returns the cost of the runs of a plan, from a sample.
func (f *sweepAsked) estimate(ctx context.Context, p *planned, jobs int, stderr io.Writer) (*campaign.Estimate, error) {
	r := &sweep.Runner{
		Folder: &sweep.Folder{Store: campaign.NewStore("."), Plan: p.plan, About: sweep.About{Models: model.Version}},
		Maker:  p.maker,
		Bench:  f.bench(jobs, false, stderr),
		Series: f.series,
	}
	e, err := r.Sample(ctx, sweep.Whole.Runs(p.plan))
	if ctx.Err() != nil {
		return nil, errInterrupted
	}
	return e, err
}
