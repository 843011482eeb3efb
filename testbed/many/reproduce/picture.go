package reproduce

import (
	"math"
	"slices"

	"github.com/rocelab/rocelab/testbed/look/report/picture"
)

// mostPoints is the maximum number of points of a picture.
const mostPoints = 24

// drawing is a picture of a row: figures at places, in lines.
type drawing struct {
	key, metric string
	apart       bool
	places      []string
	// at finds a figure and its published values, by column and place.
	at func(column, place string) (*Figure, []published)
	// columns are those with a line.
	columns []string
}

// pictures are the curves of a row, and other figures with published values.
func (j *Judged) pictures() (list []*picture.Picture) {
	names, units := j.names()
	var drawn []string
	for _, curve := range curvesOf(names, units) {
		if n := len(curve.points); n >= 2 {
			drawn = append(drawn, curve.names...)
			if n <= mostPoints {
				list = append(list, j.curve(&curve))
			}
		}
	}
	alone := map[string][]string{} // by unit
	for i, name := range names {
		if slices.Contains(drawn, name) || j.published(name) == "" {
			continue
		}
		if unit := units[i]; len(alone[unit]) < mostPoints {
			alone[unit] = append(alone[unit], name)
		}
	}
	for i, name := range names {
		unit := units[i]
		if of := alone[unit]; len(of) > 0 && of[0] == name {
			list = append(list, j.beside(unit, of)...)
		}
	}
	return list
}

// curve draws the points of a curve, a line a column, and the published ones.
func (j *Judged) curve(curve *curve) *picture.Picture {
	key, places := keyOf(curve.points)
	d := drawing{key: key, metric: withUnit(curve.title, curve.unit), places: places, apart: key == ""}
	name := func(place string) string { return curve.names[slices.Index(places, place)] }
	for _, column := range j.columns() {
		if slices.ContainsFunc(places, func(place string) bool { return j.figure(column, name(place)) != nil }) {
			d.columns = append(d.columns, column)
		}
	}
	d.at = func(column, place string) (*Figure, []published) {
		return j.figure(column, name(place)), j.printed(column, name(place))
	}
	return d.draw()
}

// beside draws figures of one unit beside the published ones: several columns at a time if there are several, else all
// figures.
func (j *Judged) beside(unit string, names []string) (list []*picture.Picture) {
	columns := j.columns()
	if len(columns) == 1 {
		d := drawing{metric: withUnit("ours and published", unit), places: names, columns: columns, apart: true}
		d.at = func(column, place string) (*Figure, []published) {
			return j.figure(column, place), j.printed(column, place)
		}
		return append(list, d.draw())
	}
	for _, name := range names {
		var places []string
		for _, column := range columns {
			if j.figure(column, name) != nil {
				places = append(places, heading(column))
			}
		}
		d := drawing{metric: withUnit(name, unit), places: places, columns: []string{""}, apart: true}
		d.at = func(_, place string) (*Figure, []published) {
			if place == heading("") {
				place = ""
			}
			return j.figure(place, name), j.printed(place, name)
		}
		list = append(list, d.draw())
	}
	return list
}

// printed are the numbers that were published of a figure of a column.
func (j *Judged) printed(column, name string) []published {
	return j.Row.publishedOf(Figure{Column: column, Name: name})
}

func (d *drawing) draw() *picture.Picture {
	drawn := picture.Swept{Key: d.key, Metric: d.metric, Places: d.places, Apart: d.apart}
	if drawn.Key == "" {
		drawn.Key = "case"
	}
	var published []picture.SweptLine
	for hue, column := range d.columns {
		ours := picture.SweptLine{Key: picture.Key{Name: heading(column), Hue: hue}}
		theirs := picture.SweptLine{Key: picture.Key{Name: "published", Hue: len(d.columns) + hue}}
		if len(d.columns) > 1 && column != "" {
			theirs.Name += " for " + column
		}
		any := false
		for _, place := range d.places {
			figure, list := d.at(column, place)
			ours.Ranges = append(ours.Ranges, rangeOf(figure))
			one := nothing
			if len(list) > 0 {
				one = picture.Range{Median: list[0].Value, Low: list[0].Value, High: list[0].Value}
				any = true
			}
			theirs.Ranges = append(theirs.Ranges, one)
		}
		drawn.Lines = append(drawn.Lines, ours)
		if any && !slices.ContainsFunc(published, func(l picture.SweptLine) bool {
			return sameRanges(l.Ranges, theirs.Ranges)
		}) {
			published = append(published, theirs)
		}
	}
	if len(published) == 1 {
		published[0].Name = "published"
	}
	drawn.Lines = append(drawn.Lines, published...)
	return drawn.Draw()
}

// nothing is the range of an unmeasured figure.
var nothing = picture.Range{Median: math.NaN(), Low: math.NaN(), High: math.NaN()}

func rangeOf(f *Figure) picture.Range {
	if f == nil {
		return nothing
	}
	return picture.Range{Median: f.Median(), Low: f.Least(), High: f.Largest()}
}

// sameRanges reports whether ranges are the same, as for a number that was published for all columns.
func sameRanges(a, b []picture.Range) bool {
	return slices.EqualFunc(a, b, func(x, y picture.Range) bool {
		return x.Median == y.Median || math.IsNaN(x.Median) && math.IsNaN(y.Median)
	})
}

func withUnit(name, unit string) string {
	if unit == "" {
		return name
	}
	return name + ", " + unit
}
