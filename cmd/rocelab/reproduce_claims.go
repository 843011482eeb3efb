//go:build !mem

package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/internal/terminal"
	"github.com/rocelab/rocelab/specs/papers"
	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

// readRegistry reads the claims by which rows are judged.
func (f *reproduceFlags) readRegistry() error {
	if f.hardware {
		return f.readHardware()
	}
	if f.registry == "" {
		f.judged = papers.Shipped()
		return nil
	}
	text, err := os.ReadFile(f.registry)
	if err != nil {
		return usage(err)
	}
	if f.judged, err = papers.Read(f.registry, text); err != nil {
		return usage(err)
	}
	return nil
}

// changes are the changed criteria that the changelog lists, none without such a file.
func (f *reproduceFlags) changes() (reproduce.Changes, error) {
	text, err := os.ReadFile(f.changelog)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, usage(err)
	}
	return reproduce.ReadChanges(text), nil
}

// standings are what claims came to by the figures that are shipped.
func (f *reproduceFlags) standings() ([]reproduce.Standing, *reproduce.Recorded, error) {
	recorded, err := f.recordedFigures()
	if err != nil {
		return nil, nil, err
	}
	return f.judged.Registry.Standings(f.judged.Rows, recorded), recorded, nil
}

// criteriaStand prints what is wrong, with the criteria and otherwise, and lowers the exit code if anything is.
func (f *reproduceFlags) criteriaStand(recorded *reproduce.Recorded, stderr io.Writer, wrong []string,
	code *int) error {
	changes, err := f.changes()
	if err != nil {
		return err
	}
	for _, line := range append(wrong, f.judged.Registry.Check(f.judged.Rows, recorded, changes)...) {
		fmt.Fprintln(stderr, "rocelab: "+terminal.Line(line))
		*code = exit.CodeFailed
	}
	return nil
}

// checkRegistry holds the registry to the figures that are recorded, without any run.
func (f *reproduceFlags) checkRegistry(stdout, stderr io.Writer) (int, error) {
	standings, recorded, err := f.standings()
	if err != nil {
		return 0, err
	}
	code := exit.CodePass
	if err := f.criteriaStand(recorded, stderr, nil, &code); err != nil {
		return 0, err
	}
	score := reproduce.ScoreOf(standings, "").String()
	if f.hardware {
		score = reproduce.ScoreOfHardware(f.beside.Recorded(recorded)).String()
	}
	_, err = fmt.Fprintln(stdout, pageOf(stdout).Fold(score, 0))
	return code, host(err)
}

// listedClaim is a claim in the list of all.
type listedClaim struct {
	*reproduce.Entry
	Hash     string            `json:"hash"`
	Outcome  reproduce.Outcome `json:"outcome"`
	Form     string            `json:"form,omitempty"`
	Have     int               `json:"seeds_recorded"`
	Measured string            `json:"measured,omitempty"`
}

// listClaims prints what papers claim, what is listed apart, and the score.
func (f *reproduceFlags) listClaims(to io.Writer) error {
	standings, _, err := f.standings()
	if err != nil {
		return err
	}
	list := []listedClaim{}
	table := page.New("claim", "row", "grade", "outcome", "by", "sentence")
	for i := range standings {
		s := &standings[i]
		list = append(list, listedClaim{
			Entry:    s.Entry,
			Hash:     s.Entry.Hash(),
			Outcome:  s.Outcome,
			Form:     s.Form,
			Have:     s.Seeds,
			Measured: s.Measured(),
		})
		if s.Entry.Counts() {
			table.Add(s.Entry.ID, s.Entry.Row, string(s.Entry.Grade), string(s.Outcome), s.Said(), s.Entry.Quote)
		}
	}
	d := &page.Document{Title: "What papers claim", Kind: "reproduce", Blocks: []page.Block{table}}
	d.Say("%v", reproduce.ScoreOf(standings, ""))
	return printAs(to, f.format, list, d)
}
