//go:build !mem

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/rocelab/rocelab/emulator/terminal"
	"github.com/rocelab/rocelab/specs/papers"
	"github.com/rocelab/rocelab/testbed/model"
	"github.com/rocelab/rocelab/testbed/reproduction"
)

// differences say in what rows are not as they are recorded.
func differences(recorded *reproduction.Recorded, judged []*reproduction.Judged) (lines []string) {
	for _, one := range judged {
		if one.Err != nil {
			continue // said in the table
		}
		form := recorded.Of(one.Row.ID, one.Full)
		if form == nil {
			lines = append(lines, fmt.Sprintf("row %s is not recorded: rocelab reproduce %[1]s --record docs/findings does so",
				one.Row.ID))
			continue
		}
		if err := form.Differs(one); err != nil {
			for line := range strings.SplitSeq(err.Error(), "\n") {
				lines = append(lines, fmt.Sprintf("row %s differs from what is recorded: %s", one.Row.ID, line))
			}
		}
		for _, verdict := range one.Verdicts {
			if verdict.Outcome == reproduction.Mended {
				lines = append(lines, fmt.Sprintf("row %s documents a miss of %s that is none", one.Row.ID,
					verdict.Criterion.Name))
			}
		}
	}
	return lines
}

func (f *reproduceFlags) recordFile() string {
	if f.record == "" {
		return ""
	}
	return filepath.Join(f.record, "reproduction.json")
}

// write records rows, and writes the page of what is recorded.
func (f *reproduceFlags) write(stdout io.Writer, judged []*reproduction.Judged) error {
	recorded := &reproduction.Recorded{Format: reproduction.RecordedFormat, Rows: map[string]*reproduction.RecordedRow{}}
	text, err := os.ReadFile(f.recordFile())
	if err == nil && len(text) > 0 { // it is made empty before the rows are carried out
		recorded, err = reproduction.ReadRecorded(text)
	} else if errors.Is(err, os.ErrNotExist) {
		err = nil
	}
	if err != nil {
		return usage(fmt.Errorf("%s: %w", f.recordFile(), err))
	}
	known := map[string]bool{}
	for _, row := range papers.All() {
		known[row.ID] = true
	}
	for id := range recorded.Rows {
		if !known[id] {
			delete(recorded.Rows, id)
		}
	}
	for _, one := range judged {
		if err := recorded.Add(one, model.Version); err != nil {
			fmt.Fprintf(stdout, "not recorded: %v\n", terminal.Line(err.Error()))
		}
	}
	if err := writeFile(f.recordFile(), recorded.Write); err != nil {
		return host(err)
	}
	return host(writeFile(filepath.Join(f.record, "REPRODUCTION.md"), func(to io.Writer) error {
		return papers.WriteMarkdown(to, recorded)
	}))
}

// writeFile writes a file with what prints it.
func writeFile(path string, print func(io.Writer) error) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(print(file), file.Close())
}
