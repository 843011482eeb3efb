package report

import (
	"slices"
	"strconv"
)

// withoutZeros leaves out the columns, from the first on, whose numbers are all 0, and notes it.
func (t table) withoutZeros(first int, file string) table {
	left := false
	for i := len(t.Head) - 1; i >= first; i-- {
		tells := func(line tableRow) bool { return !line.Cells[i-1].isZero() }
		if len(t.Head) <= first+1 || slices.ContainsFunc(t.Rows, tells) {
			continue
		}
		left = true
		t.Head = slices.Delete(t.Head, i, i+1)
		for j := range t.Rows {
			t.Rows[j].Cells = slices.Delete(t.Rows[j].Cells, i-1, i)
		}
	}
	if left {
		t.LeftOut = joined(t.LeftOut, "Columns of zeros are only in "+file+".")
	}
	return t
}

// isZero reports whether a cell has no number but 0.
func (c cell) isZero() bool {
	text := c.Text
	if c.Title != "" {
		text = c.Title
	}
	value, err := strconv.ParseFloat(text, 64)
	return text == "-" || err == nil && value == 0
}

// joined joins two sentences; the first may be "".
func joined(text, more string) string {
	if text == "" {
		return more
	}
	return text + " " + more
}
