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

// MaxLine is the longest line of a CSV file that is read. Unit: bytes.
const MaxLine = 4 << 20

// buffered is what is read of a CSV file at a time. Most files of a run are small, and a larger buffer for each costs
// more in collected garbage than it saves in calls. Unit: bytes.
const buffered = 64 << 10

// errRecord is a row that is not CSV.
var errRecord = errors.New("is not a row of a CSV file")

// records reads a CSV file (RFC 4180). Files of series have millions of rows and nearly never
// a quote: up to the first line that has one a row is cut at its commas, which is some
// three times as fast as encoding/csv, which reads the rest.
type records struct {
	lines  *bufio.Reader
	quoted *csv.Reader // nil up to the first quote
	cells  []string
	// line is the number of the line that was read last, from 1, at which quoted began.
	line, began int
	long        []byte
}

func newRecords(from io.Reader) *records { return &records{lines: bufio.NewReaderSize(from, buffered)} }

// next returns the cells of the next row, which are the caller's until the next call, and
// io.EOF after the last.
func (r *records) next() ([]string, error) {
	for r.quoted == nil {
		line, err := r.readLine()
		if errors.Is(err, errRecord) {
			return nil, err
		}
		if bytes.IndexByte(line, '"') >= 0 {
			r.began = r.line
			r.quoted = csv.NewReader(io.MultiReader(bytes.NewReader(bytes.Clone(line)), r.lines))
			r.quoted.ReuseRecord, r.quoted.FieldsPerRecord = true, -1
			break
		}
		if err != nil && (!errors.Is(err, io.EOF) || len(line) == 0) {
			return nil, err
		}
		r.line++
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
	cells, err := r.quoted.Read()
	if bad, ok := errors.AsType[*csv.ParseError](err); ok {
		r.line = r.began + bad.Line
		return nil, fmt.Errorf("%w: %w", errRecord, bad.Err)
	}
	if err == nil {
		at, _ := r.quoted.FieldPos(0)
		r.line = r.began + at
	}
	return cells, err
}

// readLine reads a line with its end, however long up to MaxLine. It is the reader's.
func (r *records) readLine() ([]byte, error) {
	line, err := r.lines.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return line, err
	}
	r.long = append(r.long[:0], line...)
	for errors.Is(err, bufio.ErrBufferFull) {
		if len(r.long) > MaxLine {
			return nil, fmt.Errorf("%w: a line has more than %d bytes", errRecord, MaxLine)
		}
		line, err = r.lines.ReadSlice('\n')
		r.long = append(r.long, line...)
	}
	return r.long, err
}
