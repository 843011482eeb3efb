//go:build !mem

package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rocelab/rocelab/experiments"
	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/many/reproduce"
	"github.com/rocelab/rocelab/testbed/many/reproduce/published"
)

// hardwareFile is where figures are recorded beside records of hardware.
const hardwareFile = "hardware.json"

func (f *reproduceFlags) addHardware(flags *pflag.FlagSet) {
	flags.BoolVar(&f.hardware, "hardware", false, "records of hardware in place of papers; without IDs the table "+
		"of all records, misses first")
	flags.StringVar(&f.records, "records", "", "with --hardware, the records of this folder in place of the "+
		"shipped ones; the recorded figures are in its "+hardwareFile)
	flags.BoolVar(&f.fit, "fit", false, "with --hardware, carry records out over the values of their fits: exit "+
		"code 1 if a scenario does not have the best of them")
}

// readHardware reads the records.
func (f *reproduceFlags) readHardware() (err error) {
	if f.paper != "" || f.registry != "" || f.night || f.claims {
		return usage(errors.New("--hardware has no papers: leave --paper, --registry, --night and --claims out"))
	}
	if f.beside = published.Hardware(); f.records != "" {
		if f.beside, err = reproduce.ReadHardware(f.records, os.DirFS(f.records)); err != nil {
			return usage(err)
		}
	}
	f.judged = &published.Set{Rows: f.beside.Rows, Registry: f.beside.Registry}
	return nil
}

// recordedFigures are the shipped ones, or those in the folder of --records.
func (f *reproduceFlags) recordedFigures() (*reproduce.Recorded, error) {
	switch {
	case !f.hardware:
		return reproduce.ReadRecorded(experiments.Reproduction)
	case f.records == "":
		return reproduce.ReadRecorded(experiments.RecordedHardware)
	}
	text, err := os.ReadFile(filepath.Join(f.records, hardwareFile))
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(text) == 0 { // --record makes it empty first
		return &reproduce.Recorded{Rows: map[string]*reproduce.RecordedRow{}}, nil
	}
	if err != nil {
		return nil, usage(err)
	}
	return reproduce.ReadRecorded(text)
}

// listHardware prints all figures beside the recorded ones, and returns the exit code.
func (f *reproduceFlags) listHardware(to io.Writer) (int, error) {
	recorded, err := f.recordedFigures()
	if err != nil {
		return 0, err
	}
	lines := f.beside.Recorded(recorded)
	code := exit.CodePass
	if reproduce.ScoreOfHardware(lines).Unexplained > 0 {
		code = exit.CodeFailed
	}
	return code, host(reproduce.HardwareDocument(lines).Print(to, f.format, pageOf(to)))
}

// writeHardware writes the page of the records beside hardware, and its pictures.
func (f *reproduceFlags) writeHardware(recorded *reproduce.Recorded) error {
	folder := filepath.Join(f.pagesFolder(), "hardware")
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	for name, text := range f.beside.Pictures(recorded) {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	return writeFile(filepath.Join(f.pagesFolder(), "HARDWARE.md"), func(to io.Writer) error {
		return published.WriteHardware(to, f.beside, recorded)
	})
}

// runFits carries out the fits of records, prints each, and returns the exit code.
func (f *reproduceFlags) runFits(c *cobra.Command, work *reproduce.Work) (int, error) {
	if !f.hardware || f.check || f.record != "" || f.page != "" {
		return 0, usage(errors.New("--fit needs --hardware, and excludes --check, --record and --page"))
	}
	code := exit.CodePass
	var fits []*reproduce.Fitting
	for _, job := range work.List {
		record := f.beside.Of(job.Row.ID)
		for _, fit := range record.Fits {
			fitting, err := record.Fit(c.Context(), work, fit)
			if c.Context().Err() != nil {
				return 0, errInterrupted
			}
			if err != nil {
				return 0, err
			}
			if fits = append(fits, fitting); !fitting.Holds() {
				code = exit.CodeFailed
			}
			if f.format == page.FormatTable {
				work.Meter.End()
				if err := fitting.Document(record).Print(c.OutOrStdout(), f.format, pageOf(c.OutOrStdout())); err != nil {
					return 0, host(err)
				}
			}
		}
	}
	if len(fits) == 0 {
		return 0, usage(fmt.Errorf("none of these records has a fit: %s have one", f.withFits()))
	}
	if f.format != page.FormatTable {
		d := &page.Document{Title: "Fits", Kind: "reproduce", Record: fits}
		return code, host(d.Print(c.OutOrStdout(), f.format, pageOf(c.OutOrStdout())))
	}
	return code, nil
}

// withFits names the records that have fits.
func (f *reproduceFlags) withFits() (ids []string) {
	for _, one := range f.beside.Records {
		if len(one.Fits) > 0 && one.Row != nil {
			ids = append(ids, one.ID)
		}
	}
	return slices.Compact(ids)
}
