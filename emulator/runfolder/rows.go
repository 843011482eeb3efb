package runfolder

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Row is a row of a CSV file. It is good until the next is read.
type Row struct {
	sheet *sheet
	cells []string
}

// sheet is a CSV file that is being read.
type sheet struct {
	name   string
	line   int
	column map[string]int
	// wrong is the first cell that was not what it was asked for as.
	wrong error
}

// Damaged is a file of a run folder that is not what its run wrote.
type Damaged struct {
	// File is its name in the folder; Line and Column are where it is damaged, from 1, 0 for the whole file.
	File         string
	Line, Column int
	Err          error
}

// Error names file, line and column.
func (d *Damaged) Error() string {
	switch {
	case d.Line == 0:
		return fmt.Sprintf("%s is damaged: %v", d.File, d.Err)
	case d.Column == 0:
		return fmt.Sprintf("%s:%d is damaged: %v", d.File, d.Line, d.Err)
	}
	return fmt.Sprintf("%s:%d:%d is damaged: %v", d.File, d.Line, d.Column, d.Err)
}

// Unwrap returns the cause of the damage.
func (d *Damaged) Unwrap() error { return d.Err }

// Damage is an error about the cell of a column.
func (r Row) Damage(column string, err error) error {
	return &Damaged{
		File:   r.sheet.name,
		Line:   r.sheet.line,
		Column: r.sheet.column[column] + 1,
		Err:    fmt.Errorf("%s: %w", column, err),
	}
}

// note keeps the first error, which ends the reading.
func (r Row) note(column string, err error) {
	if r.sheet.wrong == nil {
		r.sheet.wrong = r.Damage(column, err)
	}
}

// Has reports whether the file has a column: files of an older rocelab may lack some.
func (r Row) Has(column string) bool { _, ok := r.sheet.column[column]; return ok }

// Columns are the names of the file's columns, in the order of the alphabet.
func (r Row) Columns() []string {
	return slices.Sorted(maps.Keys(r.sheet.column))
}

// Text is the text in a column; "" if nothing was measured, or the file lacks the column.
func (r Row) Text(column string) string {
	if i, ok := r.sheet.column[column]; ok {
		return r.cells[i]
	}
	return ""
}

// Indices are the places of columns, for At, -1 for one that the file lacks.
func (r Row) Indices(columns []string) []int {
	list := make([]int, len(columns))
	for i, name := range columns {
		at, ok := r.sheet.column[name]
		if !ok {
			at = -1
		}
		list[i] = at
	}
	return list
}

// At is the cell at an index, "" for -1.
func (r Row) At(index int) string {
	if index < 0 {
		return ""
	}
	return r.cells[index]
}

// Number is the number in a column, NaN if nothing was measured. See ParseNumber, and ParseValue for the column
// "value".
func (r Row) Number(column string) float64 {
	text := r.Text(column)
	if text == "" {
		return math.NaN()
	}
	value, err := parseNumber(text, column == valueColumn)
	if err != nil {
		r.note(column, err)
		return math.NaN()
	}
	return value
}

// OrZero is Number with 0 if nothing was measured.
func (r Row) OrZero(column string) float64 {
	if value := r.Number(column); !math.IsNaN(value) {
		return value
	}
	return 0
}

// Time is the time in a column, of model time or of a duration, to the picosecond; unit.Never if nothing was measured.
func (r Row) Time(column string) unit.Time {
	text := r.Text(column)
	if text == "" {
		return unit.Never
	}
	at, err := ParseTime(text)
	if err != nil {
		r.note(column, err)
		return unit.Never
	}
	return at
}

// Microseconds is Time in microseconds; NaN if nothing was measured.
func (r Row) Microseconds(column string) float64 {
	at := r.Time(column)
	if at == unit.Never {
		return math.NaN()
	}
	return unit.Duration(at).Microseconds()
}

// ReadSheet calls each with every row of a CSV file, until its error. The file's name is for errors. Each required
// column must be there.
func ReadSheet(name string, from io.Reader, required []string, each func(Row) error) error {
	records := newRecords(from)
	header, err := records.next()
	s := &sheet{name: name, column: map[string]int{}}
	if err == nil {
		err = s.readHeader(header, required)
	}
	switch {
	case errors.Is(err, io.EOF):
		return &Damaged{File: name, Err: errors.New("it is empty")}
	case errors.Is(err, errRecord):
		return &Damaged{File: name, Line: records.line, Err: err}
	case err != nil:
		return err
	}
	columns := len(header)
	for {
		cells, err := records.next()
		s.line = records.line
		switch {
		case err != nil && errors.Is(err, errRecord):
			return &Damaged{File: name, Line: s.line, Err: err}
		case err != nil && !errors.Is(err, io.EOF):
			return err // of reading, such as a digest's
		case err == nil && len(cells) != columns:
			err = fmt.Errorf("it has %d cells, and the header %d", len(cells), columns)
			return &Damaged{File: name, Line: s.line, Err: err}
		case records.cut:
			return &Damaged{File: name, Line: s.line, Err: errCut}
		case err != nil:
			return nil
		}
		err = each(Row{s, cells})
		if s.wrong != nil {
			return s.wrong
		}
		if err != nil {
			return err
		}
	}
}

// readHeader reads the names of the columns, each of which must be there once.
func (s *sheet) readHeader(header, required []string) error {
	for i, column := range header {
		if _, twice := s.column[column]; twice {
			return &Damaged{s.name, 1, i + 1, fmt.Errorf("column %s is there twice", column)}
		}
		s.column[strings.Clone(column)] = i
	}
	if strings.HasPrefix(header[0], "\ufeff") {
		return &Damaged{s.name, 1, 1, errors.New("it begins with a byte order mark, which no run writes: another program " +
			"saved it")}
	}
	for _, column := range required {
		if _, ok := s.column[column]; !ok {
			return &Damaged{File: s.name, Err: fmt.Errorf("it has no column %s", column)}
		}
	}
	return nil
}
