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

func (s sheet[R]) describe(text *strings.Builder) {
	text.WriteString("## " + s.file + "\n\n" + s.doc + "\n\n| column | meaning |\n|---|---|\n")
	for _, c := range s.columns {
		text.WriteString("| `" + c.name + "` | " + c.doc + " |\n")
	}
	text.WriteString("\n")
}

// write prints the header and the rows that each yields.
func (s sheet[R]) write(w io.Writer, each func(yield func(*R) bool)) error {
	out := bufio.NewWriterSize(w, 1<<16)
	buffer := make([]byte, 0, 512)
	for i, c := range s.columns {
		if i > 0 {
			buffer = append(buffer, ',')
		}
		buffer = append(buffer, c.name...)
	}
	buffer = append(buffer, '\n')
	if _, err := out.Write(buffer); err != nil {
		return err
	}
	var failed error
	each(func(r *R) bool {
		buffer = buffer[:0]
		for i, c := range s.columns {
			if i > 0 {
				buffer = append(buffer, ',')
			}
			buffer = c.cell(buffer, r)
		}
		_, failed = out.Write(append(buffer, '\n'))
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
	return column[R]{name, doc, func(buffer []byte, r *R) []byte {
		v := of(r)
		if math.IsNaN(v) {
			return buffer
		}
		return strconv.AppendFloat(buffer, v, 'f', decimals, 64)
	}}
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
	frac := strconv.AppendInt(nil, ps%1e6+1e6, 10) // a leading 1 keeps the zeros
	return append(append(buffer, '.'), frac[1:]...)
}

// appendText quotes a field where RFC 4180 asks for it.
func appendText(buffer []byte, text string) []byte {
	if !strings.ContainsAny(text, ",\"\r\n") {
		return append(buffer, text...)
	}
	return append(append(append(buffer, '"'), strings.ReplaceAll(text, `"`, `""`)...), '"')
}
