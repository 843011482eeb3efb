package report

import (
	"fmt"
	"strings"
	"sync"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/runfolder"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// row is a row of a CSV file.
type row struct{ runfolder.Row }

// count is a cell as a whole number, 0 if it is empty.
func (r row) count(column string) int { return unit.Whole[int](r.OrZero(column)) }

// picoseconds is a cell of microseconds, 0 if it is empty.
func (r row) picoseconds(column string) int64 {
	if at := r.Time(column); at != unit.Never {
		return int64(at)
	}
	return 0
}

// kinds are the kinds of columns' cells, by the names of the file and the column.
var kinds = sync.OnceValue(func() map[[2]string]result.ColumnKind {
	all := map[[2]string]result.ColumnKind{}
	for file, columns := range result.SheetColumns() {
		for _, c := range columns {
			all[[2]string{file, c.Name}] = c.Kind
		}
	}
	return all
})

// checked is a cell as the file has it, to be shown. It is read as what it should be first, so that a damaged one is an
// error and no figure.
func (r row) checked(file, column string) string {
	switch kinds()[[2]string{file, column}] {
	case result.NumberColumn:
		r.Number(column)
	case result.TimeColumn:
		r.Time(column)
	}
	return strings.Clone(r.Text(column))
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
	err = runfolder.ReadSheet(r.file(name), file, nil, func(of runfolder.Row) error { return each(row{of}) })
	if err != nil {
		return fmt.Errorf("%s: %w", r.folder.title(), err)
	}
	return nil
}

// damaged is an error about a whole file.
func (r *run) damaged(name string, err error) error {
	return fmt.Errorf("%s: %w", r.folder.title(), &runfolder.Damaged{File: r.file(name), Err: err})
}
