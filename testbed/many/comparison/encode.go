package comparison

import (
	"fmt"
	"math"
	"strconv"

	"github.com/rocelab/rocelab/testbed/look/compare"
)

// number is a float that is null in JSON, and empty in CSV, if nothing was measured. Twelve digits are beyond the
// differences between machines.
type number float64

func (n number) text() string {
	if math.IsNaN(float64(n)) || math.IsInf(float64(n), 0) {
		return ""
	}
	return strconv.FormatFloat(float64(n), 'g', 12, 64)
}

// MarshalJSON writes the number or null.
func (n number) MarshalJSON() ([]byte, error) {
	if t := n.text(); t != "" {
		return []byte(t), nil
	}
	return []byte("null"), nil
}

type reportJSON struct {
	Scenario   string          `json:"scenario"`
	Variant    string          `json:"variant,omitempty"`
	Seeds      []uint64        `json:"seeds"`
	Algorithms []columnJSON    `json:"algorithms"`
	Statistics statisticsJSON  `json:"statistics"`
	Reference  *referenceJSON  `json:"reference,omitempty"`
	Metrics    []metricRowJSON `json:"metrics"`
	NotRun     []string        `json:"not_run,omitempty"`
}

type columnJSON struct {
	Entry     string    `json:"entry"`
	Algorithm string    `json:"algorithm"`
	Program   string    `json:"program,omitempty"`
	Runs      []runJSON `json:"runs"`
}

type runJSON struct {
	Seed    uint64 `json:"seed"`
	Verdict string `json:"verdict"`
	Trace   string `json:"trace"`
	// Missed are the expectations of the scenario that were not met.
	Findings []findingJSON `json:"findings"`
}

type findingJSON struct {
	About  string `json:"about"`
	Status string `json:"status"`
	Text   string `json:"text"`
}

type statisticsJSON struct {
	Confidence number `json:"confidence"`
	Resamples  int    `json:"resamples"`
	LeastP     number `json:"least_p"`
}

type referenceJSON struct {
	Source string `json:"source"`
	Note   string `json:"note,omitempty"`
}

type metricRowJSON struct {
	Name       string       `json:"name"`
	Doc        string       `json:"doc"`
	Algorithms []figureJSON `json:"algorithms"`
}

type figureJSON struct {
	Entry     string       `json:"entry"`
	Values    []number     `json:"values"`
	N         int          `json:"n"`
	Median    number       `json:"median"`
	Min       number       `json:"min"`
	Max       number       `json:"max"`
	Against   *againstJSON `json:"against_first,omitempty"`
	Printed   *number      `json:"printed,omitempty"`
	Deviation *number      `json:"deviation,omitempty"`
}

type againstJSON struct {
	Ratio number `json:"ratio"`
	Low   number `json:"ratio_low"`
	High  number `json:"ratio_high"`
	U     number `json:"u"`
	P     number `json:"p"`
	Exact bool   `json:"exact"`
}

func (r *Report) toJSON() reportJSON {
	first, other := r.fewest()
	out := reportJSON{
		Scenario:   r.Scenario,
		Variant:    r.Variant,
		Seeds:      r.Seeds,
		Algorithms: []columnJSON{},
		Metrics:    []metricRowJSON{},
		NotRun:     r.NotRun,
		Statistics: statisticsJSON{compare.Confidence, compare.Resamples, number(compare.LeastP(first, other))},
	}
	if r.Reference != nil {
		out.Reference = &referenceJSON{r.Reference.Source, r.Reference.Note}
	}
	for _, c := range r.Columns {
		column := columnJSON{c.Entry.Text, c.Algorithm, c.Program, []runJSON{}}
		for i := range c.Runs {
			run := &c.Runs[i]
			j := runJSON{run.Summary.Seed, statusOf(run).String(), fmt.Sprintf("%016x", run.Summary.Trace), []findingJSON{}}
			for _, f := range run.Verdict.Findings {
				j.Findings = append(j.Findings, findingJSON{string(f.Subject), f.Status.String(), f.Text})
			}
			column.Runs = append(column.Runs, j)
		}
		out.Algorithms = append(out.Algorithms, column)
	}
	for _, row := range r.Rows() {
		out.Metrics = append(out.Metrics, metricRowJSON{row.Metric.Name, row.Metric.Doc, r.figures(&row)})
	}
	return out
}

func (r *Report) figures(row *Row) (list []figureJSON) {
	for i, f := range row.Figures {
		j := figureJSON{
			Entry:  r.Columns[i].Entry.Text,
			Values: []number{},
			N:      f.N,
			Median: number(f.Median),
			Min:    number(f.Min),
			Max:    number(f.Max),
		}
		for _, v := range f.Values {
			j.Values = append(j.Values, number(v))
		}
		if i > 0 {
			a := row.Against[i]
			j.Against = &againstJSON{number(a.Ratio), number(a.Interval.Low), number(a.Interval.High), number(a.Test.U),
				number(a.Test.P), a.Test.Exact}
		}
		if p := number(row.Printed[i]); p == p {
			d := number(row.Deviation(i))
			j.Printed, j.Deviation = &p, &d
		}
		list = append(list, j)
	}
	return list
}

// sheet is the content of CSV: a line for each metric and algorithm.
func (r *Report) sheet() [][]string {
	lines := [][]string{{"scenario", "metric", "entry", "algorithm", "n", "median", "min", "max",
		"ratio", "ratio_low", "ratio_high", "u", "p", "printed", "deviation"}}
	for _, row := range r.Rows() {
		for i, f := range row.Figures {
			a := compare.Between(nil, nil, row.Metric) // NaN all over
			if i > 0 {
				a = row.Against[i]
			}
			line := []string{r.Scenario, row.Metric.Name, r.Columns[i].Entry.Text, r.Columns[i].Algorithm, strconv.Itoa(f.N)}
			for _, v := range []float64{f.Median, f.Min, f.Max, a.Ratio, a.Interval.Low, a.Interval.High, a.Test.U, a.Test.P,
				row.Printed[i], row.Deviation(i)} {
				line = append(line, number(v).text())
			}
			lines = append(lines, line)
		}
	}
	return lines
}
