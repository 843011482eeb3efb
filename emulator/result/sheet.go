package result

import (
	"bufio"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/emulator/unit"
)

// sheet is a CSV file of the run folder: the table from which both the file
// and its documentation are made.
type sheet[R any] struct {
	file, doc string
	columns   []column[R]
}

// column is one column of a sheet. Its name carries its unit; a name without
// one is a count, a name or a number of a port.
type column[R any] struct {
	name, doc string
	cell      func(b []byte, r *R) []byte
}

// documented is a sheet without its rows' type.
type documented interface {
	describe(b *strings.Builder)
}

func (s sheet[R]) describe(b *strings.Builder) {
	b.WriteString("## " + s.file + "\n\n" + s.doc + "\n\n| column | meaning |\n|---|---|\n")
	for _, c := range s.columns {
		b.WriteString("| `" + c.name + "` | " + c.doc + " |\n")
	}
	b.WriteString("\n")
}

// write prints the header and the rows that each yields.
func (s sheet[R]) write(w io.Writer, each func(yield func(*R) bool)) error {
	out := bufio.NewWriterSize(w, 1<<16)
	b := make([]byte, 0, 512)
	for i, c := range s.columns {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, c.name...)
	}
	b = append(b, '\n')
	if _, err := out.Write(b); err != nil {
		return err
	}
	var failed error
	each(func(r *R) bool {
		b = b[:0]
		for i, c := range s.columns {
			if i > 0 {
				b = append(b, ',')
			}
			b = c.cell(b, r)
		}
		_, failed = out.Write(append(b, '\n'))
		return failed == nil
	})
	if failed != nil {
		return failed
	}
	return out.Flush()
}

// textColumn, intColumn, timeColumn and floatColumn make columns.
func textColumn[R any](name, doc string, of func(*R) string) column[R] {
	return column[R]{name, doc, func(b []byte, r *R) []byte { return appendText(b, of(r)) }}
}

func intColumn[R any, N ~int | ~int64 | ~uint64 | ~uint8](name, doc string, of func(*R) N) column[R] {
	return column[R]{name, doc, func(b []byte, r *R) []byte { return strconv.AppendInt(b, int64(of(r)), 10) }}
}

// timeColumn prints picoseconds as microseconds, exactly; nothing for Never.
func timeColumn[R any, T ~int64](name, doc string, of func(*R) T) column[R] {
	return column[R]{name, doc, func(b []byte, r *R) []byte { return appendMicroseconds(b, int64(of(r))) }}
}

func floatColumn[R any](name, doc string, decimals int, of func(*R) float64) column[R] {
	return column[R]{name, doc, func(b []byte, r *R) []byte {
		v := of(r)
		if math.IsNaN(v) {
			return b
		}
		return strconv.AppendFloat(b, v, 'f', decimals, 64)
	}}
}

// appendMicroseconds prints ps/10^6 with six decimals.
func appendMicroseconds(b []byte, ps int64) []byte {
	if ps == int64(unit.Never) {
		return b
	}
	if ps < 0 {
		b, ps = append(b, '-'), -ps
	}
	b = strconv.AppendInt(b, ps/1e6, 10)
	frac := strconv.AppendInt(nil, ps%1e6+1e6, 10) // a leading 1 keeps the zeros
	return append(append(b, '.'), frac[1:]...)
}

// appendText quotes a field where RFC 4180 asks for it.
func appendText(b []byte, s string) []byte {
	if !strings.ContainsAny(s, ",\"\r\n") {
		return append(b, s...)
	}
	return append(append(append(b, '"'), strings.ReplaceAll(s, `"`, `""`)...), '"')
}
