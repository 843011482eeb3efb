package result

import "io"

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
	writeSheet(files, flowSheet, outcome.eachFlow)
	writeSheet(files, portSheet, outcome.eachPort)
	writeSheet(files, queueSheet, outcome.eachQueue())
	writeSheet(files, pfcSheet, outcome.eachClass())
	writeSheet(files, watchdogSheet, outcome.eachStorm)
	writeSheet(files, dropSheet, outcome.eachDrop())
	if bins := outcome.SizeBins(); len(bins) > 0 {
		writeSheet(files, sizeSheet, rowsOf(bins))
	}
	if outcome.proximalNote() != "" {
		writeSheet(files, proximalSheet, outcome.eachAction)
		writeSheet(files, proximalCounterSheet, outcome.eachProximal)
	}
	if len(outcome.Plan.Collectives) > 0 {
		writeSheet(files, collectiveSheet, outcome.eachIteration)
	}
	writeKinds(files, outcome)
	if outcome.Plan.Record.Interval > 0 {
		writeSheet(files, flowSeriesSheet, outcome.eachFlowBin)
		writeSheet(files, queueSeriesSheet, outcome.eachQueueBin)
	}
	if files.err == nil {
		files.err = f.Write(files.prefix+"summary.json", func(w io.Writer) error { return writeSummary(w, summary, verdict) })
	}
	return files.err
}

// writeSheet writes a sheet, and notes which columns it has.
func writeSheet[R any](files *runFiles, s sheet[R], each func(yield func(*R) bool)) {
	if files.err != nil {
		return
	}
	files.err = files.Write(files.prefix+s.file, func(w io.Writer) error {
		columns, err := s.write(w, files.label, each)
		present := files.present[s.file]
		if present == nil {
			present = map[string]bool{}
			files.present[s.file] = present
		}
		for _, c := range columns {
			present[c.name] = true
		}
		return err
	})
}
