package acceptance

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/formatter"
	"github.com/onsi/ginkgo/v2/types"
	"github.com/onsi/gomega"
)

// KnownLabels are those of the specs.
var KnownLabels = []string{"lossless", "fairness", "convergence", "recovery", "clocks", "determinism", "veth"}

// Config is what to run.
type Config struct {
	Subjects []*Subject
	// Filter chooses specs by their labels, as Ginkgo has it: "lossless",
	// "recovery || clocks", "!veth". "" for all.
	Filter string
	// Done, if not nil, is called after each spec with how many of the chosen
	// ones are done.
	Done func(done, total int, s Spec)
}

// Spec is a spec and what it came to.
type Spec struct {
	// Text is the sentence, without the subject that heads it.
	Subject, Text string
	Labels        []string
	Outcome       Outcome
	// Figure is what was measured; Why is the failure, or why it was skipped.
	Figure, Why string
	Seconds     float64
}

// Outcome is what a spec came to.
type Outcome string

// The outcomes.
const (
	Met     Outcome = "pass"
	Missed  Outcome = "fail"
	Skipped Outcome = "skipped"
	// NotRun is a spec that was not chosen, or that an end of the whole left
	// no time for.
	NotRun Outcome = "not run"
)

// Result is what the specs came to.
type Result struct {
	// Specs are those that the filter chose, in their order.
	Specs []Spec
	// Ginkgo is its own report, for JUnit and JSON.
	Ginkgo types.Report
}

// Passed tells that no spec failed.
func (r *Result) Passed() bool {
	return !slices.ContainsFunc(r.Specs, func(s Spec) bool { return s.Outcome == Missed })
}

// ErrInterrupted ends specs that were stopped from outside.
var ErrInterrupted = errors.New("interrupted")

// suite is the one that is under way.
type suite struct {
	Config
	ctx context.Context
	// err is the first error that no spec is to blame for, such as a crash.
	err error
}

// prepare checks the filter and declares the specs.
func prepare(ctx context.Context, c Config) (*suite, types.SuiteConfig, error) {
	config := types.NewDefaultSuiteConfig()
	config.RandomSeed = 1 // the order is that of the declarations in any case
	config.LabelFilter = c.Filter
	filter, err := types.ParseLabelFilter(c.Filter)
	if err != nil {
		return nil, config, fmt.Errorf("%q is no filter of labels: write labels joined by &&, || and !, in brackets where needed; labels are %s", c.Filter, strings.Join(KnownLabels, ", "))
	}
	if !slices.ContainsFunc(KnownLabels, func(l string) bool { return filter([]string{l}) }) {
		return nil, config, fmt.Errorf("no spec is labelled %s: labels are %s", c.Filter, strings.Join(KnownLabels, ", "))
	}
	s := &suite{Config: c, ctx: ctx}
	gomega.RegisterFailHandler(ginkgo.Fail)
	for _, subject := range c.Subjects {
		s.declare(subject)
	}
	return s, config, nil
}

// List returns the specs without running them.
func List(c Config) (*Result, error) {
	_, config, err := prepare(context.Background(), c)
	if err != nil {
		return nil, err
	}
	r := ginkgo.PreviewSpecs("acceptance", config, types.NewDefaultReporterConfig())
	return resultOf(r), nil
}

// Run runs the specs; once in a process, and not after List. The error is what
// no spec is to blame for: a plugin that crashed, a host that refused, or
// ErrInterrupted. The report then holds what there was by then.
func Run(ctx context.Context, c Config) (*Result, error) {
	s, config, err := prepare(ctx, c)
	if err != nil {
		return nil, err
	}
	// Ginkgo's own report goes to stdout, where ours is to stand.
	old := formatter.ColorableStdOut
	formatter.ColorableStdOut = io.Discard
	defer func() { formatter.ColorableStdOut = old }()
	ginkgo.GinkgoWriter.ClearTeeWriters()

	var report types.Report
	done, total := 0, 0
	ginkgo.ReportBeforeSuite(func(r types.Report) { total = r.PreRunStats.SpecsThatWillRun })
	ginkgo.ReportAfterEach(func(r types.SpecReport) {
		if chosen(r) && c.Done != nil {
			done++
			c.Done(done, total, specOf(r))
		}
	})
	ginkgo.ReportAfterSuite("", func(r types.Report) { report = r })
	ginkgo.RunSpecs(nothing{}, "rocelab acceptance: "+titles(c.Subjects), config, types.NewDefaultReporterConfig())
	err = s.err
	if ctx.Err() != nil || slices.Contains(report.SpecialSuiteFailureReasons, "Interrupted by User") {
		err = ErrInterrupted
	}
	return resultOf(report), err
}

// nothing takes the place of a testing.T: the report has it all.
type nothing struct{}

func (nothing) Fail() {}

func titles(subjects []*Subject) string {
	var list []string
	for _, s := range subjects {
		list = append(list, s.Title)
	}
	return strings.Join(list, ", ")
}

// chosen tells whether a spec is one that the filter chose.
func chosen(r types.SpecReport) bool {
	return r.LeafNodeType.Is(types.NodeTypeIt) && !(r.State == types.SpecStateSkipped && r.Failure.Message == "")
}

func resultOf(g types.Report) *Result {
	r := &Result{Ginkgo: g}
	filter, err := types.ParseLabelFilter(g.SuiteConfig.LabelFilter)
	for _, s := range g.SpecReports {
		if s.LeafNodeType.Is(types.NodeTypeIt) && err == nil && filter(s.Labels()) {
			r.Specs = append(r.Specs, specOf(s))
		}
	}
	return r
}

func specOf(r types.SpecReport) Spec {
	s := Spec{Text: r.LeafNodeText, Labels: r.Labels(), Seconds: r.RunTime.Seconds()}
	if len(r.ContainerHierarchyTexts) > 0 {
		s.Subject = r.ContainerHierarchyTexts[0]
	}
	switch {
	case r.State.Is(types.SpecStatePassed):
		s.Outcome = Met
	case r.State.Is(types.SpecStateSkipped) && r.Failure.Message != "":
		s.Outcome, s.Why = Skipped, r.Failure.Message
	case r.State.Is(types.SpecStateSkipped | types.SpecStatePending | types.SpecStateInvalid | types.SpecStateInterrupted | types.SpecStateAborted):
		s.Outcome, s.Why = NotRun, r.Failure.Message
	default:
		s.Outcome, s.Why = Missed, r.Failure.Message
		if r.State.Is(types.SpecStatePanicked) {
			s.Why = "panic: " + r.Failure.ForwardedPanic
		}
	}
	var figures []string
	for _, e := range r.ReportEntries {
		figures = append(figures, e.StringRepresentation())
	}
	s.Figure = strings.Join(figures, "; ")
	return s
}
