package runfolder

import (
	"fmt"
	"io/fs"
	"math"
	"path"
	"strings"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// longestSeries is the maximum number of bins of a series, so that a damaged time does not ask for more memory than
// there is.
const longestSeries = 1 << 24

// notRecorded is a file of series that a run did not record.
type notRecorded string

func (n notRecorded) Error() string {
	return fmt.Sprintf("there is no %s: the run did not record it", string(n))
}

func (notRecorded) Is(target error) bool { return target == fs.ErrNotExist }

// Series is a value in each bin of model time, from 0 on.
type Series struct {
	// Width is a bin's, in microseconds; Values are by bin. A bin without a row is 0.
	Width  float64
	Values []float64
}

// Series reads a column of a file of series, such as "depth_max_bytes" of "series_queues.csv", of the rows that have
// these cells, each as "node=s0"; if several rows are of one bin, their sum. A file that the run did not record is
// fs.ErrNotExist.
func (r *Run) Series(file, column string, where ...string) (Series, error) {
	var series Series
	summary, err := r.Summary()
	if err != nil {
		return series, err
	}
	if summary.Recording != nil {
		series.Width = summary.Recording.WidthsUS[file]
	}
	if !(series.Width > 0) {
		return series, notRecorded(path.Join(r.Folder, file))
	}
	required := []string{"time_us", column}
	cells := make([][2]string, len(where))
	for i, pair := range where {
		cells[i][0], cells[i][1], _ = strings.Cut(pair, "=")
		required = append(required, cells[i][0])
	}
	err = r.Each(file, required, func(row Row) error {
		for _, c := range cells {
			if row.Text(c[0]) != c[1] {
				return nil
			}
		}
		at := row.Time("time_us")
		bin := math.Round(unit.Duration(at).Microseconds() / series.Width)
		if at == unit.Never || bin > longestSeries {
			return row.Damage("time_us", fmt.Errorf("%q is not a time of the run", row.Text("time_us")))
		}
		for len(series.Values) <= unit.Whole[int](bin) {
			series.Values = append(series.Values, 0)
		}
		series.Values[unit.Whole[int](bin)] += row.Number(column)
		return nil
	})
	return series, err
}

// Between are the bins from one time to another, in microseconds; those beyond the last row are 0.
func (s Series) Between(from, until float64) (values []float64) {
	if !(s.Width > 0) {
		return nil
	}
	for bin := unit.Whole[int](math.Round(from / s.Width)); bin < unit.Whole[int](math.Round(until/s.Width)); bin++ {
		if bin < len(s.Values) {
			values = append(values, s.Values[bin])
		} else {
			values = append(values, 0)
		}
	}
	return values
}
