package result

import (
	"bytes"
	_ "embed"
	"fmt"
	"io"
	"strings"
)

// ColumnsName is the documentation of a run folder: every file and every column.
const ColumnsName = "columns.md"

// Columns documents all that a run folder can have, the sheets of kinds of nodes too, for
// folders that are WithoutColumns.
func Columns(kinds []KindSheet) []byte {
	all := &Folder{}
	for i := range kinds {
		all.kinds = append(all.kinds, kinds[i].sheet())
	}
	var text bytes.Buffer
	all.writeColumns(&text) // a buffer takes all
	return text.Bytes()
}

// writeColumns documents the folder from the tables that write it.
func (f *Folder) writeColumns(w io.Writer) error {
	var text strings.Builder
	text.WriteString(columnsIntroduction)
	for _, m := range metrics {
		fmt.Fprintf(&text, "| `%s` | %s |\n", m.Name, m.Doc)
	}
	text.WriteString("\n### Fairness\n\n" + fairnessDoc + "\n\n")
	if f.has(collectiveSheet) {
		text.WriteString("### Collectives\n\n" + collectiveDoc + "\n\n")
	}
	if f.has(queueSeriesSheet) {
		text.WriteString(recordingDoc + "\n")
		if len(f.leftOut) > 0 {
			text.WriteString("Left out here:\n\n- " + strings.Join(f.leftOut, "\n- ") + "\n\n")
		}
	}
	for _, s := range sheets {
		describeColumns(f, &text, s)
	}
	for _, s := range f.kinds {
		describeColumns(f, &text, s)
	}
	_, err := io.WriteString(w, strings.TrimSuffix(text.String(), "\n"))
	return err
}

// has reports whether a sheet was written; a folder that is never written has all.
func (f *Folder) has(s documented) bool { return f.present == nil || f.present[s.name()] != nil }

// describeColumns documents a sheet, if the folder has it.
func describeColumns(f *Folder, text *strings.Builder, s documented) {
	if f.has(s) {
		s.describe(text, f.present[s.name()])
	}
}

// columnsIntroduction is the beginning of the documentation, down to the head of the table of metrics.
//
//go:embed columns.md
var columnsIntroduction string
