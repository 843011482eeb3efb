package report

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"strings"

	"github.com/rocelab/rocelab/emulator/runfolder"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// seriesFile is a file of series, read by the columns that identify a series.
type seriesFile struct {
	name string
	// keys are the columns that name a series.
	keys []string
	// width is a bin's in picoseconds, 0 where the file has no row.
	width int64
	// order are the names of the series, in the order of the file.
	order  []string
	series map[string]*keyed
}

// keyed is the series of one key, as the file has them.
type keyed struct {
	// where is the name of the rows on the page.
	where string
	times []int64
	// columns are the values by column, as whole numbers of its last decimal.
	columns map[string]*column
	// list has them in the order of the request, nil for a missing one.
	list []*column
}

type column struct {
	values   []int64
	decimals int
}

// readSeries reads the value columns of a file of series that the file has. The width of
// bins is the recording's, or what all times are multiples of.
func (r *run) readSeries(name string, keys, columns []string) (*seriesFile, error) {
	if f := r.series[name]; f != nil {
		return f, nil
	}
	shared := sharedColumns[name]
	if info, err := fs.Stat(r.folder.files, r.file(name)); err != nil || shared == nil || info.Size() > keptSeries {
		return r.parseSeries(name, keys, columns)
	}
	f, err := r.parseSeries(name, keys, shared)
	if err != nil {
		return nil, err
	}
	if r.series == nil {
		r.series = map[string]*seriesFile{}
	}
	r.series[name] = f
	return f, nil
}

// sharedColumns are the columns of files that several sections read: such a file is read once, if it
// has at most keptSeries bytes.
var sharedColumns = map[string][]string{
	"series_ports.csv":  {"tx_bytes", "ecn_marked_frames", "paused_us"},
	"series_tiers.csv":  {"tx_bytes", "ecn_marked_frames", "paused_us"},
	"series_queues.csv": {"depth_max_bytes"},
}

const keptSeries = 4 << 20

// parseSeries reads a file for readSeries.
func (r *run) parseSeries(name string, keys, columns []string) (*seriesFile, error) {
	f := &seriesFile{name: name, keys: keys, series: map[string]*keyed{}}
	var open *keyed
	lastName := ""
	var key []byte
	var keysAt, valuesAt []int // the columns, looked up once
	err := r.rows(name, func(row row) error {
		if keysAt == nil {
			keysAt, valuesAt = row.Indices(keys), row.Indices(columns)
		}
		key = key[:0]
		for _, at := range keysAt {
			key = append(append(key, row.At(at)...), 0)
		}
		if open == nil || string(key) != lastName {
			lastName = string(key)
			open = f.series[lastName]
			if open == nil {
				open = newKeyed(row, keys, columns)
				f.series[lastName] = open
				f.order = append(f.order, lastName)
			}
		}
		instant := row.Time("time_us")
		if instant == unit.Never {
			return row.Damage("time_us", fmt.Errorf("\"\" %w", errTime))
		}
		at := int64(instant)
		f.width = divisor(f.width, at)
		open.times = append(open.times, at)
		for i, at := range valuesAt {
			if at < 0 {
				continue
			}
			add := open.list[i].add
			if columns[i] == "value" { // an algorithm's own
				add = open.list[i].addValue
			}
			if err := add(row.At(at)); err != nil {
				return row.Damage(columns[i], err)
			}
		}
		return nil
	})
	if width := widthOf(r.summary.Recording, name); width > 0 {
		f.width = width
	}
	if err == nil && f.span() > longestSeries {
		err = r.damaged(name, fmt.Errorf("%d bins of %d ps: %w", f.span(), f.width, errTime))
	}
	return f, err
}

const (
	// longestSeries is the maximum number of bins of a series, so that a damaged time does not ask for more memory than
	// there is.
	longestSeries = 1 << 24
	// widestBin is the upper bound of a bin's width in microseconds: a year.
	widestBin = 365 * 86400e6
)

// errTime reports an impossible time.
var errTime = errors.New("is not a time of a run")

func newKeyed(row row, keys, columns []string) *keyed {
	k := &keyed{where: whereOf(row, keys...), columns: map[string]*column{}}
	k.list = make([]*column, len(columns))
	for i, name := range columns {
		if row.Has(name) {
			k.list[i] = &column{}
			k.columns[name] = k.list[i]
		}
	}
	return k
}

func (c *column) add(text string) error {
	if text == "" {
		c.values = append(c.values, gap)
		return nil
	}
	value, decimals, err := runfolder.ParseDecimal(text)
	if err != nil {
		return err
	}
	for ; c.decimals < decimals; c.decimals++ {
		for i := range c.values {
			if c.values[i] != gap {
				c.values[i] *= 10
			}
		}
	}
	for ; decimals < c.decimals; decimals++ {
		value *= 10
	}
	c.values = append(c.values, value)
	return nil
}

// divisor returns the greatest common divisor.
func divisor(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// of returns the series of a key.
func (f *seriesFile) of(key ...string) *keyed { return f.series[strings.Join(key, "\x00")+"\x00"] }

// whereOf names a row by its cells in some columns: node=s0&port=16. What would end a name
// or a value is escaped as in the query of an address.
func whereOf(row row, columns ...string) string {
	var text []string
	for _, c := range columns {
		text = append(text, c+"="+url.QueryEscape(row.Text(c)))
	}
	return strings.Join(text, "&")
}

// bins lays the values of a column out, one a bin, from the series' first bin on. Bins
// without a row are blank.
func (k *keyed) bins(c *column, width, blank int64) (first int64, values []int64) {
	if c == nil || len(k.times) == 0 || width <= 0 {
		return 0, nil
	}
	first = k.times[0] / width
	end := first
	for _, at := range k.times {
		first, end = min(first, at/width), max(end, at/width)
	}
	values = make([]int64, end-first+1)
	for i := range values {
		values[i] = blank
	}
	for i, at := range k.times {
		values[at/width-first] = c.values[i]
	}
	return first, values
}

// merging is the way to merge several bins into one.
type merging uint8

const (
	// largest is for the maximum of each bin, sum for a count in it, mean for a rate, last for the value at its end.
	largest merging = iota
	sum
	mean
	last
)

// merge joins bins, count to one, at multiples of count.
func merge(first int64, values []int64, count int64, how merging) (int64, []int64) {
	if count <= 1 || len(values) == 0 {
		return first, values
	}
	start := first / count
	end := (first + int64(len(values)) - 1) / count
	merged := make([]int64, end-start+1)
	for i := range merged {
		from := max((start+int64(i))*count-first, 0)
		to := min((start+int64(i)+1)*count-first, int64(len(values)))
		merged[i] = join(values[from:to], how)
	}
	return start, merged
}

func join(values []int64, how merging) int64 {
	total, n := int64(0), int64(0)
	most, latest := int64(gap), int64(gap)
	for _, v := range values {
		if v == gap {
			continue
		}
		total += v
		n++
		most, latest = max(most, v), v
	}
	switch {
	case n == 0:
		return gap
	case how == largest:
		return most
	case how == mean:
		return total / n
	case how == last:
		return latest
	}
	return total
}
