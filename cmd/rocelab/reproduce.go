//go:build !mem

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/internal/terminal"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/many/campaign"
	"github.com/rocelab/rocelab/testbed/many/reproduce"
	"github.com/rocelab/rocelab/testbed/many/reproduce/published"
	"github.com/rocelab/rocelab/testbed/model"
)

// reproduceFlags are the flags of reproduce.
type reproduceFlags struct {
	all, quick, full bool
	paper            string
	mutants, check   bool
	night, claims    bool
	// registry and changelog are files in place of the shipped registry, and with the changes of criteria.
	registry, changelog string
	judged              *published.Set
	// hardware selects records of hardware in place of papers, those of a folder, "" for the shipped ones; fit fits.
	hardware, fit bool
	records       string
	beside        *reproduce.HardwareRecords
	on, out       string
	jobs          int
	format        page.Format
	page          string
	recordFlags
	progress string
	asked    sweepAsked
	bring    testbedFlags
	close    func() error
}

// recordFlags are where figures are recorded: the folder of the figures, and that of the page of them, "" for the same.
type recordFlags struct{ record, pages string }

// pagesFolder is where pages of recorded figures are written.
func (f *recordFlags) pagesFolder() string { return cmp.Or(f.pages, f.record) }

func reproduceCommand(code *int) *cobra.Command {
	f := &reproduceFlags{close: func() error { return nil }}
	c := &cobra.Command{
		Use:   "reproduce [ID... | FILE...]",
		Short: "Repeat published experiments, and compare with the printed figures",
		Long: `Carry out the experiments of the papers behind the shipped algorithms: each with the
published figures, those measured here as the median of its seeds with the smallest and
the largest, the criteria, and for each missed criterion the reason, with a command
that shows it. Without IDs it lists the experiments and the score of the papers'
claims; --claims lists the claims, sentence by sentence.

A FILE.yaml is an experiment of your own, with its scenario, figures and criteria:
docs/reproduction.md describes it. It is read and checked as a whole before anything runs.

A quick form is smaller or shorter than the published experiment, and names the
difference; --full has the published size. All quick forms take about 35 minutes, full
ones up to hours. Finished runs stay in the folder of --out, named by their content:
after an interruption the same command resumes, and makes no run twice. --night carries
out the rows that claims are still owed, the most expensive first, with as many seeds as
the claims require; with --record each row is recorded as soon as it is done.

A quick form is a smoke test: the score comes from the largest form that is recorded.

--hardware has records of hardware in place of papers: without IDs it prints the table
of the figures of devices and the recorded ones, misses first. --fit carries a record out
over the values of its fits, prints the figures it was fitted on, and ends with 1 if the
scenario does not have the best of them. --records takes a folder of your own.

--mutants carries rows out with deliberate faults, which their criteria must detect, and
names the undetected ones. It needs Go, and rocelab's source in or above the working
directory: the faults are the files in its specs/mutant/rows.

The exit code is 0 if all criteria are met, or missed for a documented reason, and 1 if
one is missed without a reason or a row has no figures. With --check it is 1 if figures
differ from the recorded ones, or if criteria differ from those under which they were
judged and CHANGELOG.md does not give the reason; --check without rows only checks the
criteria. With --mutants it is 1 if a fault is not detected.`,
		Example: `  rocelab reproduce
  rocelab reproduce A10
  rocelab reproduce mine.yaml
  rocelab reproduce --paper thesis
  rocelab reproduce --all --page reproduction.html
  rocelab reproduce T2 --full
  rocelab reproduce --claims
  rocelab reproduce --check
  rocelab reproduce --night --record experiments/recorded --pages docs/findings
  rocelab reproduce --mutants A10
  rocelab reproduce --hardware
  rocelab reproduce --hardware R01 R02
  rocelab reproduce --hardware R01 --fit`,
		RunE: func(c *cobra.Command, args []string) (err error) {
			defer func() { err = errors.Join(err, f.close(), f.asked.scenario.plugins.close()) }()
			*code, err = f.run(c, args)
			return err
		},
		ValidArgsFunction: completeReproduced,
	}
	flags := c.Flags()
	flags.BoolVar(&f.all, "all", false, "carry out all rows")
	flags.StringVar(&f.paper, "paper", "", "carry out the rows of one paper: "+strings.Join(paperNames(), ", "))
	flags.BoolVar(&f.quick, "quick", false, "the quick form of each row, as without --full")
	flags.BoolVar(&f.full, "full", false, "the published size of each row")
	flags.BoolVar(&f.mutants, "mutants", false, "with deliberate faults, which the criteria must detect")
	flags.BoolVar(&f.night, "night", false, "carry out the rows that claims are owed, at the published size, the "+
		"most expensive first")
	flags.BoolVar(&f.claims, "claims", false, "list the claims of the papers, sentence by sentence, with the "+
		"outcome of each")
	flags.StringVar(&f.registry, "registry", "", "judge by the claims of this file in place of the shipped ones")
	flags.StringVar(&f.changelog, "changelog", "CHANGELOG.md", "for --check and --record: the file whose section "+
		"\"Criteria changed\" lists changes; without it none is known")
	flags.StringVar(&f.on, "on", "mem", "where to run: mem (this process), veth (containers joined by veth pairs; needs "+
		"root), one run at a time, with results in the folder veth below --out")
	flags.StringVar(&f.out, "out", "reproduction", "the folder of results")
	flags.IntVar(&f.jobs, "jobs", 0, "runs at a time; 0 for one per idle processor")
	flags.StringVar(&f.page, "page", "", "write a page to this file: all figures, and curves beside published points")
	flags.BoolVar(&f.check, "check", false, "compare with the recorded figures: exit code 1 if one differs or is "+
		"not recorded")
	flags.StringVar(&f.record, "record", "", "record the figures in reproduction.json of this folder, and write "+
		"REPRODUCTION.md there; without rows only REPRODUCTION.md")
	flags.StringVar(&f.pages, "pages", "", "for --record: the folder of REPRODUCTION.md, if it is a different one")
	flags.StringVar(&f.progress, "progress", "auto",
		"on stderr: auto (a line on a terminal), plain (a line every 2 s), none")
	f.addHardware(flags)
	formatFlag(c, &f.format)
	f.asked.scenario.plugins.add(c)
	f.bring.add(c)
	_ = c.RegisterFlagCompletionFunc("paper", words(paperNames()...))
	_ = c.RegisterFlagCompletionFunc("on", words("mem", "veth"))
	return c
}

// run carries the command out and returns its exit code.
func (f *reproduceFlags) run(c *cobra.Command, ids []string) (int, error) {
	ids, err := f.readRegistry(ids)
	if err != nil {
		return 0, err
	}
	rows, err := f.rows(ids)
	if err != nil {
		return 0, usage(err)
	}
	stdout, stderr := c.OutOrStdout(), c.ErrOrStderr()
	switch {
	case f.night && len(rows) == 0:
		fmt.Fprintln(stdout, "nothing is owed")
		return exit.CodePass, nil
	case len(rows) > 0:
	case f.claims:
		return 0, f.listClaims(stdout)
	case f.record != "":
		return 0, f.write(stdout, nil)
	case f.check:
		return f.checkRegistry(stdout, stderr)
	case f.hardware:
		return f.listHardware(stdout)
	default:
		return 0, f.listRows(stdout)
	}
	for _, path := range []string{f.page, f.recordFile()} {
		if err := writable(path); err != nil {
			return 0, host(err)
		}
	}
	work, err := f.work(c, rows)
	if err != nil {
		return 0, notBegun(c.Context(), err)
	}
	if f.mutants {
		return f.runMutants(c, work)
	}
	if f.fit {
		return f.runFits(c, work)
	}
	if err := f.announce(c, work, stderr); err != nil {
		return 0, notBegun(c.Context(), err)
	}
	var judged []*reproduce.Judged
	work.Unfinished = campaign.OpenUnfinished(campaign.UnfinishedName)
	err = work.Do(c.Context(), func(one *reproduce.Judged) error {
		judged = append(judged, one)
		if f.night && f.record != "" && one.Err == nil {
			if err := f.write(stdout, []*reproduce.Judged{one}); err != nil {
				return err
			}
		}
		if f.format != page.FormatTable || f.hardware && one.Err == nil {
			return nil
		}
		work.Meter.End()
		return host(one.Document().Print(stdout, f.format, pageOf(stdout)))
	})
	all := err == nil && c.Context().Err() == nil && !slices.ContainsFunc(judged, unfinished)
	endUnfinished(work.Unfinished, all, err, "computed row", stderr)
	if err != nil {
		return 0, err
	}
	switch {
	case f.format == page.FormatTable && f.hardware:
		err = host(reproduce.HardwareDocument(f.beside.Lines(judged)).Print(stdout, f.format, pageOf(stdout)))
	case f.format == page.FormatTable:
		err = host(printOverview(stdout, judged))
	default:
		d := reproduce.Page(model.Version, judged)
		d.Record = reproduce.Documented(model.Version, judged)
		err = host(d.Print(stdout, f.format, pageOf(stdout)))
	}
	if err != nil {
		return 0, err
	}
	if c.Context().Err() != nil && slices.ContainsFunc(judged, unfinished) {
		fmt.Fprintln(stderr, "rocelab: interrupted: the same command resumes")
		return exit.CodeInterrupted, nil
	}
	return f.end(stdout, stderr, judged)
}

// printOverview ends the output: a line for each row where there are several, and the counts.
func printOverview(to io.Writer, judged []*reproduce.Judged) error {
	on := pageOf(to)
	text := on.Fold(reproduce.Count(judged).String(), 0)
	if len(judged) > 1 {
		text = on.Render(reproduce.Overview(judged)) + "\n" + text
	}
	_, err := fmt.Fprintln(to, text)
	return err
}

func unfinished(j *reproduce.Judged) bool { return errors.Is(j.Err, reproduce.ErrUnfinished) }

// end writes the requested files beside the table, and returns the exit code.
func (f *reproduceFlags) end(stdout, stderr io.Writer, judged []*reproduce.Judged) (int, error) {
	if f.page != "" {
		if err := f.writePage(judged); err != nil {
			return 0, err
		}
	}
	code := exit.CodePass
	if slices.ContainsFunc(judged, (*reproduce.Judged).Red) {
		code = exit.CodeFailed
	}
	if f.check {
		recorded, err := f.recordedFigures()
		if err != nil {
			return 0, err
		}
		if err := f.criteriaStand(recorded, stderr, recorded.Differences(judged), &code); err != nil {
			return 0, err
		}
	}
	if f.record != "" && !f.night {
		return code, f.write(stdout, judged)
	}
	return code, nil
}

// work returns the work to do.
func (f *reproduceFlags) work(c *cobra.Command, rows []*reproduce.Row) (*reproduce.Work, error) {
	if f.quick && f.full {
		return nil, usage(errors.New("--quick and --full exclude each other"))
	}
	if f.night && (f.quick || f.full || f.mutants || f.check) {
		return nil, usage(errors.New("--night carries out full forms: leave --quick, --full, --mutants and --check out"))
	}
	if f.mutants && (f.full || f.check || f.record != "" || f.page != "") {
		return nil, usage(errors.New("--mutants runs quick forms, and writes neither records nor a page"))
	}
	if f.jobs < 0 {
		return nil, usage(fmt.Errorf("--jobs %d: allowed are 0 and above", f.jobs))
	}
	if f.jobs == 0 {
		f.jobs = idleProcessors()
	}
	stderr := c.ErrOrStderr()
	meter, err := meterFor(f.progress, stderr)
	if err != nil {
		return nil, usage(err)
	}
	if meter != nil {
		meter.Together = true
	}
	site, err := f.site(c)
	if err != nil {
		return nil, err
	}
	recorded, err := f.recordedFigures()
	if err != nil {
		return nil, err
	}
	work := &reproduce.Work{
		Out:     f.out,
		Jobs:    f.jobs,
		Room:    &campaign.Room{Bound: campaign.Available() / 5 * 4},
		Meter:   meter,
		Say:     func(text string) { fmt.Fprintln(stderr, "rocelab: "+terminal.Text(text)) },
		Seconds: recorded.SecondsOf,
	}
	if f.on == "veth" {
		work.Out = filepath.Join(f.out, "veth")
	}
	if f.night {
		if err := announceOwed(stderr, rows); err != nil {
			return nil, err
		}
	}
	var list []*reproduce.Job // the plans of large fabrics take seconds each
	err = campaign.Heed(c.Context(), func() error {
		for _, row := range rows {
			job := site.Plan(row, f.full || f.night, nil)
			if job.Err != nil && f.judged.Own {
				return usage(job.Err)
			}
			list = append(list, job)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	work.List = list
	return work, nil
}

// notBegun is the error of what comes before the first run: a plain sentence for an interruption.
func notBegun(ctx context.Context, err error) error {
	if err = interrupted(ctx, err); errors.Is(err, errInterrupted) {
		return fmt.Errorf("%w before the first run", err)
	}
	return err
}

// announceOwed names the rows of a night before they are planned, which takes a while.
func announceOwed(stderr io.Writer, rows []*reproduce.Row) error {
	var ids []string
	for _, row := range rows {
		ids = append(ids, row.ID)
	}
	_, err := fmt.Fprintf(stderr, "rocelab: %s owed, the costliest first: %s\n", unit.Count(len(rows), "row"),
		strings.Join(ids, ", "))
	return host(err)
}

// announce prints the amount of work, and how long it takes.
func (f *reproduceFlags) announce(c *cobra.Command, work *reproduce.Work, stderr io.Writer) error {
	left, err := work.Left()
	if err != nil {
		return err
	}
	text := fmt.Sprintf("%s, %s to make", unit.Count(len(work.List), "row"), unit.Count(left.Runs, "run"))
	var tried []*reproduce.Job
	for _, job := range left.Unknown {
		if job.Full && job.Plan != nil {
			tried = append(tried, job)
		}
	}
	unknown := len(left.Unknown) - len(tried)
	if len(tried) > 0 {
		if _, err := fmt.Fprintf(stderr, "rocelab: %s; some runs of %s are tried first, because their time is not "+
			"recorded\n",
			text, unit.Count(len(tried), "row")); err != nil {
			return host(err)
		}
	}
	for _, job := range tried {
		took, err := work.Sample(c.Context(), job)
		if err != nil {
			return err
		}
		left.Time += took
	}
	if left.Time > 0 && f.on == "mem" {
		text += ": about " + left.Text(f.jobs)
	}
	if unknown > 0 {
		text += fmt.Sprintf("; the time of %d of the rows is not recorded", unknown)
	}
	_, err = fmt.Fprintln(stderr, "rocelab: "+text)
	return host(err)
}
