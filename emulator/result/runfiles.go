package result

import (
	"fmt"
	"io"
)

// runFiles are the files of one run as they are written; err is the first error.
type runFiles struct {
	*Folder
	prefix string
	label  runLabel
	err    error
}

// WriteRun writes the files of one run into the subfolder sub, "" for the top.
// summary.json is the last: a subfolder that has it is whole.
func (f *Folder) WriteRun(sub string, outcome *Outcome, summary *Summary, verdict Verdict) error {
	files := &runFiles{Folder: f, label: runLabel{summary.Variant, summary.Seed}}
	if sub != "" {
		files.prefix = sub + "/"
	}
	writeSheet(files, traceSheet, traceRows(outcome))
	writeSheet(files, flowSheet, outcome.eachFlow)
	writeSheet(files, slowSheet, slowRows(outcome))
	if outcome.Why != nil {
		writeSheet(files, whySheet, whyRows(outcome))
	}
	writeSheet(files, portSheet, outcome.eachPort)
	writeSheet(files, queueSheet, queueRows(outcome))
	writeSheet(files, pfcSheet, classRows(outcome))
	writeSheet(files, watchdogSheet, stormRows(outcome))
	writeSheet(files, dropSheet, dropRows(outcome))
	if len(outcome.Deadlocks) > 0 {
		writeSheet(files, deadlockSheet, deadlockRows(outcome))
	}
	if len(outcome.Outages) > 0 {
		writeSheet(files, outageSheet, outageRows(outcome))
	}
	if bins := outcome.SizeBins(); len(bins) > 0 {
		writeSheet(files, sizeSheet, rowsOf(bins))
	}
	if steps := swingSteps(outcome.Flows); len(steps) > 0 {
		writeSheet(files, swingSheet, rowsOf(steps))
	}
	if proximalNote(outcome) != "" {
		writeSheet(files, proximalSheet, actionRows(outcome))
		writeSheet(files, proximalCounterSheet, counterRows(outcome))
	}
	if len(outcome.Plan.Collectives) > 0 {
		writeSheet(files, collectiveSheet, iterationRows(outcome))
		if len(outcome.JobWhy) > 0 {
			writeSheet(files, jobWhySheet, jobWhyRows(outcome))
		}
		writeSheet(files, rankSheet, rankRows(outcome))
	}
	writeKinds(files, outcome)
	if outcome.Recorded != nil && !f.noSeries {
		series := seriesFiles(outcome)
		fitSeries(outcome, series, files.label)
		for i, file := range series {
			files.write(file.name, func(w io.Writer) ([]string, error) {
				return file.write(w, files.label, outcome.Recorded.Files[i].Width)
			})
		}
		f.noteLeftOut(summary, outcome.Recorded)
	}
	if files.err == nil {
		files.err = f.Write(files.prefix+"summary.json", func(w io.Writer) error { return writeSummary(w, summary, verdict) })
	}
	return files.err
}

// writeSheet writes a sheet, and notes which columns it has.
func writeSheet[R any](files *runFiles, s sheet[R], each func(yield func(*R) bool)) {
	files.write(s.file, func(w io.Writer) ([]string, error) { return s.writeNamed(w, files.label, each) })
}

// write writes a file with what prints it and returns the names of its columns.
func (f *runFiles) write(name string, print func(w io.Writer) (columns []string, err error)) {
	if f.err != nil {
		return
	}
	f.err = f.Write(f.prefix+name, func(w io.Writer) error {
		columns, err := print(w)
		f.note(name, columns)
		return err
	})
}

// note notes which columns a sheet has in one run, to be documented.
func (f *Folder) note(sheet string, columns []string) {
	present := f.present[sheet]
	if present == nil {
		present = map[string]bool{}
		f.present[sheet] = present
	}
	for _, name := range columns {
		present[name] = true
	}
}

// noteLeftOut notes for the documentation what the series of a run leave out.
func (f *Folder) noteLeftOut(summary *Summary, recorded *recorded) {
	for _, text := range recorded.leftOut() {
		f.leftOut = append(f.leftOut, fmt.Sprintf("%s, seed %d: %s", summary.Variant, summary.Seed, text))
	}
}
