package result

import (
	"bufio"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// sheet is a CSV file of the run folder: the table behind both the file and its documentation.
type sheet[R any] struct {
	file, doc string
	columns   []column[R]
}

// column is one column of a sheet. Its name carries its unit; a name without
// one is a count, a name or a number of a port.
type column[R any] struct {
	name, doc string
	kind      ColumnKind
	cell      func(b []byte, r *R) []byte
	// bin is set if values are edges of bins.
	bin bin
}

// documented is a sheet without its rows' type.
type documented interface {
	describe(b *strings.Builder, present map[string]bool)
	name() string
	list() []SheetColumn
	binOf(column string) bin
}

func (s sheet[R]) name() string { return s.file }

// describe documents the columns that are present; all where nil.
func (s sheet[R]) describe(text *strings.Builder, present map[string]bool) {
	text.WriteString("## " + s.file + "\n\n" + s.doc + "\n\n| column | meaning |\n|---|---|\n")
	for _, c := range s.columns {
		if present == nil || present[c.name] {
			text.WriteString("| `" + c.name + "` | " + c.doc + " |\n")
		}
	}
	text.WriteString("\n")
}

// runLabel names a run in the first two columns of its sheets, so that the sheets of
// several runs can be joined.
type runLabel struct {
	variant string
	seed    uint64
}

// write prints the header and the rows of each, which must yield the same rows each time. A column without a value in
// any row is left out; a sheet without rows has all its columns. It returns the columns that it wrote.
func (s sheet[R]) write(w io.Writer, run runLabel, each func(yield func(*R) bool)) ([]column[R], error) {
	columns := s.filled(each)
	out := bufio.NewWriterSize(w, 1<<16)
	buffer := make([]byte, 0, 512)
	buffer = append(buffer, "variant,seed"...)
	for _, c := range columns {
		buffer = append(append(buffer, ','), c.name...)
	}
	buffer = append(buffer, '\n')
	if _, err := out.Write(buffer); err != nil {
		return nil, err
	}
	buffer = strconv.AppendUint(append(appendText(buffer[:0], run.variant), ','), run.seed, 10)
	label := len(buffer)
	var failed error
	each(func(r *R) bool {
		buffer = buffer[:label]
		for _, c := range columns {
			buffer = c.cell(append(buffer, ','), r)
		}
		_, failed = out.Write(append(buffer, '\n'))
		return failed == nil
	})
	if failed != nil {
		return nil, failed
	}
	return columns, out.Flush()
}

// writeNamed is write, which returns the names of the columns.
func (s sheet[R]) writeNamed(w io.Writer, run runLabel, each func(yield func(*R) bool)) (names []string, err error) {
	columns, err := s.write(w, run, each)
	for _, c := range columns {
		names = append(names, c.name)
	}
	return names, err
}

// filled returns the columns that have a value in a row; all of them where there is no row.
func (s sheet[R]) filled(each func(yield func(*R) bool)) []column[R] {
	empty := make([]int, len(s.columns)) // those without a value so far
	for i := range empty {
		empty[i] = i
	}
	var buffer []byte
	rows := false
	each(func(r *R) bool {
		rows = true
		empty = slices.DeleteFunc(empty, func(i int) bool {
			buffer = s.columns[i].cell(buffer[:0], r)
			return len(buffer) > 0
		})
		return len(empty) > 0
	})
	if !rows {
		return s.columns
	}
	var columns []column[R]
	for i, c := range s.columns {
		if !slices.Contains(empty, i) {
			columns = append(columns, c)
		}
	}
	return columns
}

// textColumn, intColumn, timeColumn and floatColumn make columns.
func textColumn[R any](name, doc string, of func(*R) string) column[R] {
	return column[R]{name: name, doc: doc, kind: TextColumn, cell: func(b []byte, r *R) []byte {
		return appendText(b, of(r))
	}}
}

func intColumn[R any, N ~int | ~int64 | ~uint64 | ~uint8](name, doc string, of func(*R) N) column[R] {
	return column[R]{name: name, doc: doc, kind: NumberColumn, cell: func(b []byte, r *R) []byte {
		return strconv.AppendInt(b, int64(of(r)), 10)
	}}
}

// timeColumn prints picoseconds as microseconds, exactly; nothing for Never.
func timeColumn[R any, T ~int64](name, doc string, of func(*R) T) column[R] {
	return column[R]{name: name, doc: doc, kind: TimeColumn, cell: func(b []byte, r *R) []byte {
		return appendMicroseconds(b, int64(of(r)))
	}}
}

// shortTimeColumn prints picoseconds as microseconds, exactly, with as few decimals as that takes: a series has
// many rows.
func shortTimeColumn[R any, T ~int64](name, doc string, of func(*R) T) column[R] {
	return column[R]{name: name, doc: doc, kind: TimeColumn, cell: func(b []byte, r *R) []byte {
		ps := int64(of(r))
		if ps%1e6 == 0 {
			return strconv.AppendInt(b, ps/1e6, 10)
		}
		b = appendMicroseconds(b, ps)
		for b[len(b)-1] == '0' {
			b = b[:len(b)-1]
		}
		return b
	}}
}

func floatColumn[R any](name, doc string, decimals int, of func(*R) float64) column[R] {
	return column[R]{name: name, doc: doc, kind: NumberColumn, cell: func(buffer []byte, r *R) []byte {
		v := of(r)
		if math.IsNaN(v) {
			return buffer
		}
		return strconv.AppendFloat(buffer, v, 'f', decimals, 64)
	}}
}

// orNever returns the time of a first event that cannot be at the very beginning, Never for 0.
func orNever(at unit.Time) unit.Time {
	if at == 0 {
		return unit.Never
	}
	return at
}

// appendMicroseconds prints ps/10^6 with six decimals.
func appendMicroseconds(buffer []byte, ps int64) []byte {
	if ps == int64(unit.Never) {
		return buffer
	}
	if ps < 0 {
		buffer, ps = append(buffer, '-'), -ps
	}
	buffer = strconv.AppendInt(buffer, ps/1e6, 10)
	point := len(buffer)
	buffer = strconv.AppendInt(buffer, ps%1e6+1e6, 10) // a leading 1 keeps the zeros
	buffer[point] = '.'
	return buffer
}

// appendText quotes a field where RFC 4180 asks for it.
func appendText(buffer []byte, text string) []byte {
	if !isQuoted(text) {
		return append(buffer, text...)
	}
	return append(append(append(buffer, '"'), strings.ReplaceAll(text, `"`, `""`)...), '"')
}

// textSize returns the number of bytes that appendText writes.
func textSize(text string) int {
	if !isQuoted(text) {
		return len(text)
	}
	return len(text) + strings.Count(text, `"`) + len(`""`)
}

// isQuoted reports whether a field must be quoted. Names are short: a loop is quicker than a search.
func isQuoted(text string) bool {
	for i := range len(text) {
		if c := text[i]; c == ',' || c == '"' || c == '\r' || c == '\n' {
			return true
		}
	}
	return false
}
