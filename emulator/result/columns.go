package result

import (
	_ "embed"
	"fmt"
	"io"
	"strings"
)

// writeColumns documents the folder from the tables that write it.
func (f *Folder) writeColumns(w io.Writer) error {
	var text strings.Builder
	text.WriteString(columnsIntroduction)
	for _, m := range metrics {
		fmt.Fprintf(&text, "| `%s` | %s |\n", m.Name, m.Doc)
	}
	text.WriteString("\n### Fairness\n\n" + fairnessDoc + "\n\n")
	if f.present[collectiveSheet.file] != nil {
		text.WriteString("### Collectives\n\n" + collectiveDoc + "\n\n")
	}
	for _, s := range []documented{
		flowSheet, sizeSheet, portSheet, queueSheet, pfcSheet, watchdogSheet, dropSheet,
		proximalSheet, proximalCounterSheet, collectiveSheet, flowSeriesSheet, queueSeriesSheet,
	} {
		f.describe(&text, s)
	}
	for _, s := range f.kinds {
		f.describe(&text, s)
	}
	_, err := io.WriteString(w, strings.TrimSuffix(text.String(), "\n"))
	return err
}

// describe documents a sheet, if it was written.
func (f *Folder) describe(text *strings.Builder, s documented) {
	if present := f.present[s.name()]; present != nil {
		s.describe(text, present)
	}
}

// columnsIntroduction is how the documentation begins, down to the head of the table of
// metrics.
//
//go:embed columns.md
var columnsIntroduction string
