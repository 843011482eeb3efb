package report

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
)

// seriesKeys are the columns that identify a series of a file.
var seriesKeys = map[string][]string{
	"series_ports.csv":  {"node", "port"},
	"series_tiers.csv":  {"node", "tier"},
	"series_queues.csv": queueKeys,
	"series_flows.csv":  {"flow"},
	"series_groups.csv": {"group"},
	"series_values.csv": {"flow", "name"},
}

// Series are the values of one column of a file of series, for cutting out stretches of time. They may be used by
// several goroutines.
type Series struct {
	file   *seriesFile
	column string
	// byWhere has the series by what names their rows.
	byWhere map[string]*keyed
}

// ReadSeries reads a column of a file of the folder, such as depth_max_bytes of dcqcn/series_queues.csv. It fails if
// something is missing or damaged.
func (f *Folder) ReadSeries(name, column string) (*Series, error) {
	keys := seriesKeys[path.Base(name)]
	at := slices.IndexFunc(f.runs, func(r *run) bool { return r.file(path.Base(name)) == name })
	if at < 0 || keys == nil {
		return nil, fmt.Errorf("%s: %q is not a file of series of a run", f.title(), name)
	}
	if !f.has(name) {
		return nil, fmt.Errorf("%s: the run recorded no %s", f.title(), name)
	}
	if column == "time_us" || slices.Contains(keys, column) || isText[column] {
		return nil, fmt.Errorf("%s: %s: column %q has no values over time", f.title(), name, column)
	}
	file, err := f.runs[at].parseSeries(path.Base(name), keys, []string{column})
	if err != nil {
		return nil, err
	}
	s := &Series{file, column, map[string]*keyed{}}
	for _, k := range file.series {
		if k.columns[column] == nil {
			return nil, fmt.Errorf("%s: %s has no column %q", f.title(), name, column)
		}
		s.byWhere[k.where] = k
	}
	return s, nil
}

// isText are the columns of files of series that have no numbers, beside the keys.
var isText = map[string]bool{"variant": true, "seed": true, "unit": true}

// Size returns the number of values.
func (s *Series) Size() (count int) {
	for _, k := range s.byWhere {
		count += len(k.times)
	}
	return count
}

// mostPoints is the maximum number of values of a stretch.
const mostPoints = mostBins

// Stretch is a series in a stretch of time, at the width of its bins or, if there are more than mostPoints, at a
// multiple of it.
type Stretch struct {
	// First is the number of the first value, from the run's begin: value i is of the bin that
	// begins at (First + i) times Width picoseconds.
	First int64 `json:"first"`
	Width int64 `json:"width_ps"`
	// Merged bins of the file are one here.
	Merged   int64 `json:"merged"`
	Decimals int   `json:"decimals"`
	// Values are null for a bin without one.
	Values []json.RawMessage `json:"values"`
}

// Stretch is the series of the rows that where names, such as node=s0&port=16&queue=3, from a
// time in picoseconds to another. It is empty where the series has nothing.
func (s *Series) Stretch(where string, from, to int64) (*Stretch, error) {
	k := s.byWhere[where]
	if k == nil {
		return nil, fmt.Errorf("%s has no series %q", s.file.name, where)
	}
	width := max(s.file.width, 1)
	start, end := max(from, 0)/width, min(to/width+1, s.file.span())
	count := max(1, (end-start+mostPoints-1)/mostPoints)
	found := &Stretch{First: start / count, Width: width * count, Merged: count, Values: []json.RawMessage{}}
	if found.Decimals = k.columns[s.column].decimals; end <= start || len(k.times) == 0 {
		return found, nil
	}
	how, blank := s.merging()
	// The values of a series before its first row and after its last are unknown.
	first, last := k.extent(width)
	start, end = max(start, first)/count, min((end+count-1)/count, last/count+1)
	if end <= start {
		return found, nil
	}
	found.First = start
	found.fill(k.join(s.column, bins{start, end, width * count}, how, blank))
	return found, nil
}

// merging returns the way to merge several bins, and the value of a bin without a row: rates and algorithms' values
// have nothing then, and all else is 0.
func (s *Series) merging() (how merging, blank int64) {
	switch {
	case s.column == "value":
		return last, gap
	case strings.HasSuffix(s.column, "_gbps"):
		return mean, gap
	case strings.Contains(s.column, "_max_"):
		return largest, 0
	}
	return sum, 0
}

// bins are those from a number to another, of one width in picoseconds.
type bins struct{ from, to, width int64 }

// extent is the first and the last bin that has a row.
func (k *keyed) extent(width int64) (first, last int64) {
	return slices.Min(k.times) / width, slices.Max(k.times) / width
}

// join puts the rows of a series into bins. A value that holds until the next one holds in the first bin too.
func (k *keyed) join(column string, in bins, how merging, blank int64) []int64 {
	values := make([]int64, in.to-in.from)
	counts, latest := make([]int64, len(values)), make([]int64, len(values))
	before, held := int64(-1), int64(gap)
	for i, at := range k.times {
		value, bin := k.columns[column].values[i], at/in.width-in.from
		if value == gap || bin >= int64(len(values)) {
			continue
		}
		if bin < 0 {
			if at > before {
				before, held = at, value
			}
			continue
		}
		switch counts[bin]++; {
		case counts[bin] == 1:
			values[bin], latest[bin] = value, at
		case how == largest:
			values[bin] = max(values[bin], value)
		case how == last:
			if at >= latest[bin] {
				values[bin], latest[bin] = value, at
			}
		default:
			values[bin] += value
		}
	}
	for i, n := range counts {
		if n == 0 {
			values[i] = blank
		} else if how == mean {
			values[i] /= n
		}
	}
	if how == last && values[0] == gap {
		values[0] = held
	}
	return values
}

// fill writes values, whole numbers of the last decimal, as a file has them.
func (s *Stretch) fill(values []int64) {
	for _, v := range values {
		if v == gap {
			s.Values = append(s.Values, json.RawMessage("null"))
			continue
		}
		s.Values = append(s.Values, json.RawMessage(exactly(v, s.Decimals)))
	}
}

// exactly writes a whole number of the last of some decimals: 5700 of 3 is 5.700.
func exactly(value int64, decimals int) string {
	sign, digits := "", strconv.FormatInt(value, 10)
	if value < 0 {
		sign, digits = "-", digits[1:]
	}
	if decimals == 0 {
		return sign + digits
	}
	digits = strings.Repeat("0", max(0, decimals+1-len(digits))) + digits
	return sign + digits[:len(digits)-decimals] + "." + digits[len(digits)-decimals:]
}
