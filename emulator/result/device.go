package result

import (
	"fmt"
	"slices"

	"github.com/rocelab/rocelab/emulator/record"
)

// Device is the record of a node whose kind this package does not know.
type Device struct {
	Ports []record.Port
	// Resident is the volume that it held at the end.
	Resident Volume
	// Foreign counts the frames that came in from outside, nil for a device without an outside.
	Foreign *record.Foreign
}

// KindSheet is a sheet that one kind of node has: a CSV file with a row for
// each node of the kind. The column of their names comes first by itself.
type KindSheet struct {
	// File is its name in the run folder, "lateness.csv"; Doc describes its content.
	File, Doc string
	Columns   []KindColumn
}

// KindColumn is a column of a KindSheet. Its name carries its unit.
type KindColumn struct{ Name, Doc string }

// kindRows is a KindSheet with its rows.
type kindRows struct {
	*KindSheet
	rows []kindRow
}

type kindRow struct {
	node  string
	cells []string
}

// AddRow adds a node's row to the sheet of its kind. It panics if the row has not one
// cell for each column, which is a fault of the kind's package.
func (o *Outcome) AddRow(kind *KindSheet, node string, cells []string) {
	if len(cells) != len(kind.Columns) {
		panic(fmt.Sprintf("result: a row of %s has %d cells for %d columns", kind.File, len(cells), len(kind.Columns)))
	}
	i := slices.IndexFunc(o.sheets, func(k kindRows) bool { return k.File == kind.File })
	if i < 0 {
		i = len(o.sheets)
		o.sheets = append(o.sheets, kindRows{KindSheet: kind})
	}
	o.sheets[i].rows = append(o.sheets[i].rows, kindRow{node, cells})
}

// sheet is s as the package's own sheets are.
func (s *KindSheet) sheet() sheet[kindRow] {
	columns := []column[kindRow]{textColumn("node", "The node.", func(r *kindRow) string { return r.node })}
	for i, c := range s.Columns {
		columns = append(columns, textColumn(c.Name, c.Doc, func(r *kindRow) string { return r.cells[i] }))
	}
	return sheet[kindRow]{s.File, s.Doc, columns}
}

// writeKinds writes the sheets of the kinds, and keeps them to be documented.
func writeKinds(files *runFiles, outcome *Outcome) {
	for _, k := range outcome.sheets {
		s := k.sheet()
		writeSheet(files, s, rowsOf(k.rows))
		files.documentKind(s)
	}
}

// documentKind keeps the sheet of a kind to be documented.
func (f *Folder) documentKind(s sheet[kindRow]) {
	if !slices.ContainsFunc(f.kinds, func(known sheet[kindRow]) bool { return known.file == s.file }) {
		f.kinds = append(f.kinds, s)
	}
}
