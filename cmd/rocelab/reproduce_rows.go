//go:build !mem

package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/internal/spelling"
	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/many/reproduce"
	"github.com/rocelab/rocelab/testbed/many/reproduce/published"
)

func paperNames() (names []string) {
	for _, paper := range published.Papers() {
		names = append(names, paper.Name)
	}
	return names
}

func rowIDs(rows []*reproduce.Row) (ids []string) {
	for _, row := range rows {
		ids = append(ids, row.ID)
	}
	return ids
}

// unknownRow describes the fault of an ID.
func (f *reproduceFlags) unknownRow(id string) error {
	if f.hardware {
		for _, one := range f.beside.Records {
			if strings.EqualFold(one.ID, id) {
				return fmt.Errorf("record %s cannot be run: %s", one.ID, one.Owed.Why)
			}
		}
	}
	return fmt.Errorf("there is no row %q (%s)", id, spelling.Hint(id, rowIDs(f.judged.Rows),
		"rocelab reproduce lists them"))
}

// rows are those named by arguments and flags, none if they name none.
func (f *reproduceFlags) rows(ids []string) (rows []*reproduce.Row, err error) {
	all := f.judged.Rows
	for _, id := range ids {
		at := slices.IndexFunc(all, func(row *reproduce.Row) bool { return strings.EqualFold(row.ID, id) })
		if at < 0 {
			return nil, f.unknownRow(id)
		}
		if !slices.Contains(rows, all[at]) {
			rows = append(rows, all[at])
		}
	}
	if f.paper != "" && !slices.Contains(paperNames(), f.paper) {
		return nil, fmt.Errorf("--paper %q: allowed are %s", f.paper, strings.Join(paperNames(), ", "))
	}
	whole := f.all || (f.mutants || f.night) && len(ids) == 0 && f.paper == ""
	for _, row := range all {
		if (whole || row.Paper.Name == f.paper) && !slices.Contains(rows, row) {
			rows = append(rows, row)
		}
	}
	if f.night {
		return f.owed(rows)
	}
	return rows, nil
}

// owed are the given rows whose claims are owed runs, the costliest first, with the seeds that they ask for.
func (f *reproduceFlags) owed(rows []*reproduce.Row) (list []*reproduce.Row, err error) {
	recorded, err := f.recordedFigures()
	if f.record != "" {
		recorded, err = f.recordedThere()
	}
	if err != nil {
		return nil, err
	}
	for _, debt := range f.judged.Registry.Debts(rows, recorded) {
		list = append(list, debt.Row)
	}
	return list, nil
}

// listed is a row in the list of all.
type listed struct {
	ID    string `json:"id"`
	Paper string `json:"paper"`
	// Source is where in the paper it is.
	Source string   `json:"source,omitempty"`
	Title  string   `json:"title"`
	Doubts []string `json:"doubts,omitempty"`
	// Criteria and Missed are the numbers of criteria, and of those with a documented miss.
	Criteria int `json:"criteria"`
	Missed   int `json:"documented_misses"`
}

// listRows prints what there is to reproduce, and the score.
func (f *reproduceFlags) listRows(to io.Writer) error {
	list := []listed{}
	for _, row := range f.judged.Rows {
		one := listed{
			ID:       row.ID,
			Paper:    row.Paper.Name,
			Source:   row.Source,
			Title:    row.Title,
			Doubts:   row.Doubts,
			Criteria: len(row.Criteria),
		}
		for i := range row.Criteria {
			if row.Criteria[i].Miss != nil {
				one.Missed++
			}
		}
		list = append(list, one)
	}
	table := page.New("id", "paper", "what")
	for i := range list {
		table.Add(list[i].ID, list[i].Paper, list[i].Title)
	}
	standings, _, err := f.standings()
	if err != nil {
		return err
	}
	d := &page.Document{Title: "Published experiments", Kind: "reproduce", Blocks: []page.Block{table}}
	d.Say("%v (rocelab reproduce --claims)", reproduce.ScoreOf(standings, ""))
	d.Say("rocelab reproduce ID... carries rows out, --all carries out all of them")
	return printAs(to, f.format, list, d)
}

// completeReproduced offers the IDs of rows, and files if no ID begins with the typed text.
func completeReproduced(c *cobra.Command, given []string, typed string) ([]string, cobra.ShellCompDirective) {
	rows := published.All()
	if hardware, err := c.Flags().GetBool("hardware"); err == nil && hardware {
		rows = published.Hardware().Rows
	}
	ids := slices.DeleteFunc(rowIDs(rows), func(id string) bool { return slices.Contains(given, id) })
	begins := func(id string) bool { return strings.HasPrefix(strings.ToLower(id), strings.ToLower(typed)) }
	if typed != "" && !slices.ContainsFunc(ids, begins) {
		return []string{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt
	}
	return ids, cobra.ShellCompDirectiveNoFileComp
}
