package reproduce

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/rocelab/rocelab/testbed/look/page"
)

// tried is one combination of the values of a fit.
type tried struct {
	// Values are the values of the fit's keys, in their order; Chosen is set if they are the scenario's own.
	Values []string `json:"values"`
	Chosen bool     `json:"chosen"`
	// Figures are ours, in the order of the fit's; Worst is the largest of their distances from hardware, as a share of
	// it. Error is the reason why there are none.
	Figures []float64 `json:"figures,omitempty"`
	Worst   float64   `json:"largest_error"`
	Error   string    `json:"error,omitempty"`
}

// Fitting is the result of a fit.
type Fitting struct {
	Record string   `json:"record"`
	Name   string   `json:"name"`
	Keys   []string `json:"keys"`
	On     []string `json:"fitted_on"`
	Tried  []tried  `json:"tried"`
	// Best is the place of the best combination among the tried ones.
	Best int `json:"best"`
}

// Holds reports whether the scenario has the best of the values.
func (f *Fitting) Holds() bool { return f.Best >= 0 && f.Tried[f.Best].Chosen }

// combinations are all values of a fit's keys.
func (f *Fit) combinations() (list [][]string) {
	list = [][]string{nil}
	for _, values := range f.Values {
		var longer [][]string
		for _, before := range list {
			for _, value := range values {
				longer = append(longer, append(slices.Clone(before), value))
			}
		}
		list = longer
	}
	return list
}

// Fit carries a record out with each combination of a fit's values, in the form of its job, and finds the best: the one
// whose largest distance from hardware is least, the first of equal ones.
func (h *Hardware) Fit(ctx context.Context, work *Work, fit *Fit) (*Fitting, error) {
	fitting := &Fitting{
		Record: h.ID,
		Name:   fit.Name,
		Keys:   fit.Keys,
		On:     fit.On,
		Best:   -1,
	}
	all := *work
	all.List = nil
	at := slices.IndexFunc(work.List, func(job *Job) bool { return job.Row.ID == h.ID })
	plain := work.List[at]
	for _, values := range fit.combinations() {
		changes := map[string]string{}
		for i, key := range fit.Keys {
			changes[key] = values[i]
		}
		job := plain.With(changes)
		all.List = append(all.List, job)
		fitting.Tried = append(fitting.Tried, tried{
			Values: values,
			Chosen: job.Err == nil && slices.Equal(ids(job), ids(plain)),
		})
	}
	at = 0
	err := all.Do(ctx, func(judged *Judged) error {
		fitting.Tried[at].take(judged, h, fit)
		at++
		return nil
	})
	if err == nil {
		err = ctx.Err()
	}
	for i := range fitting.Tried {
		best := fitting.Best
		if tried := &fitting.Tried[i]; tried.Error == "" && (best < 0 || tried.Worst < fitting.Tried[best].Worst) {
			fitting.Best = i
		}
	}
	return fitting, err
}

// ids are the names of a job's runs by their content: two jobs with the same ones are the same experiment.
func ids(job *Job) (list []string) {
	for i := range job.Plan.Runs {
		list = append(list, string(job.Plan.Runs[i].ID))
	}
	return list
}

func (t *tried) take(judged *Judged, one *Hardware, fit *Fit) {
	if judged.Err != nil {
		t.Error = judged.Err.Error()
		return
	}
	for _, name := range fit.On {
		hardware, ours := one.figure(name).Hardware, judged.figure("", name).Median()
		t.Figures = append(t.Figures, ours)
		t.Worst = max(t.Worst, math.Abs(ours/hardware-1))
	}
}

// mostShown is the number of combinations shown to a person.
const mostShown = 8

// Document is a fit for a person: a row a combination, the best first.
func (f *Fitting) Document(of *Hardware) *page.Document {
	titles := slices.Clone(f.Keys)
	for _, name := range f.On {
		titles = append(titles, fmt.Sprintf("%s (%s)", name, number(of.figure(name).Hardware)))
	}
	table := page.New(append(titles, "largest error", "")...)
	ranked := f.ranked()
	for place, i := range ranked {
		if place >= mostShown && !f.Tried[i].Chosen {
			continue
		}
		tried := &f.Tried[i]
		var cells []any
		for _, value := range tried.Values {
			cells = append(cells, value)
		}
		for _, value := range tried.Figures {
			cells = append(cells, number(value))
		}
		for range len(f.On) - len(tried.Figures) {
			cells = append(cells, "-")
		}
		said := ""
		if tried.Chosen {
			said = "the scenario's"
		}
		cells = append(cells, strconv.FormatFloat(float64(100*tried.Worst), 'f', 2, 64)+" %", cmp.Or(tried.Error, said))
		table.Add(cells...)
	}
	d := &page.Document{Title: f.Record + " " + f.Name, Kind: "reproduce", Record: f}
	d.Say("%s: %s: fitted on the figures below, whose value on hardware is beside them", f.Record, f.Name)
	d.Add(table)
	if len(ranked) > mostShown {
		d.Say("%d were tried, the best are shown: --format json has all", len(ranked))
	}
	if !f.Holds() {
		d.Say("the scenario does not have the best of these values")
	}
	return d
}

// ranked are the places of the combinations, the best first.
func (f *Fitting) ranked() (list []int) {
	for i := range f.Tried {
		list = append(list, i)
	}
	slices.SortStableFunc(list, func(a, b int) int {
		return cmp.Or(cmp.Compare(f.Tried[a].Error, f.Tried[b].Error), cmp.Compare(f.Tried[a].Worst, f.Tried[b].Worst))
	})
	return list
}
