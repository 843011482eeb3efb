package reproduce

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/look/compare"
)

// Figure is a number of a row, once for each seed.
type Figure struct {
	// Column is the row's column of the measurement, or any other word under which it is printed, such as the
	// algorithm; "" for a row without.
	Column string `json:"column,omitempty"`
	// Name describes it, such as "mean RTT, n=16"; with the column it identifies the figure.
	Name string `json:"name"`
	// Unit is its unit, "" for a ratio or a count.
	Unit string `json:"unit,omitempty"`
	// Values are by seed.
	Values []float64 `json:"values"`
	// Refused is the reason why there is no value: the scenario refuses its runs. "" if there are values.
	Refused string `json:"refused,omitempty"`
}

// digits is the number of significant digits of a value: further ones may differ with the machine's way to add numbers
// up.
const digits = 6

// rounded returns a figure with its values rounded to that many digits.
func (f Figure) rounded() Figure {
	f.Values = slices.Clone(f.Values)
	for i, value := range f.Values {
		f.Values[i], _ = strconv.ParseFloat(strconv.FormatFloat(value, 'g', digits, 64), 64)
	}
	return f
}

// Median is the middle one of the values; NaN of none.
func (f Figure) Median() float64 { return compare.Median(f.Values) }

// Least is the smallest value, NaN of none; Largest the largest.
func (f Figure) Least() float64   { return extreme(f.Values, math.Min) }
func (f Figure) Largest() float64 { return extreme(f.Values, math.Max) }

func extreme(values []float64, of func(a, b float64) float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	most := values[0]
	for _, value := range values[1:] {
		most = of(most, value)
	}
	return most
}

// String is "median [least..largest]" with three digits or so, without the unit, or why there is none.
func (f Figure) String() string {
	if f.Refused != "" {
		return "refused: " + f.Refused
	}
	text := number(f.Median())
	if len(f.Values) > 1 {
		text += fmt.Sprintf(" [%s..%s]", number(f.Least()), number(f.Largest()))
	}
	return text
}

// number prints a value for a person: four digits, without an exponent if that is short.
func number(value float64) string {
	switch size := math.Abs(value); {
	case math.IsNaN(value):
		return "-"
	case size == 0:
		return "0"
	case size < 1e-3 || size >= 1e7:
		return strconv.FormatFloat(value, 'g', 4, 64)
	default:
		decimals := min(4, max(0, 3-unit.Whole[int](math.Floor(math.Log10(size)))))
		return strconv.FormatFloat(value, 'f', decimals, 64)
	}
}

// Figures are a row's figures as a criterion sees them: in the judged column, else the ones without a column.
type Figures struct {
	list   []Figure
	column string
	// missing records requested figures that are not there.
	missing *[]string
}

// In returns the figures as they are seen in another column, such as that of another algorithm.
func (f Figures) In(column string) Figures {
	f.column = column
	return f
}

// Of returns a figure by its name. One that is not there is a mistake of the row, which then
// fails as a whole.
func (f Figures) Of(name string) Figure {
	for _, column := range []string{f.column, ""} {
		for i := range f.list {
			if f.list[i].Name == name && f.list[i].Column == column {
				return f.list[i]
			}
		}
	}
	*f.missing = append(*f.missing, f.asked(name))
	return Figure{}
}

// asked is a figure's name as it was asked for.
func (f Figures) asked(name string) string {
	if f.column != "" {
		return name + " in column " + f.column
	}
	return name
}

// Has reports whether there is a figure of that name, which may be one of the full form only.
func (f Figures) Has(name string) bool {
	return slices.ContainsFunc(f.list, func(figure Figure) bool {
		return figure.Name == name && (figure.Column == f.column || figure.Column == "")
	})
}

func (f Figure) withUnit() string {
	if f.Unit == "" {
		return f.String()
	}
	return fmt.Sprintf("%v %s", f, f.Unit)
}
