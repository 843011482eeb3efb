package lab

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/engine/enginetest"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/specs/missed"
	"github.com/rocelab/rocelab/testbed/look/compare"
	"github.com/rocelab/rocelab/testbed/mem"
	"github.com/rocelab/rocelab/testbed/model"
)

// Seeds are the seeds for judging a published figure: its median counts, its range is printed.
var Seeds = []uint64{1, 2, 3, 4, 5}

// Run is a run that was carried out, and what it comes to.
type Run struct {
	*result.Outcome
	Summary *result.Summary
	Verdict result.Verdict
}

// Options change how a scenario is run. The zero value runs it with the
// shipped algorithms on one worker.
type Options struct {
	// Algorithms finds algorithms; a mutant is here under the name of
	// what it was made from.
	Algorithms func(string) (cc.Algorithm, bool)
	mem.Options
	// Windows determine the engine's windows.
	enginetest.Windows
	// Lossy runs are allowed to be judged red for losslessness; conservation
	// is demanded of every run.
	Lossy bool
	// Seeds are the seeds for OverSeeds, nil for the package's Seeds.
	Seeds []uint64
}

// Plans reads a scenario and returns its plans, one for each variant.
func Plans(yaml string) []*plan.Plan {
	s, err := scenario.Parse("spec.yaml", []byte(yaml), model.Checker(shipped.Find))
	ExpectWithOffset(1, err).NotTo(HaveOccurred())
	plans, err := s.Plans()
	ExpectWithOffset(1, err).NotTo(HaveOccurred())
	return plans
}

// Load reads a scenario file, with some keys changed ("traffic.size": "1MB"),
// and returns its plans.
func Load(file string, changes map[string]string) []*plan.Plan {
	s, err := scenario.Load(file, model.Checker(shipped.Find), scenario.WithOverrides(changes))
	ExpectWithOffset(1, err).NotTo(HaveOccurred())
	plans, err := s.Plans()
	ExpectWithOffset(1, err).NotTo(HaveOccurred())
	return plans
}

// Do runs a plan.
func Do(plan *plan.Plan, options Options) *Run {
	if options.Algorithms == nil {
		options.Algorithms = shipped.Find
	}
	if options.Workers == 0 {
		options.Workers = 1
	}
	options.Options.Algorithms = options.Algorithms
	out, err := mem.Run(enginetest.With(context.Background(), options.Windows), plan, options.Options)
	ExpectWithOffset(1, err).NotTo(HaveOccurred())
	return judge(out, options.Lossy)
}

// Judge sums up a lossy run that was carried out elsewhere.
func Judge(out *result.Outcome) *Run { return judge(out, true) }

func judge(out *result.Outcome, lossy bool) *Run {
	r := &Run{Outcome: out, Summary: result.Summarise(out)}
	r.Verdict = result.Judge(out, r.Summary)
	for _, f := range r.Verdict.Findings {
		sound := f.Status != result.Red || lossy && f.Subject != result.Conservation
		ExpectWithOffset(2, sound).To(BeTrue(), "%s, seed %d: %s: %s", out.Plan.Name, out.Plan.Seed, f.Subject, f.Text)
	}
	return r
}

// Simulate runs the only plan of a scenario with the shipped algorithms.
func Simulate(yaml string) *Run {
	plans := Plans(yaml)
	ExpectWithOffset(1, plans).To(HaveLen(1))
	return Do(plans[0], Options{})
}

// OverSeeds runs the only plan of a scenario once with each seed.
func OverSeeds(yaml string, options Options) []*Run {
	var runs []*Run
	seeds := options.Seeds
	if seeds == nil {
		seeds = Seeds
	}
	for _, seed := range seeds {
		plans := Plans(fmt.Sprintf("seed: %d\n", seed) + yaml)
		ExpectWithOffset(1, plans).To(HaveLen(1))
		runs = append(runs, Do(plans[0], options))
	}
	return runs
}

// Figure is a measured quantity over several seeds.
type Figure struct{ Median, Min, Max float64 }

// String prints the median and the range.
func (f Figure) String() string {
	if f.Min == f.Max {
		return fmt.Sprintf("%.3f", f.Median)
	}
	return fmt.Sprintf("%.3f [%.3f, %.3f]", f.Median, f.Min, f.Max)
}

// FigureOf measures a quantity of each run.
func FigureOf(runs []*Run, quantity func(*Run) float64) Figure {
	var v []float64
	for _, r := range runs {
		v = append(v, quantity(r))
	}
	return Figure{Median: compare.Median(v), Min: slices.Min(v), Max: slices.Max(v)}
}

// Metric is a quantity of the run's summary; see `rocelab metrics`.
func Metric(name string) func(*Run) float64 {
	return func(run *Run) float64 {
		v, ok := run.Summary.Value(name)
		ExpectWithOffset(1, ok).To(BeTrue(), "there is no metric %s", name)
		return v
	}
}

// Criteria collects the pass criteria of an experiment that were not met, so
// that one and the same list judges the algorithm and its mutant.
type Criteria struct{ Missed []string }

// Want notes a criterion as missed unless it holds.
func (c *Criteria) Want(holds bool, format string, args ...any) {
	if !holds {
		c.Missed = append(c.Missed, fmt.Sprintf(format, args...))
	}
}

// Miss reports each missed criterion as one that the algorithm is known to
// miss, and why.
func (c *Criteria) Miss(why string) {
	for _, what := range c.Missed {
		missed.Report(what, why)
	}
}

// String lists the missed criteria.
func (c *Criteria) String() string {
	if len(c.Missed) == 0 {
		return "all criteria met"
	}
	return "missed: " + strings.Join(c.Missed, "; ")
}

// Files returns the texts of the run's folder, by the names of its files:
// summary, flows, ports, queues, PFC, drops, series. The manifest is not among
// them.
func (r *Run) Files() map[string]string {
	dir := filepath.Join(GinkgoT().TempDir(), "run")
	folder, err := result.Create(dir)
	Expect(err).NotTo(HaveOccurred())
	Expect(folder.WriteRun("", r.Outcome, r.Summary, r.Verdict)).To(Succeed())
	files := map[string]string{}
	names, err := filepath.Glob(dir + ".part/*.[cj]s*") // CSV and JSON
	Expect(err).NotTo(HaveOccurred())
	for _, name := range names {
		text, err := os.ReadFile(name)
		Expect(err).NotTo(HaveOccurred())
		files[filepath.Base(name)] = string(text)
	}
	Expect(folder.Discard()).To(Succeed())
	return files
}

// WireRate returns the mean rate of a flow in Gb/s between two instants, as it
// counts on the wire: the payload acknowledged in that time, with the flow's
// headers, preamble and gap. It is measured in bins of the run's
// record.interval; both instants must be multiples of it.
func (r *Run) WireRate(flow int, from, to unit.Time) float64 {
	width := unit.Time(r.Plan.Record.Interval)
	ExpectWithOffset(1, from%width == 0 && to%width == 0 && from < to).To(BeTrue(), "%v to %v is not made of bins", from,
		to)
	s := r.Flows[flow].Sender
	acked := int64(0)
	for bin := int(from / width); bin < int(to/width); bin++ {
		acked += s.AckedSeries().At(bin)
	}
	wireShare := float64(s.WireBytes) / float64(s.Packets) / float64(r.Plan.MTU)
	return float64(acked*8) / to.Sub(from).Seconds() / 1e9 * wireShare
}

// NextBin returns the first start of a bin that is not before t.
func (r *Run) NextBin(t unit.Time) unit.Time {
	width := unit.Time(r.Plan.Record.Interval)
	return (t + width - 1) / width * width
}
