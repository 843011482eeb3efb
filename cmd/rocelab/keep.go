package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/look/baseline"
	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/many/experiment"
)

// keepFlags are the flags with which a project's own checks hold a scenario to its former quality.
type keepFlags struct {
	baseline   string
	tolerances []string
	junit      string
	summary    string

	held    *baseline.Baseline
	allowed baseline.Tolerances
}

func (f *keepFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.baseline, "baseline", "",
		"run folder of the same scenario to compare the metrics with: a worse metric is a failure")
	flags.StringArrayVar(&f.tolerances, "tolerance", nil,
		"by how much metrics may be worse than the baseline's: 5% for all of them, or queue_max_bytes=5% for one; "+
			"if metrics are named, only those are compared (repeatable; default 0% for all)")
	flags.StringVar(&f.junit, "junit", "", "write a JUnit report to this file")
	flags.StringVar(&f.summary, "summary", "",
		"append the report as Markdown to this file, such as $GITHUB_STEP_SUMMARY")
}

// check reads the baseline, and refuses one of another scenario and files that cannot be written.
func (f *keepFlags) check(planned *experiment.Experiment) (err error) {
	if len(f.tolerances) > 0 && f.baseline == "" {
		return usage(errors.New("--tolerance needs --baseline, the run folder to compare with"))
	}
	if f.allowed, err = baseline.ParseTolerances(f.tolerances); err != nil {
		return usage(fmt.Errorf("--tolerance: %w", err))
	}
	if f.baseline != "" {
		if f.held, err = baseline.Open(f.baseline); err == nil {
			err = f.held.Fits(planned.Name, planned.Digest, planned.Overrides)
		}
		if err != nil {
			return usage(fmt.Errorf("--baseline: %w", err))
		}
	}
	for _, path := range []string{f.junit, f.summary} {
		if err := writable(path); err != nil {
			return host(err)
		}
	}
	return nil
}

// judge holds a report's runs to the baseline.
func (f *keepFlags) judge(report *experiment.Report) {
	if f.held == nil {
		return
	}
	var runs []*result.Summary
	for _, run := range report.Runs {
		if !run.Verdict.WasInterrupted() {
			runs = append(runs, run.Summary)
		}
	}
	report.Baseline = f.held.Judge(runs, f.allowed)
}

// write writes the files that were asked for.
func (f *keepFlags) write(report *experiment.Report) error {
	to := func(path string, flag int, print func(io.Writer) error) error {
		if path == "" {
			return nil
		}
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|flag, 0o666)
		if err != nil {
			return err
		}
		return errors.Join(print(file), file.Close())
	}
	return errors.Join(
		to(f.junit, os.O_TRUNC, report.WriteJUnit),
		to(f.summary, os.O_APPEND, func(w io.Writer) error {
			return report.Print(w, page.FormatMarkdown, pageOf(w))
		}),
	)
}

// writable returns why no report can be written at path; "" is none.
func writable(path string) error {
	if path == "" {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	to, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return to.Close()
}
