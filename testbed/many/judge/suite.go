package judge

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/formatter"
	"github.com/onsi/ginkgo/v2/types"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/many/campaign"
	"github.com/rocelab/rocelab/testbed/model"
)

// Config has the settings for judging a subject.
type Config struct {
	Subject
	// Companions finds the algorithms that run beside the subject in
	// scenarios: fixed and dcqcn.
	Companions model.Find
	// Beside describes them, as kept rows depend on them; nil if they are rocelab's own.
	Beside func() ([]result.Algorithm, error)
	// Checks are those to carry out, as the function Checks chooses them. That
	// of the handshake always comes first where the subject is a program.
	Checks []Check
	// Seeds are the seeds of reaction, recovery, fairness and latecomers, whose worst result counts; nil for 1, 2 and
	// 3.
	Seeds []uint64
	// StartLimit is the time limit for the start of a program; if zero, a minute.
	StartLimit time.Duration
	// Unfinished keeps what checks of the behaviour came to until all are done; nil keeps none.
	Unfinished *campaign.Unfinished
	// Done, if not nil, is called after each check with the number of checks that are
	// done and of all, and the time that this one took by the clock.
	Done func(done, total int, r Row, took time.Duration)
}

// Run judges a subject, the cheap checks first; once in a process. The error is the reason why the rest was not
// checked; the report has the results so far: ErrInterrupted; a plugin that failed the handshake, crashed or hung
// (*process.Error, *model.AlgorithmError); else the host's refusal.
func Run(ctx context.Context, config Config) (_ *Report, err error) {
	tested, err := newTrial(config)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, tested.close()) }()
	report := tested.report()
	ginkgo.Describe(config.Title, ginkgo.Ordered, ginkgo.ContinueOnFailure, func() {
		for _, i := range turns(tested.Checks) {
			ginkgo.It(tested.Checks[i].About, ginkgo.Label(tested.Checks[i].Labels...), func(spec ginkgo.SpecContext) {
				tested.spec(ctx, spec, &tested.Checks[i], &report.Checks[i])
			})
		}
	})
	report.ginkgo = runGinkgo("rocelab: " + config.Title)
	report.judge()
	if ctx.Err() != nil || slices.Contains(report.ginkgo.SpecialSuiteFailureReasons, "Interrupted by User") {
		return report, ErrInterrupted
	}
	return report, tested.err
}

// spec carries a check out, under the contexts of the whole and of the spec.
func (t *trial) spec(whole context.Context, spec ginkgo.SpecContext, check *Check, to *Row) {
	ctx, cancel := context.WithCancel(whole)
	defer cancel()
	defer context.AfterFunc(spec, cancel)()
	t.ctx = ctx
	begun := time.Now()
	*to = judgeOnce(t, check)
	if t.done++; t.Done != nil && to.Result != NotRun {
		t.Done(t.done, len(t.Checks), *to, time.Since(begun))
	}
	ginkgo.AddReportEntry("figure", to.Figure, ginkgo.ReportEntryVisibilityNever)
	switch {
	case t.over:
		ginkgo.AbortSuite(to.Remark)
	case to.Result == Failed:
		ginkgo.Fail(to.Remark)
	case to.Result == Skipped || to.Result == Exempt || to.Result == NotRun:
		ginkgo.Skip(string(to.Result) + ": " + to.Remark)
	}
}

// runGinkgo runs the declared checks. Ginkgo's own report goes to stdout, which is reserved for ours.
func runGinkgo(title string) (result types.Report) {
	old := formatter.ColorableStdOut
	formatter.ColorableStdOut = io.Discard
	defer func() { formatter.ColorableStdOut = old }()
	ginkgo.GinkgoWriter.ClearTeeWriters()
	ginkgo.ReportAfterSuite("", func(report types.Report) { result = report })
	config := types.NewDefaultSuiteConfig()
	config.RandomSeed = 1 // the order is that of the declarations in any case
	ginkgo.RunSpecs(silent{}, title, config, types.NewDefaultReporterConfig())
	return result
}

// silent takes the place of a testing.T: the report has it all.
type silent struct{}

func (silent) Fail() {}

// newTrial prepares a judgement; the caller closes it.
func newTrial(config Config) (tested *trial, err error) {
	tested = &trial{Config: config, ctx: context.Background(), built: map[string]build{}}
	if tested.Seeds == nil {
		tested.Seeds = []uint64{1, 2, 3}
	}
	if tested.folder, err = os.MkdirTemp("", "rocelab-check-"); err != nil {
		return nil, err
	}
	if config.main().Path != "" &&
		!slices.ContainsFunc(config.Checks, func(check Check) bool { return check.Name == "handshake" }) {
		tested.Checks = append(checks[:1:1], config.Checks...)
	}
	tested.describe()
	return tested, nil
}

// close removes the built files.
func (t *trial) close() error { return os.RemoveAll(t.folder) }

// report returns the report of a judgement that is yet to come.
func (t *trial) report() *Report {
	report := &Report{
		Algorithm:    t.about.Name,
		Version:      t.about.Version,
		Form:         t.form(),
		Given:        t.Given,
		Uncontrolled: t.about.Uncontrolled,
	}
	for _, c := range t.Checks {
		report.Checks = append(report.Checks, Row{Check: c.Name, About: c.About, Labels: c.Labels, Result: NotRun})
	}
	return report
}

// cheap are the checks without a compiler or another process: with one seed some ten seconds of processor time in all
// for a compiled program; costly are the others. Checks are carried out in this order, the ones that cost least first.
const (
	cheap  = "handshake parameters reorder isolation incast-8 incast-16 loss outage clocks reaction fairness recovery fuzz"
	costly = "latecomers queue beside-dcqcn joining decision-time repeat process workers windows surroundings veth " +
		"source build"
)

// Cheap returns the names of the cheap checks, in their order of execution.
func Cheap() []string { return strings.Fields(cheap) }

// turns returns the places of checks in their order of execution.
func turns(checks []Check) []int {
	order := strings.Fields(cheap + " " + costly)
	list := make([]int, len(checks))
	for i := range list {
		list[i] = i
	}
	slices.SortStableFunc(list, func(a, b int) int {
		return cmp.Compare(slices.Index(order, checks[a].Name), slices.Index(order, checks[b].Name))
	})
	return list
}
