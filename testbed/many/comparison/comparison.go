package comparison

import (
	"context"
	"fmt"
	"strings"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/many/campaign"
	"github.com/rocelab/rocelab/testbed/many/experiment"
	"github.com/rocelab/rocelab/testbed/model"
)

// Contender is an algorithm with what runs it.
type Contender struct {
	Entry Entry
	// Algorithm is its name, Program the path of its program, "" if it is built in.
	Algorithm, Program string
	// Plan makes the plan of a seed, all of whose flows have this algorithm.
	Plan func(seed uint64) (*plan.Plan, error)
	// Run runs a plan; job is which of the concurrent jobs does so, from 0.
	// On cancellation it returns what there is, marked interrupted.
	Run func(ctx context.Context, p *plan.Plan, job int, progress func(model.Progress)) (*result.Outcome, error)
	// ID is that of campaign.Cell; nil if runs are not kept.
	ID func(*plan.Plan) (campaign.ID, error)
}

// Comparison describes a comparison.
type Comparison struct {
	// Scenario is its name, Variant the name of the variant whose other settings
	// hold, "" for none.
	Scenario, Variant string
	// Contenders are compared with the first of them.
	Contenders []Contender
	Seeds      []uint64
	// Jobs is the number of concurrent runs. Range: from 1.
	Jobs int
	// Metrics are the rows; All also shows uninformative ones.
	Metrics []result.Metric
	All     bool
	// Reference may be nil.
	Reference *Reference
	// Meter may be nil. Unfinished is that of campaign.Matrix.
	Meter      *campaign.Meter
	Unfinished *campaign.Unfinished
}

// Do carries the comparison out, seed by seed, so that an interruption leaves
// whole seeds. With an error it returns a report of the runs that were done.
func (c *Comparison) Do(ctx context.Context) (*Report, error) {
	done := make([][]*campaign.Run, len(c.Contenders)) // by contender and seed, nil if not run to its end
	m := campaign.Matrix{Jobs: c.Jobs, Meter: c.Meter, Unfinished: c.Unfinished}
	for i := range done {
		done[i] = make([]*campaign.Run, len(c.Seeds))
	}
	for j, seed := range c.Seeds {
		for i := range c.Contenders {
			m.Cells = append(m.Cells, c.Contenders[i].cell(seed, &done[i][j]))
		}
	}
	notRun, err := m.Do(ctx)
	r := &Report{
		Scenario:  c.Scenario,
		Variant:   c.Variant,
		Seeds:     c.Seeds,
		Metrics:   c.Metrics,
		All:       c.All,
		Reference: c.Reference,
		NotRun:    notRun,
	}
	for i, k := range c.Contenders {
		column := column{Entry: k.Entry, Algorithm: k.Algorithm, Program: k.Program}
		for _, run := range done[i] {
			if run != nil {
				column.Runs = append(column.Runs, *run)
			}
		}
		r.Columns = append(r.Columns, column)
	}
	return r, err
}

// Sample carries a few of the runs out for a short time each, and keeps nothing.
func (c *Comparison) Sample(ctx context.Context) (*campaign.Estimate, error) {
	s := campaign.Sample{N: len(c.Contenders) * len(c.Seeds)}
	s.Run = func(ctx context.Context, i int, started func(*plan.Plan) func(model.Progress)) (*result.Outcome, error) {
		k := &c.Contenders[i%len(c.Contenders)]
		p, err := k.Plan(c.Seeds[i/len(c.Contenders)])
		if err != nil {
			return nil, err
		}
		return k.Run(ctx, p, 0, started(p))
	}
	return s.Do(ctx)
}

// cell is the contender's run with a seed, which comes to done.
func (k *Contender) cell(seed uint64, done **campaign.Run) campaign.Cell {
	name := fmt.Sprintf("%s seed %d", k.Entry.Text, seed)
	return campaign.Cell{
		Name:  name,
		Title: name,
		ID:    k.ID,
		Plan:  func() (*plan.Plan, error) { return k.Plan(seed) },
		Run: func(ctx context.Context, p *plan.Plan, job int, progress func(model.Progress)) (*result.Outcome, error) {
			o, err := k.Run(ctx, p, job, progress)
			if err != nil {
				err = fmt.Errorf("%s: %w", name, err)
			}
			return o, err
		},
		Keep: func(_ *result.Outcome, run campaign.Run) error {
			*done = &run
			return nil
		},
		Status: statusOf,
	}
}

// usual are the default rows of a comparison, in their order.
var usual = []string{
	"fct_mean_us", "fct_p99_us", "slowdown_p50", "slowdown_p99", "queueing_mean_us", "queueing_p99_us", "goodput_gbps",
	"resent_share", "dropped_share", "flow_rate_gbps", "jain",
	"iteration_mean_us", "iteration_max_us", "busbw_gigabytes_s", "rtt_mean_us", "rtt_p99_us", "rtt_max_us", "pauses",
	"cnps", "marks", "drops",
}

// Metrics returns the rows of these names; for none the usual ones, or all that
// tables have.
func Metrics(names []string, all bool) ([]result.Metric, error) {
	switch {
	case len(names) > 0:
		return experiment.Metrics(names)
	case all:
		return experiment.TableMetrics(), nil
	}
	return experiment.Metrics(usual)
}

// MetricNames lists the usual rows.
func MetricNames() string { return strings.Join(usual, ", ") }
