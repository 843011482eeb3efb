package report

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// row is a row of a CSV file, by the names of its columns.
type row struct {
	cells  []string
	column map[string]int
}

// cell is the text in a column; "" where the file lacks it.
func (r row) cell(column string) string {
	if i, ok := r.column[column]; ok && i < len(r.cells) {
		return r.cells[i]
	}
	return ""
}

// at is the cell with a number, "" for -1.
func (r row) at(index int) string {
	if index < 0 {
		return ""
	}
	return r.cells[index]
}

// indices are the numbers of columns, -1 for one that the file lacks.
func (r row) indices(columns []string) []int {
	list := make([]int, len(columns))
	for i, name := range columns {
		at, ok := r.column[name]
		if !ok {
			at = -1
		}
		list[i] = at
	}
	return list
}

// has reports whether the file has a column.
func (r row) has(column string) bool { _, ok := r.column[column]; return ok }

// number is a cell as a number, 0 where it is empty or none.
func (r row) number(column string) float64 {
	value, err := strconv.ParseFloat(r.cell(column), 64)
	if err != nil {
		return 0
	}
	return value
}

// rows calls each with every row of a CSV file, which must not keep it. A file that is
// not there has no rows.
func (r *run) rows(name string, each func(row) error) error {
	if !r.folder.has(r.file(name)) {
		return nil
	}
	file, err := r.folder.open(r.file(name))
	if err != nil {
		return err
	}
	defer file.Close()
	records := newRecords(file)
	header, err := records.next()
	if err != nil {
		return r.damaged(name, err)
	}
	current := row{column: map[string]int{}}
	for i, column := range header {
		current.column[strings.Clone(column)] = i
	}
	for {
		current.cells, err = records.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil && len(current.cells) != len(current.column) {
			err = fmt.Errorf("%w: %d cells in a row", errCell, len(current.cells))
		}
		if err == nil {
			err = each(current)
		}
		if err != nil {
			return r.damaged(name, err)
		}
	}
}

// damaged says in which file an error is, unless it is one of the folder, which says so.
func (r *run) damaged(name string, err error) error {
	var bad *csv.ParseError
	if errors.As(err, &bad) || errors.Is(err, errCell) || errors.Is(err, errTime) || errors.Is(err, io.EOF) {
		return fmt.Errorf("%s: %s is damaged: %w", r.folder.title(), r.file(name), err)
	}
	return err
}

// errCell is a cell that is no number where one is needed.
var errCell = errors.New("is no number")

// fixed reads a decimal number as a whole number of its last decimal, and counts the
// decimals: 5.700 is 5700 of 3.
func fixed(text string) (value int64, decimals int, err error) {
	digits, point := 0, false
	for i := range len(text) {
		c := text[i]
		switch {
		case c >= '0' && c <= '9' && value <= math.MaxInt64/10-1:
			value = value*10 + int64(c-'0')
			digits++
			if point {
				decimals++
			}
		case c == '.' && !point:
			point = true
		case c == '-' && i == 0:
		default:
			return 0, 0, fmt.Errorf("%q %w", text, errCell)
		}
	}
	if digits == 0 {
		return 0, 0, fmt.Errorf("%q %w", text, errCell)
	}
	if text[0] == '-' {
		value = -value
	}
	return value, decimals, nil
}

// picoseconds reads a time in microseconds.
func picoseconds(text string) (int64, error) {
	value, decimals, err := fixed(text)
	if err != nil {
		return 0, err
	}
	for ; decimals < 6; decimals++ {
		value *= 10
	}
	for ; decimals > 6; decimals-- {
		value /= 10
	}
	return value, nil
}
