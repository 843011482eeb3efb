//go:build !mem

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/rocelab/rocelab/internal/terminal"
	"github.com/rocelab/rocelab/testbed/many/reproduce"
	"github.com/rocelab/rocelab/testbed/model"
)

func (f *reproduceFlags) recordFile() string {
	if f.record == "" {
		return ""
	}
	if f.hardware {
		return filepath.Join(f.record, hardwareFile)
	}
	return filepath.Join(f.record, "reproduction.json")
}

// recordedThere is the content of the folder of --record, empty if the folder is new.
func (f *reproduceFlags) recordedThere() (*reproduce.Recorded, error) {
	recorded := &reproduce.Recorded{Format: reproduce.RecordedFormat, Rows: map[string]*reproduce.RecordedRow{}}
	text, err := os.ReadFile(f.recordFile())
	if err == nil && len(text) > 0 { // it is made empty before the rows are carried out
		recorded, err = reproduce.ReadRecorded(text)
	} else if errors.Is(err, os.ErrNotExist) {
		err = nil
	}
	if err != nil {
		return nil, usage(fmt.Errorf("%s: %w", f.recordFile(), err))
	}
	return recorded, nil
}

// write records rows, and writes the page of the records.
func (f *reproduceFlags) write(stdout io.Writer, judged []*reproduce.Judged) error {
	recorded, err := f.recordedThere()
	if err != nil {
		return err
	}
	known := map[string]bool{}
	for _, row := range f.judged.Rows {
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
	changes, err := f.changes()
	if err != nil {
		return err
	}
	recorded.FreezeAll(f.judged.Registry, changes)
	if err := writeFile(f.recordFile(), recorded.Write); err != nil {
		return host(err)
	}
	if f.hardware {
		return host(f.writeHardware(recorded))
	}
	return host(writeFile(filepath.Join(f.pagesFolder(), "REPRODUCTION.md"), func(to io.Writer) error {
		return f.judged.WriteMarkdown(to, recorded)
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
