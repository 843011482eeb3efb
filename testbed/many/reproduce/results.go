package reproduce

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/testbed/many/campaign"
)

// Results are the runs of a row, all of them done.
type Results struct {
	// Full reports whether they belong to the full form.
	Full bool

	runs []*Run
	// refused are runs that the scenario refuses, each with why.
	refused []refusal
	err     error
	// measures are those that the row may call. Planned says that the runs are only planned: they have no files.
	measures Measures
	planned  bool
	seeds    map[uint64][]*Run
	// made counts the figures, and the turns of groups, that loops make.
	made int
}

// ofSeed are all runs of a seed.
func (r *Results) ofSeed(seed uint64) []*Run {
	if r.seeds == nil {
		r.seeds = map[uint64][]*Run{}
		for _, run := range r.runs {
			r.seeds[run.Seed] = append(r.seeds[run.Seed], run)
		}
	}
	return r.seeds[seed]
}

// plannedResults are the runs of a plan, before they are made.
func plannedResults(j *Job) *Results {
	results := &Results{Full: j.Full, planned: true}
	for i := range j.Plan.Runs {
		run := &j.Plan.Runs[i]
		results.runs = append(results.runs, &Run{
			Column:  j.columnOf(run),
			Variant: run.Variant,
			Keys:    run.Keys,
			Seed:    run.Seed,
			results: results,
		})
	}
	return results
}

// refusal is a run that its scenario refuses, without files.
type refusal struct {
	Run
	why string
}

// fail notes the first thing that is wrong: the row fails as a whole.
func (r *Results) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// Columns are the names of the row's columns in their order, columns with all runs refused last; one "" for a row
// without.
func (r *Results) Columns() []string {
	list := slices.Clone(r.runs)
	for i := range r.refused {
		list = append(list, &r.refused[i].Run)
	}
	return distinct(list, func(run *Run) string { return run.Column })
}

// Refused returns the reason why the scenario refuses the runs of a column and a variant with these values of swept
// keys; "" if they were made.
func (r *Results) Refused(column, variant string, keys ...string) string {
	for i := range r.refused {
		if run := &r.refused[i]; run.Column == column && run.Variant == variant && run.has(keys) {
			return run.why
		}
	}
	return ""
}

// Variants are the names of the variants that were run, in their order; one "" for a scenario
// without.
func (r *Results) Variants() []string {
	return distinct(r.runs, func(run *Run) string { return run.Variant })
}

// Values are the values of a swept key that were run, as they are written and in their order.
func (r *Results) Values(key string) []string {
	return distinct(r.runs, func(run *Run) string { return run.Keys[key] })
}

func distinct(runs []*Run, of func(*Run) string) (list []string) {
	for _, run := range runs {
		if text := of(run); !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return list
}

// Runs are runs that differ only in their seeds, in the order of the seeds.
type Runs []*Run

// Of returns the runs of a column and a variant, "" for a row without, that have these values
// of swept keys, each as "switch.ecn.kmin=50KB". It is a mistake of the row if there are none,
// or two of one seed.
func (r *Results) Of(column, variant string, keys ...string) (runs Runs) {
	seeds := map[uint64]bool{}
	for _, run := range r.runs {
		if run.Column != column || run.Variant != variant || !run.has(keys) {
			continue
		}
		if seeds[run.Seed] {
			r.fail(fmt.Errorf("runs of %s differ in more than their seeds: name all swept keys",
				asked(column, variant, keys)))
			return nil
		}
		seeds[run.Seed] = true
		runs = append(runs, run)
	}
	if len(runs) == 0 {
		r.fail(errors.New("there is no run of " + asked(column, variant, keys)))
	}
	return runs
}

// has reports whether a run has all of these values.
func (r *Run) has(keys []string) bool {
	return !slices.ContainsFunc(keys, func(pair string) bool {
		path, text, _ := strings.Cut(pair, "=")
		value, swept := r.Keys[path]
		return !swept || value != text
	})
}

func asked(column, variant string, keys []string) string {
	return fmt.Sprintf("column %q, variant %q, keys %q", column, variant, keys)
}

// Figure is a number of each run.
func (r Runs) Figure(column, name, unit string, of func(*Run) float64) Figure {
	f := Figure{Column: column, Name: name, Unit: unit}
	for _, run := range r {
		f.Values = append(f.Values, of(run))
	}
	return f
}

// Metric is a metric of the runs' summaries as a figure: docs/results.md has the list.
func (r Runs) Metric(column, name, unit, metric string) Figure {
	return r.Figure(column, name, unit, func(run *Run) float64 { return run.Metric(metric) })
}

// readResults reads the runs of a job that is done.
func readResults(j *Job, store *campaign.Store) *Results {
	results := &Results{Full: j.Full}
	for i := range j.Plan.Runs {
		planned := &j.Plan.Runs[i]
		row, err := store.Row(planned.ID)
		if err == nil && row != nil && row.Exit == exit.CodeUsage && j.Row.Refusals {
			results.refused = append(results.refused, refusal{
				Run: Run{Column: j.columnOf(planned), Variant: planned.Variant, Keys: planned.Keys, Seed: planned.Seed},
				why: withoutPlace(row.Error),
			})
			continue
		}
		if err == nil {
			err = j.believable(row)
		}
		if err != nil {
			results.fail(fmt.Errorf("run %s: %w", planned.Name(), err))
			continue
		}
		dir, err := filesOf(store.RunDir(planned.ID))
		if err != nil {
			results.fail(fmt.Errorf("run %s: %w", planned.Name(), err))
			continue
		}
		results.runs = append(results.runs, &Run{
			Column:  j.columnOf(planned),
			Variant: planned.Variant,
			Keys:    planned.Keys,
			Seed:    planned.Seed,
			Dir:     dir,
			row:     row,
			plan:    func() (*plan.Plan, error) { return j.maker.PlanOf(planned) },
			results: results,
		})
	}
	return results
}

// withoutPlace is a message without the place that it begins with: file, line and column, or the key that was set.
func withoutPlace(message string) string {
	return place.ReplaceAllString(message, "")
}

var place = regexp.MustCompile(`^([^ ]*:\d+:\d+|--set [^ ]*): `)

// filesOf is where the files of a run are in its run folder: in a folder named by the variant
// that made it first.
func filesOf(dir string) (string, error) {
	manifest, err := result.ReadManifest(os.DirFS(dir))
	if err != nil {
		return "", fmt.Errorf("%s: %w", dir, err)
	}
	if len(manifest.Runs) != 1 {
		return "", fmt.Errorf("%s has %d runs", dir, len(manifest.Runs))
	}
	return filepath.Join(dir, manifest.Runs[0].Folder), nil
}
