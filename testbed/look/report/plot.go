package report

import (
	"html/template"
	"slices"
)

// plot is a picture that the page's script draws: a set of views, one of them visible. Its fields are the script's
// input.
type plot struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	// Unit is the unit of the values: B, Gb/s or us.
	Unit  string `json:"unit"`
	Views []view `json:"views"`
	// Time groups pictures that show the same stretch of time: pictures of one scenario.
	Time int `json:"time"`
	// Share names pictures whose values have one axis, so that they can be compared; "" for an axis of its own.
	Share string `json:"share,omitempty"`
	// Choice is the difference between the views, for a reader who chooses.
	Choice string `json:"choice"`
	// Still is the first view as a drawing, for who runs no script; "" for none.
	Still template.HTML `json:"-"`
}

// view is lines over model time.
type view struct {
	Label string `json:"label"`
	// Unit is the values' unit, if it is not the plot's.
	Unit *string `json:"unit,omitempty"`
	// Node and Port are of the port that the view is about, if it is about one.
	Node   string  `json:"node,omitempty"`
	Port   string  `json:"port,omitempty"`
	Lines  []line  `json:"lines"`
	Levels []level `json:"levels,omitempty"`
}

// The kinds of lines.
const (
	stepLine = "step"
	holdLine = "hold" // a bin without a value has that of the bin before
	fairLine = "fair" // dashed, and none of the values measured
	lowLine  = "low"  // the lower edge of a band, whose upper edge is next
	highLine = "high"
	tickLine = "tick" // a mark at the upper edge in each bin that is not 0
	dotLine  = "dot"  // a mark on the line On in each bin that is not 0
)

// line is a series, packed by encodeValues.
type line struct {
	Name string `json:"name"`
	Hue  int    `json:"hue"`
	Kind string `json:"kind"`
	// Mark is the place of a flow among many: slowest, median or fastest, or rest for a grey one; "" if all lines are
	// alike.
	Mark string `json:"mark,omitempty"`
	// On is the number of the line that dots lie on.
	On int `json:"on"`
	// First is the number of the first of Count bins, Width a bin's picoseconds; Merged bins of the file are one here.
	First    int64  `json:"first"`
	Count    int    `json:"count"`
	Width    int64  `json:"width"`
	Merged   int64  `json:"merged"`
	Decimals int    `json:"decimals"`
	Data     string `json:"data"`
	// File, Where and Column are the place of the values; Where is "" for a value computed from several rows.
	File   string `json:"file"`
	Where  string `json:"where"`
	Column string `json:"column"`
	// Asks is where a page that is served asks for bins that are merged here, "" for none.
	Asks string `json:"asks,omitempty"`
	// values are the decoded Data.
	values []int64
}

// level is a horizontal mark.
type level struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	From  string  `json:"from"`
}

// mostBins is the maximum number of bins of a line on a page.
const mostBins = 4000

// queuesOfPage and ratesOfPage are the maximum numbers of queues and of runs' rates on a page of many runs, and
// bytesOfRates the maximum size of the latter, so that it stays below 5 MB.
const (
	queuesOfPage = 240
	ratesOfPage  = 24
	bytesOfRates = 2 << 20
)

// size is about how many bytes of the page the plot's lines take.
func (p *plot) size() (bytes int) {
	const words = 250 // of a line, beside its values
	for _, v := range p.Views {
		for _, l := range v.Lines {
			bytes += words + len(l.Data)
		}
	}
	return bytes
}

// pointsOfPlot is the maximum number of values in the lines of a run in a plot, so that a page stays small: a value
// takes one to three bytes.
const pointsOfPlot = 100_000

// mergedBins returns the number of bins of a file to merge into one, so that the given lines and bins fit.
func mergedBins(lines int, bins int64) int64 {
	limit := max(256, min(mostBins, int64(pointsOfPlot/max(lines, 1))))
	return max(1, (bins+limit-1)/limit)
}

// lineOf packs a column of a series, if it has a value.
func (f *seriesFile) lineOf(r *run, k *keyed, name string, blank, count int64, how merging) (line, bool) {
	c := k.columns[name]
	first, values := k.bins(c, f.width, blank)
	if !slices.ContainsFunc(values, func(value int64) bool { return value != gap }) {
		return line{}, false
	}
	first, values = merge(first, values, count, how)
	return line{
		Kind:     stepLine,
		First:    first,
		Count:    len(values),
		Width:    f.width * count,
		Merged:   count,
		Decimals: c.decimals,
		Data:     encodeValues(values),
		values:   values,
		File:     r.key(f.name),
		Where:    k.where,
		Column:   name,
		Asks:     r.asks(f.name, k.where, name, count),
	}, true
}

// span returns the number of bins of the file's series, from the run's beginning.
func (f *seriesFile) span() int64 {
	last := int64(-1)
	for _, k := range f.series {
		for _, at := range k.times {
			last = max(last, at)
		}
	}
	if last < 0 || f.width == 0 {
		return 0
	}
	return last/f.width + 1
}
