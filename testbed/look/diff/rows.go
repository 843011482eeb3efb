package diff

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/runfolder"
)

// flowsName is the file whose rows are compared: the results of single flows are in no metric.
const flowsName = "flows.csv"

// rows are the rows of flows in which two runs of one trace differ.
type rows struct {
	// Number counts them, above 0. First is the first, from 1, and Column the first of its cells that differs, with its
	// text on both sides; both are "" if one side has more rows.
	Number, First int
	Column, A, B  string
}

// table is a CSV file by columns.
type table map[string][]string

// rowsThatDiffer compares the rows of flows of two runs, by the columns that both have; nil if they are the same.
func rowsThatDiffer(a, b *Side, pair Pair) (*rows, error) {
	was, before, err := flowsOf(a, pair.A)
	if err != nil {
		return nil, err
	}
	is, after, err := flowsOf(b, pair.B)
	if err != nil {
		return nil, err
	}
	var common []string
	for _, column := range slices.Sorted(maps.Keys(was)) {
		if is[column] != nil {
			common = append(common, column)
		}
	}
	r := &rows{}
	for i := range max(before, after) {
		column := ""
		at := slices.IndexFunc(common, func(c string) bool { return i < min(before, after) && was[c][i] != is[c][i] })
		if at >= 0 {
			column = common[at]
		} else if i < min(before, after) {
			continue
		}
		if r.Number++; r.Number == 1 {
			r.First = i + 1
			if column != "" {
				r.Column, r.A, r.B = column, was[column][i], is[column][i]
			}
		}
	}
	if r.Number == 0 {
		return nil, nil
	}
	return r, nil
}

// flowsOf reads the flows of a run; a run that wrote none has none.
func flowsOf(s *Side, run result.RunID) (columns table, rows int, err error) {
	columns = table{}
	err = runfolder.RunIn(os.DirFS(s.Dir), run.Folder).Each(flowsName, nil, func(row runfolder.Row) error {
		for _, column := range row.Columns() {
			columns[column] = append(columns[column], strings.Clone(row.Text(column)))
		}
		rows++
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return columns, rows, err
}
