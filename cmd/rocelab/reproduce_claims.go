//go:build !mem

package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/internal/terminal"
	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/many/reproduce"
	"github.com/rocelab/rocelab/testbed/many/reproduce/published"
)

// readRegistry reads rows, and the claims by which they are judged. It returns the IDs that arguments are: those of
// the rows of files, if they are files.
func (f *reproduceFlags) readRegistry(arguments []string) (ids []string, err error) {
	files := slices.DeleteFunc(slices.Clone(arguments), func(argument string) bool { return !isFile(argument) })
	switch {
	case f.hardware:
		return arguments, f.readHardware()
	case len(files) > 0:
		if f.judged, err = ownRows(f, files, len(arguments)); err != nil {
			return nil, usage(err)
		}
		return rowIDs(f.judged.Rows), nil
	case f.registry == "":
		f.judged = published.Shipped()
		return arguments, nil
	}
	text, err := os.ReadFile(f.registry)
	if err != nil {
		return nil, usage(err)
	}
	if f.judged, err = published.Read(f.registry, text); err != nil {
		return nil, usage(err)
	}
	return arguments, nil
}

// isFile reports whether an argument is a file, and not the ID of a row.
func isFile(argument string) bool {
	return strings.HasSuffix(argument, ".yaml") || strings.HasSuffix(argument, ".yml") ||
		strings.ContainsAny(argument, `/\`)
}

// ownRows reads rows of anyone's.
func ownRows(f *reproduceFlags, files []string, arguments int) (*published.Set, error) {
	if len(files) < arguments {
		return nil, errors.New("arguments are either IDs of rows or files of rows, not both")
	}
	if f.registry != "" || f.paper != "" || f.all || f.night || f.mutants {
		return nil, errors.New("files have their own criteria, papers and seeds: leave --registry, --paper, --all, " +
			"--night and --mutants out")
	}
	return published.Own(files)
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
