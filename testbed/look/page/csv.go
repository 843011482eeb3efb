package page

import (
	"encoding/csv"
	"io"
	"slices"
)

// WriteCSV writes rows, the header first. A column that is empty in all other rows is left out; a lone header is
// written whole.
func WriteCSV(w io.Writer, rows [][]string) error {
	if len(rows) == 0 {
		return nil
	}
	var kept []int
	for i := range rows[0] {
		filled := func(row []string) bool { return row[i] != "" }
		if len(rows) == 1 || slices.ContainsFunc(rows[1:], filled) {
			kept = append(kept, i)
		}
	}
	out := csv.NewWriter(w)
	for _, row := range rows {
		cells := make([]string, len(kept))
		for at, i := range kept {
			cells[at] = row[i]
		}
		if err := out.Write(cells); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}
