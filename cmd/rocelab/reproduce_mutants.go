//go:build !mem

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/internal/terminal"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/many/reproduce"
	"github.com/rocelab/rocelab/testbed/model"
)

// faultReport has the outcome of the faults of rows.
type faultReport struct {
	Faults []faultLine `json:"faults"`
	// Unseen are criteria of grade P, by row, that are met and that no fault has turned red.
	Unseen map[string][]string `json:"unseen_criteria"`
}

// faultLine has the outcome of one fault.
type faultLine struct {
	Row   string `json:"row"`
	Fault string `json:"fault"`
	// Mends is set if the change is for the better: the criteria of By are met with it, and missed without.
	Mends bool `json:"mends,omitempty"`
	// Criterion is the one that is to see it, "" for any of grade P.
	Criterion string `json:"criterion,omitempty"`
	// Seen reports whether it is seen, By which criteria, with what was Measured; Error is why it is unknown.
	Seen     bool     `json:"seen"`
	By       []string `json:"by"`
	Measured string   `json:"measured,omitempty"`
	Error    string   `json:"error,omitempty"`
}

// runMutants carries rows out with their faults and returns the exit code.
func (f *reproduceFlags) runMutants(c *cobra.Command, work *reproduce.Work) (int, error) {
	ctx, stdout, stderr := c.Context(), c.OutOrStdout(), c.ErrOrStderr()
	root, err := moduleRoot(ctx)
	if err != nil {
		return 0, host(err)
	}
	all, err := reproduce.Faults(root)
	if err != nil {
		return 0, usage(err)
	}
	without := map[string]*reproduce.RowDocument{}
	if err := f.announce(c, work, stderr); err != nil {
		return 0, err
	}
	for _, job := range work.List {
		without[job.Row.ID] = nil
	}
	if err := f.documents(ctx, work, func(i int, d *reproduce.RowDocument) { without[d.ID] = d }); err != nil {
		return 0, err
	}
	var faults []*reproduce.Fault
	for _, fault := range all {
		if _, chosen := without[fault.Row]; chosen {
			faults = append(faults, fault)
		}
	}
	with, err := f.withFaults(ctx, root, work, faults, stderr)
	if err != nil {
		return 0, err
	}
	report, survived := judgeFaults(faults, without, with)
	if f.format == page.FormatJSON {
		err = writeJSON(stdout, report)
	} else {
		err = host(printFaults(stdout, report))
	}
	switch {
	case err != nil:
		return 0, err
	case survived:
		return exit.CodeFailed, nil
	}
	return exit.CodePass, nil
}

// documents carries work out and gives what each row came to, by its place in the list.
func (f *reproduceFlags) documents(ctx context.Context, work *reproduce.Work,
	take func(int, *reproduce.RowDocument)) error {
	at := 0
	err := work.Do(ctx, func(judged *reproduce.Judged) error {
		take(at, &reproduce.Documented(model.Version, []*reproduce.Judged{judged}).Rows[0])
		at++
		return nil
	})
	if err == nil && ctx.Err() != nil {
		return errInterrupted
	}
	return err
}

// withFaults carries rows out with their faults: those of the scenario all together, those of the source one after the
// other.
func (f *reproduceFlags) withFaults(ctx context.Context, root string, work *reproduce.Work,
	faults []*reproduce.Fault, stderr io.Writer) ([]*reproduce.RowDocument, error) {
	with := make([]*reproduce.RowDocument, len(faults))
	changed := *work
	changed.List = nil
	var places []int
	for i, fault := range faults {
		if len(fault.Change.Files) > 0 {
			continue
		}
		at := slices.IndexFunc(work.List, func(job *reproduce.Job) bool { return job.Row.ID == fault.Row })
		changed.List = append(changed.List, work.List[at].With(fault.Set))
		places = append(places, i)
	}
	if len(places) > 0 {
		fmt.Fprintf(stderr, "rocelab: %s by changes of scenarios\n", unit.Count(len(places), "fault"))
	}
	if err := f.documents(ctx, &changed, func(i int, d *reproduce.RowDocument) { with[places[i]] = d }); err != nil {
		return nil, err
	}
	for i, fault := range faults {
		if len(fault.Change.Files) == 0 {
			continue
		}
		fmt.Fprintf(stderr, "rocelab: %s: building a rocelab with the fault: "+
			"%s\n", fault.Row, terminal.Line(fault.Name))
		document, err := f.rebuilt(ctx, root, fault)
		if ctx.Err() != nil {
			return nil, errInterrupted
		}
		if err != nil {
			return nil, host(fmt.Errorf("%s: %s: %w", fault.Row, fault.Name, err))
		}
		with[i] = document
	}
	return with, nil
}

// rebuilt builds a rocelab with a fault in its source, and has it carry the row out.
func (f *reproduceFlags) rebuilt(ctx context.Context, root string, fault *reproduce.Fault) (
	*reproduce.RowDocument, error) {
	folder, err := os.MkdirTemp("", "rocelab-mutant-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	overlay, err := fault.Change.Overlay(root, folder)
	if err != nil {
		return nil, err
	}
	program := filepath.Join(folder, "rocelab.mutant")
	build := exec.CommandContext(ctx, "go", "build", "-overlay="+overlay, "-o", program, "./cmd/rocelab")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	arguments := []string{"reproduce", fault.Row, "--format", "json", "--progress", "none", "--jobs", strconv.Itoa(f.jobs),
		"--out", filepath.Join(folder, "results")}
	if f.hardware {
		arguments = append(arguments, "--hardware")
	}
	run := exec.CommandContext(ctx, program, arguments...)
	run.Cancel = func() error { return run.Process.Signal(os.Interrupt) }
	var said strings.Builder
	run.Stderr = &said
	out, failed := run.Output() // a row that is red is what is wanted
	var document reproduce.Document
	if err := json.Unmarshal(out, &document); err != nil || len(document.Rows) != 1 {
		return nil, fmt.Errorf("%w: %s", errors.Join(failed, err), said.String())
	}
	return &document.Rows[0], nil
}

// moduleRoot is the folder of rocelab's source, in or above the working directory.
func moduleRoot(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "github.com/rocelab/rocelab").Output()
	if err != nil {
		return "", errors.New("--mutants needs Go, and the source of rocelab in or above the working directory")
	}
	return strings.TrimSpace(string(out)), nil
}

// judgeFaults reports which faults are seen; survived reports whether one is not.
func judgeFaults(faults []*reproduce.Fault, without map[string]*reproduce.RowDocument,
	with []*reproduce.RowDocument) (report *faultReport, survived bool) {
	report = &faultReport{Faults: []faultLine{}, Unseen: map[string][]string{}}
	caught := map[string][]string{}
	for i, fault := range faults {
		line := faultLine{
			Row:       fault.Row,
			Fault:     fault.Name,
			Mends:     fault.Mends,
			Criterion: fault.Criterion,
			By:        []string{},
		}
		better, worse := without[fault.Row], with[i]
		if fault.Mends {
			better, worse = worse, better
		}
		by, err := reproduce.Caught(better, worse, fault.Criterion)
		if err != nil {
			line.Error = err.Error()
		} else {
			line.By = append(line.By, by...)
			line.Measured = worse.Measured(by)
			line.Seen = len(by) > 0 && (fault.Criterion == "" || slices.Contains(by, fault.Criterion))
			caught[fault.Row] = append(caught[fault.Row], by...)
		}
		survived = survived || !line.Seen
		report.Faults = append(report.Faults, line)
	}
	for id, row := range without {
		if unseen := reproduce.Unseen(row, caught[id]); len(unseen) > 0 {
			report.Unseen[id] = unseen
		}
	}
	return report, survived
}

// printFaults prints the outcome of faults, survivors in capitals.
func printFaults(to io.Writer, report *faultReport) error {
	on := pageOf(to)
	say := func(format string, args ...any) error {
		_, err := fmt.Fprintln(to, on.Fold(terminal.Line(fmt.Sprintf(format, args...)), 6))
		return err
	}
	seen := 0
	for i := range report.Faults {
		line := &report.Faults[i]
		text := fmt.Sprintf("SURVIVES: %s: %s", line.Row, line.Fault)
		switch {
		case line.Error != "":
			text += ": " + line.Error
		case line.Seen:
			seen++
			without := ""
			if line.Mends {
				without = "without it "
			}
			text = fmt.Sprintf("seen: %s: %s: by %s (%s%s)", line.Row, line.Fault, strings.Join(line.By, ", "), without,
				line.Measured)
		case len(line.By) > 0:
			text += fmt.Sprintf(": seen by %s, and not by %s", strings.Join(line.By, ", "), line.Criterion)
		}
		if err := say("%s", text); err != nil {
			return err
		}
	}
	for _, id := range slices.Sorted(maps.Keys(report.Unseen)) {
		if unseen := report.Unseen[id]; len(unseen) > 0 {
			if err := say("no fault turns red: %s: %s", id, strings.Join(unseen, ", ")); err != nil {
				return err
			}
		}
	}
	return say("%s: %d seen, %d survive", unit.Count(len(report.Faults), "fault"), seen, len(report.Faults)-seen)
}
