package reproduce

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/vm"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// formula is a record's way to read a figure of ours: an expression of github.com/expr-lang/expr that is a number.
// Besides the language's own functions it may call
//
//	cell(FILE, COLUMN, WHERE...)        the number in a column of the one row of a CSV file that has these cells,
//	                                    each as "queue=3"; of a scenario with variants one is "variant=NAME"
//	column(FILE, COLUMN, WHERE...)      those of all such rows, as a list
//	series(FILE, COLUMN, FROM, UNTIL, WHERE...)
//	                                    the bins of a file of series between two times, in microseconds
//	growth(FROM, TO, FILE, COLUMN, WHERE...)
//	                                    what a cell is in variant TO more than in FROM, its beginning
//	mean_after(FROM, TO, FILE, MEAN, COUNT, WHERE...)
//	                                    the mean of what variant TO has after FROM: MEAN and COUNT are columns
//	metric(NAME), metric(NAME, WHERE)   a metric of summary.json
//	figure(NAME)                        a figure that stands before this one in the record
//	headroom(RATE), headroom(RATE, WHERE)
//	                                    the bytes of headroom of a lossless class at the ports of a rate, "400Gbps"
type formula struct {
	text    string
	program *vm.Program
}

// newFormula compiles a formula.
func newFormula(text string) (*formula, *ExpressionError) {
	program, err := expr.Compile(text, expr.AsFloat64(), expr.MaxNodes(maxNodes), expr.Env((&reading{}).environment()))
	if err != nil {
		return nil, placed(err)
	}
	return &formula{text, program}, nil
}

// reading is the runs of one seed that formulas read.
type reading struct {
	runs   []*Run
	values map[string]float64
}

// environment returns the names for formulas.
func (r *reading) environment() map[string]any {
	return map[string]any{
		"cell":       r.cell,
		"column":     r.column,
		"growth":     r.growth,
		"mean_after": r.meanAfter,
		"series":     r.series,
		"metric":     r.metric,
		"figure":     r.figure,
		"headroom":   r.headroom,
	}
}

// of is the run of a variant that cells name, and the other cells.
func (r *reading) of(where []string) (*Run, []string, error) {
	var cells []string
	variant, named := "", false
	for _, cell := range where {
		name, value, pair := strings.Cut(cell, "=")
		switch {
		case !pair:
			return nil, nil, fmt.Errorf("%q is not a cell such as \"queue=3\"", cell)
		case name == "variant":
			variant, named = value, true
		default:
			cells = append(cells, cell)
		}
	}
	if !named && len(r.runs) == 1 {
		return r.runs[0], cells, nil
	}
	var names []string
	for _, run := range r.runs {
		if run.Variant == variant {
			return run, cells, nil
		}
		names = append(names, run.Variant)
	}
	if !named {
		return nil, nil, fmt.Errorf("name one of the variants %s, such as \"variant=%s\"", strings.Join(names, ", "),
			names[0])
	}
	return nil, nil, fmt.Errorf("there is no variant %q: there are %s", variant, strings.Join(names, ", "))
}

func (r *reading) column(file, column string, where ...string) (list []float64, err error) {
	run, cells, err := r.of(where)
	if err != nil {
		return nil, err
	}
	err = run.read(file, func(line Line) bool {
		for _, name := range append([]string{column}, namesOf(cells)...) {
			if !line.Has(name) {
				err = fmt.Errorf("%s has no column %s: it has %s", file, name, strings.Join(line.Columns(), ", "))
				return false
			}
		}
		if !slices.ContainsFunc(cells, func(cell string) bool {
			name, value, _ := strings.Cut(cell, "=")
			return line.Text(name) != value
		}) {
			list = append(list, line.OrZero(column))
		}
		return true
	})
	return list, err
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

// ends returns a cell in two variants; the first is the beginning of the other.
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

func (r *reading) series(file, column string, from, until float64, where ...string) ([]float64, error) {
	run, cells, err := r.of(where)
	if err != nil {
		return nil, err
	}
	series, err := run.files().Series(file, column, cells...)
	if err != nil {
		return nil, err
	}
	return series.Between(from, until), nil
}

func (r *reading) metric(name string, where ...string) (float64, error) {
	run, cells, err := r.of(where)
	if err != nil || len(cells) > 0 {
		return math.NaN(), errors.Join(err, named(cells))
	}
	return run.Metric(name), nil
}

func (r *reading) headroom(rate string, where ...string) (float64, error) {
	run, cells, err := r.of(where)
	if err != nil || len(cells) > 0 {
		return math.NaN(), errors.Join(err, named(cells))
	}
	asked, err := unit.ParseBitRate(rate)
	if err != nil {
		return math.NaN(), err
	}
	return run.headroom(asked)
}

// named refuses cells other than the variant's.
func named(cells []string) error {
	if len(cells) == 0 {
		return nil
	}
	return fmt.Errorf("%s: it takes only a variant", strings.Join(cells, ", "))
}

func (r *reading) figure(name string) (float64, error) {
	value, known := r.values[name]
	if !known {
		return math.NaN(), fmt.Errorf("no figure before this one is called %q", name)
	}
	return value, nil
}

// measure reads all figures of a record from its runs, seed by seed.
func (h *Hardware) measure(place func(*HardwareFigure, *ExpressionError) string) func(*Results) []Figure {
	return func(results *Results) (list []Figure) {
		var seeds []uint64
		runs := map[uint64][]*Run{}
		for _, run := range results.runs {
			if runs[run.Seed] == nil {
				seeds = append(seeds, run.Seed)
			}
			runs[run.Seed] = append(runs[run.Seed], run)
		}
		read := make([]reading, len(seeds))
		for i, seed := range seeds {
			read[i] = reading{runs[seed], map[string]float64{}}
		}
		for _, f := range h.Figures {
			if f.formula == nil {
				continue
			}
			one := Figure{Name: f.Name, Unit: f.Unit}
			for i := range read {
				machine := &vm.VM{MemoryBudget: maxMemory}
				value, err := machine.Run(f.formula.program, read[i].environment())
				if err != nil {
					results.fail(errors.New(place(f, placed(err))))
					return nil
				}
				number, _ := value.(float64)
				read[i].values[f.Name] = number
				one.Values = append(one.Values, number)
			}
			list = append(list, one)
		}
		return list
	}
}
