package reproduce

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/internal/terminal"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/model"
)

// Trial carries the rows of a work out without their faults and with them.
type Trial struct {
	Work *Work
	// Root is the folder of rocelab's source; Hardware is set if rows are records of hardware, which a rebuilt rocelab
	// must know.
	Root     string
	Hardware bool
	// Say gets a line for each step.
	Say func(text string)
}

// FaultReport has the outcome of the faults of rows.
type FaultReport struct {
	Faults []faultLine `json:"faults"`
	// Unseen are criteria of grade P, by row, that are met and that none of the faults has turned red.
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
	// Seen reports whether it is seen, By has the criteria that do, Measured their figures; Error is the reason why it is
	// unknown.
	Seen     bool     `json:"seen"`
	By       []string `json:"by"`
	Measured string   `json:"measured,omitempty"`
	Error    string   `json:"error,omitempty"`
}

// Survived reports whether a fault is not seen.
func (r *FaultReport) Survived() bool {
	return slices.ContainsFunc(r.Faults, func(line faultLine) bool { return !line.Seen })
}

// Do carries the trial out, with the faults of the work's rows. The error is one of ctx if that was cancelled.
func (t *Trial) Do(ctx context.Context, all []*Fault) (*FaultReport, error) {
	without := map[string]*rowDocument{}
	for _, job := range t.Work.List {
		without[job.Row.ID] = nil
	}
	if err := documents(ctx, t.Work, func(i int, d *rowDocument) { without[d.ID] = d }); err != nil {
		return nil, err
	}
	var faults []*Fault
	for _, fault := range all {
		if _, chosen := without[fault.Row]; chosen {
			faults = append(faults, fault)
		}
	}
	with, err := t.withFaults(ctx, faults)
	if err != nil {
		return nil, err
	}
	return judgeFaults(faults, without, with), nil
}

// documents carries work out and gives what each row came to, by its place in the list.
func documents(ctx context.Context, work *Work, take func(int, *rowDocument)) error {
	at := 0
	err := work.Do(ctx, func(judged *Judged) error {
		take(at, &Documented(model.Version, []*Judged{judged}).Rows[0])
		at++
		return nil
	})
	if err == nil {
		err = ctx.Err()
	}
	return err
}

// withFaults carries rows out with their faults: faults of the scenario all together, faults of the source one after
// the other.
func (t *Trial) withFaults(ctx context.Context, faults []*Fault) ([]*rowDocument, error) {
	with := make([]*rowDocument, len(faults))
	changed := *t.Work
	changed.List = nil
	var places []int
	for i, fault := range faults {
		if len(fault.Change.Files) > 0 {
			continue
		}
		at := slices.IndexFunc(t.Work.List, func(job *Job) bool { return job.Row.ID == fault.Row })
		changed.List = append(changed.List, t.Work.List[at].With(fault.Set))
		places = append(places, i)
	}
	if len(places) > 0 {
		t.Say(unit.Count(len(places), "fault") + " by changes of scenarios")
	}
	if err := documents(ctx, &changed, func(i int, d *rowDocument) { with[places[i]] = d }); err != nil {
		return nil, err
	}
	for i, fault := range faults {
		if len(fault.Change.Files) == 0 {
			continue
		}
		t.Say(fmt.Sprintf("%s: building a rocelab with the fault: %s", fault.Row, terminal.Line(fault.Name)))
		document, err := t.rebuilt(ctx, fault)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			return nil, exit.Host(fmt.Errorf("%s: %s: %w", fault.Row, fault.Name, err))
		}
		with[i] = document
	}
	return with, nil
}

// rebuilt builds a rocelab with a fault in its source, and has it carry the row out.
func (t *Trial) rebuilt(ctx context.Context, fault *Fault) (*rowDocument, error) {
	folder, err := os.MkdirTemp("", "rocelab-mutant-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	overlay, err := fault.Change.Overlay(t.Root, folder)
	if err != nil {
		return nil, err
	}
	program := filepath.Join(folder, "rocelab.mutant")
	build := exec.CommandContext(ctx, "go", "build", "-overlay="+overlay, "-o", program, "./cmd/rocelab")
	build.Dir = t.Root
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	arguments := []string{"reproduce", fault.Row, "--format", "json", "--progress", "none",
		"--jobs", strconv.Itoa(t.Work.Jobs), "--out", filepath.Join(folder, "results")}
	if t.Hardware {
		arguments = append(arguments, "--hardware")
	}
	run := exec.CommandContext(ctx, program, arguments...)
	run.Cancel = func() error { return run.Process.Signal(os.Interrupt) }
	var said strings.Builder
	run.Stderr = &said
	out, failed := run.Output() // the row is meant to be red
	var document Document
	if err := json.Unmarshal(out, &document); err != nil || len(document.Rows) != 1 {
		return nil, fmt.Errorf("%w: %s", errors.Join(failed, err), said.String())
	}
	return &document.Rows[0], nil
}

// judgeFaults reports which faults are seen.
func judgeFaults(faults []*Fault, without map[string]*rowDocument, with []*rowDocument) *FaultReport {
	report := &FaultReport{Faults: []faultLine{}, Unseen: map[string][]string{}}
	by := map[string][]string{}
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
		seen, err := caught(better, worse, fault.Criterion)
		if err != nil {
			line.Error = err.Error()
		} else {
			line.By = append(line.By, seen...)
			line.Measured = worse.measured(seen)
			line.Seen = len(seen) > 0 && (fault.Criterion == "" || slices.Contains(seen, fault.Criterion))
			by[fault.Row] = append(by[fault.Row], seen...)
		}
		report.Faults = append(report.Faults, line)
	}
	for id, row := range without {
		if left := unseen(row, by[id]); len(left) > 0 {
			report.Unseen[id] = left
		}
	}
	return report
}

// Lines has a line for each fault, survivors in capitals, and the counts.
func (r *FaultReport) Lines() (lines []string) {
	seen := 0
	for i := range r.Faults {
		line := &r.Faults[i]
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
		lines = append(lines, text)
	}
	for _, id := range slices.Sorted(maps.Keys(r.Unseen)) {
		lines = append(lines, fmt.Sprintf("no fault turns red: %s: %s", id, strings.Join(r.Unseen[id], ", ")))
	}
	return append(lines, fmt.Sprintf("%s: %d seen, %d survive", unit.Count(len(r.Faults), "fault"), seen,
		len(r.Faults)-seen))
}
