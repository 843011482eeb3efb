package reproduce

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/runfolder"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// reading is what an expression reads: a run, and those of its seed beside it.
type reading struct {
	// runs are those of one seed; base is the one that is read where a call names no other, nil if there is none such.
	runs []*Run
	base *Run
	// values are of figures before this one and of this seed, by their names; figures are all that were measured so far.
	values  map[string]float64
	figures *Figures
	// nth is which of a figure's values is of this seed, where values are not known by their names.
	nth int
	// names are the variables of loops, and what a block lets.
	names    map[string]any
	measures Measures
	// all are the runs of the row, of whatever seed, nil where expressions read those of one.
	all *Results
	// steps counts what predicates have looked at.
	steps int
}

// maxSteps and maxRows bound what an expression may look at, and the rows that it may have of a file.
const (
	maxSteps = 5_000_000
	maxRows  = 1_000_000
)

// environment is what expressions of figures may name.
func (r *reading) environment() map[string]any {
	env := map[string]any{
		"cell":       r.cell,
		"column":     r.column,
		"rows":       r.rows,
		"growth":     r.growth,
		"mean_after": r.meanAfter,
		"series":     r.series,
		"span":       r.span,
		"above":      r.above,
		"metric":     r.metric,
		"figure":     r.figure,
		"headroom":   r.headroom,
		"measure":    r.measure,
		"measures":   r.measureList,
		"mean":       over(Mean),
		"jain":       over(result.Jain),
		"quantile": func(list any, percent int) (float64, error) {
			return over(func(values []float64) float64 {
				return result.Quantile(slices.Sorted(slices.Values(values)), min(max(percent, 1), 100))
			})(list)
		},
		"width": r.width,
		"ran":   r.ran,
		"swept": r.swept,
		"full":  r.all != nil && r.all.Full,
		step:    r.step,
	}
	for name, function := range environment(*r.figures) {
		if name != "column" && name != "near" && name != step {
			env[name] = function
		}
	}
	for name, value := range r.names {
		env[name] = value
	}
	return env
}

// step counts what a predicate looks at, so that no expression runs without end.
func (r *reading) step() (bool, error) {
	if r.steps++; r.steps > maxSteps {
		return false, fmt.Errorf("it looks at more than %d elements", maxSteps)
	}
	return true, nil
}

// ran reports whether a variant is among the runs.
func (r *reading) ran(variant string) bool {
	return r.all != nil && slices.Contains(r.all.Variants(), variant)
}

// swept are the values of a swept key that are run.
func (r *reading) swept(key string) ([]string, error) {
	if r.all == nil {
		return nil, nil
	}
	values := r.all.Values(key)
	if len(values) == 0 || values[0] == "" {
		return nil, fmt.Errorf("%s is not a swept key", key)
	}
	return values, nil
}

// over is a function of numbers for a list of any kind.
func over(of func([]float64) float64) func(list any) (float64, error) {
	return func(list any) (float64, error) {
		switch list := list.(type) {
		case []float64:
			return of(list), nil
		case []any:
			values := make([]float64, len(list))
			for i, one := range list {
				number, is := one.(float64)
				if !is {
					return math.NaN(), fmt.Errorf("%v is not a number", one)
				}
				values[i] = number
			}
			return of(values), nil
		}
		return math.NaN(), errors.New("it wants a list of numbers")
	}
}

// selects reports whether a name is one by which runs are told apart, and not a column of a file.
func (r *reading) selects(name string) bool {
	if name == "variant" || r.base != nil && name == "column" {
		return true
	}
	if r.base == nil {
		return false
	}
	_, swept := r.base.Keys[name]
	return swept
}

// of is the run that cells name, and the other cells.
func (r *reading) of(where []string) (*Run, []string, error) {
	var cells []string
	named := map[string]string{}
	for _, cell := range where {
		name, value, pair := strings.Cut(cell, "=")
		switch {
		case !pair:
			return nil, nil, fmt.Errorf("%q is not a cell such as \"queue=3\"", cell)
		case r.selects(name):
			named[name] = value
		default:
			cells = append(cells, cell)
		}
	}
	if r.base != nil {
		run, err := r.other(named)
		return run, cells, err
	}
	variant, is := named["variant"]
	if !is && len(r.runs) == 1 {
		return r.runs[0], cells, nil
	}
	var names []string
	for _, run := range r.runs {
		if run.Variant == variant {
			return run, cells, nil
		}
		names = append(names, run.Variant)
	}
	if !is {
		return nil, nil, fmt.Errorf("name one of the variants %s, such as \"variant=%s\"", strings.Join(names, ", "),
			names[0])
	}
	return nil, nil, fmt.Errorf("there is no variant %q: there are %s", variant, strings.Join(names, ", "))
}

// other is the run of the same seed that differs from the base in what is named.
func (r *reading) other(named map[string]string) (*Run, error) {
	if len(named) == 0 {
		return r.base, nil
	}
	for _, run := range r.runs {
		same := run.wanted(named, "column", run.Column, r.base.Column) &&
			run.wanted(named, "variant", run.Variant, r.base.Variant)
		for key, value := range run.Keys {
			same = same && run.wanted(named, key, value, r.base.Keys[key])
		}
		if same {
			return run, nil
		}
	}
	var parts []string
	for name, value := range named {
		parts = append(parts, name+"="+value)
	}
	slices.Sort(parts)
	return nil, fmt.Errorf("there is no run with %s beside that of column %q, variant %q, keys %v, seed %d",
		strings.Join(parts, ", "), r.base.Column, r.base.Variant, r.base.Keys, r.base.Seed)
}

// wanted reports whether a run has the value that is named, or else that of the base.
func (r *Run) wanted(named map[string]string, name, has, otherwise string) bool {
	if value, is := named[name]; is {
		return has == value
	}
	return has == otherwise
}

// each calls visit with the rows of a file that have these cells, until it returns false. All columns must be there.
func (r *reading) each(file string, columns, where []string, visit func(Line) bool) error {
	run, cells, err := r.of(where)
	if err != nil {
		return err
	}
	if reading := run.read(file, func(line Line) bool {
		for _, name := range append(slices.Clone(columns), namesOf(cells)...) {
			if !line.Has(name) {
				err = fmt.Errorf("%s has no column %s: it has %s", file, name, strings.Join(line.Columns(), ", "))
				return false
			}
		}
		if slices.ContainsFunc(cells, func(cell string) bool {
			name, value, _ := strings.Cut(cell, "=")
			return line.Text(name) != value
		}) {
			return true
		}
		return visit(line)
	}); reading != nil {
		return reading
	}
	return err
}

func (r *reading) column(file, column string, where ...string) (list []float64, err error) {
	err = r.each(file, []string{column}, where, func(line Line) bool {
		list = append(list, line.OrZero(column))
		return true
	})
	return list, err
}

// rows are the rows of a file with some of its columns: a number where one is written, NaN for nothing, else a text.
func (r *reading) rows(file string, columns []any, where ...string) (list []map[string]any, err error) {
	var names []string
	for _, name := range columns {
		text, _ := name.(string)
		names = append(names, text)
	}
	many := false
	err = r.each(file, names, where, func(line Line) bool {
		row := map[string]any{}
		for _, name := range names {
			row[name] = cellOf(line.Text(name))
		}
		list = append(list, row)
		many = len(list) > maxRows
		return !many
	})
	if err == nil && many {
		err = fmt.Errorf("%s has more than %d such rows", file, maxRows)
	}
	return list, err
}

func cellOf(text string) any {
	if text == "" {
		return math.NaN()
	}
	if number, err := runfolder.ParseValue(text); err == nil {
		return number
	}
	return strings.Clone(text)
}

// namesOf are the columns of cells.
func namesOf(cells []string) (names []string) {
	for _, cell := range cells {
		name, _, _ := strings.Cut(cell, "=")
		names = append(names, name)
	}
	return names
}

func (r *reading) cell(file, column string, where ...string) (float64, error) {
	list, err := r.column(file, column, where...)
	if err == nil && len(list) != 1 {
		err = fmt.Errorf("%s has %s with %s: cell wants one", file, unit.Count(len(list), "row"), strings.Join(where, ", "))
	}
	if err != nil {
		return math.NaN(), err
	}
	return list[0], nil
}

// ends are a cell in two variants, the first of which is the beginning of the other.
func (r *reading) ends(from, to, file, column string, where []string) (before, after float64, err error) {
	in := func(variant string) (float64, error) {
		return r.cell(file, column, append([]string{"variant=" + variant}, where...)...)
	}
	before, err = in(from)
	if err == nil {
		after, err = in(to)
	}
	return before, after, err
}

func (r *reading) growth(from, to, file, column string, where ...string) (float64, error) {
	before, after, err := r.ends(from, to, file, column, where)
	return after - before, err
}

func (r *reading) meanAfter(from, to, file, mean, count string, where ...string) (float64, error) {
	first, all, err := r.ends(from, to, file, mean, where)
	few, many, other := r.ends(from, to, file, count, where)
	return (float64(many*all) - float64(few*first)) / (many - few), errors.Join(err, other)
}

func (r *reading) bins(file, column string, where []string) (Series, error) {
	run, cells, err := r.of(where)
	if err != nil {
		return Series{}, err
	}
	series, err := run.files().Series(file, column, cells...)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w: does the scenario set sweep: {record: true}?", err)
	}
	return series, err
}

func (r *reading) series(file, column string, from, until float64, where ...string) ([]float64, error) {
	series, err := r.bins(file, column, where)
	if err != nil {
		return nil, err
	}
	return series.Between(from, until), nil
}

func (r *reading) span(file, column string, where ...string) (float64, error) {
	series, err := r.bins(file, column, where)
	return float64(len(series.Values)) * series.Width, err
}

func (r *reading) above(limit float64, file, column string, where ...string) (float64, error) {
	series, err := r.bins(file, column, where)
	for bin, value := range series.Values {
		if value > limit {
			return float64(bin) * series.Width, nil
		}
	}
	return math.NaN(), err
}

func (r *reading) metric(name string, where ...string) (float64, error) {
	run, cells, err := r.of(where)
	if err != nil || len(cells) > 0 {
		return math.NaN(), errors.Join(err, r.named(cells))
	}
	return run.Metric(name), nil
}

func (r *reading) headroom(rate string, where ...string) (float64, error) {
	run, cells, err := r.of(where)
	if err != nil || len(cells) > 0 {
		return math.NaN(), errors.Join(err, r.named(cells))
	}
	asked, err := unit.ParseBitRate(rate)
	if err != nil {
		return math.NaN(), err
	}
	return run.headroom(asked)
}

// named refuses cells other than those that name a run.
func (r *reading) named(cells []string) error {
	switch {
	case len(cells) == 0:
		return nil
	case r.base != nil:
		return fmt.Errorf("%s: it takes only a variant, a column or a swept key", strings.Join(cells, ", "))
	}
	return fmt.Errorf("%s: it takes only a variant", strings.Join(cells, ", "))
}

func (r *reading) figure(name string, column ...string) (float64, error) {
	if value, known := r.values[name]; known {
		return value, nil
	}
	if r.values == nil {
		in := *r.figures
		if len(column) > 0 {
			in.column = column[0]
		}
		if figure, err := in.find(name); err == nil && r.nth < len(figure.Values) {
			return figure.Values[r.nth], nil
		}
	}
	return math.NaN(), fmt.Errorf("no figure before this one is called %q", name)
}

// called is the run that a call of a measure is about, and its other arguments.
func (r *reading) called(arguments []any) (*Run, Arguments, error) {
	var where []string
	var others Arguments
	for _, argument := range arguments {
		text, _ := argument.(string)
		if name, _, pair := strings.Cut(text, "="); pair && r.selects(name) {
			where = append(where, text)
		} else {
			others = append(others, argument)
		}
	}
	run, _, err := r.of(where)
	return run, others, err
}

func (r *reading) measure(name string, arguments ...any) (float64, error) {
	m, err := r.measures.find(name, ofValue)
	if err != nil {
		return math.NaN(), err
	}
	run, others, err := r.called(arguments)
	if err != nil {
		return math.NaN(), err
	}
	return m.Value(run, others), nil
}

func (r *reading) measureList(name string, arguments ...any) ([]float64, error) {
	m, err := r.measures.find(name, ofList)
	if err != nil {
		return nil, err
	}
	run, others, err := r.called(arguments)
	if err != nil {
		return nil, err
	}
	return m.List(run, others), nil
}

// width is how wide the bins of a file of series are, in microseconds.
func (r *reading) width(file string, where ...string) (float64, error) {
	run, _, err := r.of(where)
	if err != nil {
		return math.NaN(), err
	}
	summary, err := run.files().Summary()
	if err != nil || summary.Recording == nil {
		return math.NaN(), err
	}
	return summary.Recording.WidthsUS[file], nil
}
