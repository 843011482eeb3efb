package runfolder

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
)

// MaxLine is the longest row of a CSV file that is read. Unit: bytes.
const MaxLine = 4 << 20

// buffered is the size of a read from a CSV file. Most files of a run are small, and a larger buffer for each costs
// more in collected garbage than it saves in calls. Unit: bytes.
const buffered = 64 << 10

// errRecord is a row that is not CSV.
var errRecord = errors.New("is not a row of a CSV file")

// errCut is a file whose last line has no end.
var errCut = errors.New("the file does not end with a whole line: it was cut off")

// records reads a CSV file (RFC 4180). Files of series have millions of rows and nearly never
// a quote: up to the first line that has one a row is cut at its commas, which is some
// three times as fast as encoding/csv, which reads the rest.
type records struct {
	lines  *bufio.Reader
	quoted *csv.Reader // nil up to the first quote
	rest   *bounds     // what quoted reads
	cells  []string
	// line is the number of the first line of the last row read, from 1. began is the number of the line before the
	// first with a quote; following is the first line of the next row, if quoted reads it.
	line, began, following int
	long                   []byte
	// cut is set if the last line has no end.
	cut bool
}

func newRecords(from io.Reader) *records { return &records{lines: bufio.NewReaderSize(from, buffered)} }

// next returns the cells of the next row, which are the caller's until the next call, and
// io.EOF after the last.
func (r *records) next() ([]string, error) {
	for r.quoted == nil {
		line, err := r.readLine()
		if errors.Is(err, errRecord) {
			r.line++
			return nil, err
		}
		if bytes.IndexByte(line, '"') >= 0 {
			r.began, r.following = r.line, r.line+1
			r.rest = &bounds{from: io.MultiReader(bytes.NewReader(bytes.Clone(line)), r.lines)}
			r.quoted = csv.NewReader(r.rest)
			r.quoted.ReuseRecord, r.quoted.FieldsPerRecord = true, -1
			break
		}
		if err != nil && (!errors.Is(err, io.EOF) || len(line) == 0) {
			return nil, err
		}
		r.line++
		r.cut = err != nil
		text := strings.TrimSuffix(strings.TrimSuffix(string(line), "\n"), "\r")
		if text == "" {
			continue // as encoding/csv does
		}
		r.cells = r.cells[:0]
		for more := true; more; {
			var cell string
			cell, text, more = strings.Cut(text, ",")
			r.cells = append(r.cells, cell)
		}
		return r.cells, nil
	}
	return r.nextQuoted()
}

// nextQuoted is next from the first row with a quote on.
func (r *records) nextQuoted() ([]string, error) {
	r.rest.count = 0
	cells, err := r.quoted.Read()
	if bad, ok := errors.AsType[*csv.ParseError](err); ok {
		r.line = r.began + bad.Line
		return nil, fmt.Errorf("%w: %w", errRecord, bad.Err)
	}
	switch {
	case err == nil:
		at, _ := r.quoted.FieldPos(0)
		r.line = r.began + at
		r.following = r.line + 1
		for _, cell := range cells {
			r.following += strings.Count(cell, "\n")
		}
	case errors.Is(err, errRecord):
		r.line = r.following
	case errors.Is(err, io.EOF):
		r.cut = r.rest.last != '\n'
	}
	return cells, err
}

// bounds bounds what encoding/csv reads for a row, since a cell in quotes may have lines of its own.
type bounds struct {
	from io.Reader
	// count is the number of bytes read since the last row, last the last of them.
	count int
	last  byte
}

// Read implements io.Reader.
func (b *bounds) Read(buffer []byte) (int, error) {
	if b.count > MaxLine {
		return 0, errLong
	}
	n, err := b.from.Read(buffer)
	b.count += n
	if n > 0 {
		b.last = buffer[n-1]
	}
	return n, err
}

// errLong is a row that is longer than any that a run writes.
var errLong = fmt.Errorf("%w: a line has more than %d bytes", errRecord, MaxLine)

// readLine reads a line with its end, however long up to MaxLine. It is the reader's.
func (r *records) readLine() ([]byte, error) {
	line, err := r.lines.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return line, err
	}
	r.long = append(r.long[:0], line...)
	for errors.Is(err, bufio.ErrBufferFull) {
		if len(r.long) > MaxLine {
			return nil, errLong
		}
		line, err = r.lines.ReadSlice('\n')
		r.long = append(r.long, line...)
	}
	return r.long, err
}
