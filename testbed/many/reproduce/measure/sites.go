package measure

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

// This is the draft's claim, over 90 % of one data centre's rate, as a table: the part that each scheme keeps of one
// site and of the bound, by computation, by the draw of paths, in step and drifting. Each scheme is a column.

// cell is a place of the table: values of the swept keys.
type cell struct{ compute, paths, start string }

func (c cell) keys() []string {
	return []string{"traffic.compute=" + c.compute, "traffic.job1.start=" + c.start}
}

// variant is the scenario's of a scheme, with the cell's paths.
func (c cell) variant(scheme string) string {
	if scheme == oneSite || c.paths == "balanced" {
		return scheme
	}
	return scheme + "-" + c.paths
}

// schemes are the columns of the table that were run with the cell's paths.
func (c cell) schemes(r *reproduce.Results) (list []string) {
	for _, variant := range r.Variants() {
		scheme, paths, drawn := strings.Cut(variant, "-")
		if variant != oneSite && c.paths == map[bool]string{true: paths, false: "balanced"}[drawn] {
			list = append(list, scheme)
		}
	}
	return list
}

// name is the cell's, such as "60ms, ECMP, apart".
func (c cell) name() string {
	return c.compute + ", " + c.draw()
}

// draw is the cell's without its computation.
func (c cell) draw() string {
	text := "balanced"
	if c.paths == "ecmp" {
		text = "ECMP"
	}
	if c.start != "0s" {
		text += ", apart"
	}
	return text
}

const (
	oneSite = "one-site"
	ofOne   = ": of one site's rate"
	ofBound = ": of the bound's rate"
	wonBack = ": won back"
	lost    = ": lost"
	// fastest is the least of all runs' longest iterations, over the bound of jobs that drift. That is the slowest
	// job's: a mean of jobs may be less, if paths favour one of them.
	fastest = ": longest iteration, of free"
	least   = "least computation for 0.9 of one site: "
)

// measureSites is the table.
func measureSites(r *reproduce.Results) (list []reproduce.Figure) {
	for _, paths := range []string{"balanced", "ecmp"} {
		schemes := cell{paths: paths}.schemes(r)
		if len(schemes) == 0 {
			continue
		}
		for _, start := range r.Values("traffic.job1.start") {
			draw := cell{paths: paths, start: start}
			overheads := map[string][]overhead{}
			for _, compute := range r.Values("traffic.compute") {
				list = append(list, measureCell(r, cell{compute, paths, start}, overheads)...)
			}
			for _, column := range append([]string{"bound"}, schemes...) {
				list = append(list, reproduce.Figure{
					Column: column,
					Name:   least + draw.draw(),
					Unit:   "ms",
					Values: []float64{leastComputation(overheads[column])},
				})
			}
		}
	}
	return list
}

// measureCell measures one place of the table, and notes of each column how much longer than in one site an
// iteration takes. The bound is that of jobs in step, or of jobs that drift where they begin apart.
func measureCell(r *reproduce.Results, c cell, overheads map[string][]overhead) (list []reproduce.Figure) {
	of := func(scheme string) reproduce.Runs { return r.Of("", c.variant(scheme), c.keys()...) }
	milliseconds := func(scheme, column, metric string) reproduce.Figure {
		return of(scheme).Figure(column, c.name()+": iteration", "ms", func(run *reproduce.Run) float64 {
			return run.Metric(metric) / 1000
		})
	}
	limit := "bound_us"
	if c.start != "0s" {
		limit = "free_us"
	}
	one := milliseconds(oneSite, oneSite, "iteration_mean_us")
	bound, free := milliseconds("ecn", "bound", limit), milliseconds("ecn", "bound", "free_us")
	ecn := milliseconds("ecn", "ecn", "iteration_mean_us")
	shortest := math.Inf(1)
	compute, err := time.ParseDuration(c.compute)
	if err != nil {
		compute = 0 // a run of such a scenario does not exist
	}
	add := func(figure reproduce.Figure) {
		overheads[figure.Column] = append(overheads[figure.Column], overhead{
			compute: compute.Seconds() * 1e3,
			one:     one.Median(),
			beyond:  figure.Median() - one.Median(),
		})
		list = append(list, figure, quotient(c.name()+ofOne, one, figure))
		if figure.Column != "bound" {
			list = append(list, quotient(c.name()+ofBound, bound, figure), wonBackBy(c, figure, ecn, bound),
				of(figure.Column).Metric(figure.Column, c.name()+lost, "frames", "drops"))
			longest := milliseconds(figure.Column, figure.Column, "iteration_max_us")
			shortest = min(shortest, quotient("", longest, free).Least())
		}
	}
	list = append(list, one)
	add(bound)
	for _, scheme := range c.schemes(r) {
		add(milliseconds(scheme, scheme, "iteration_mean_us"))
	}
	return append(list, reproduce.Figure{Column: "bound", Name: c.name() + fastest, Values: []float64{shortest}})
}

// wonBackBy is the part of what congestion costs end-to-end ECN beyond the bound that a scheme wins back, seed by
// seed; 0 where ECN is at the bound.
func wonBackBy(c cell, scheme, ecn, bound reproduce.Figure) reproduce.Figure {
	scheme.Name, scheme.Unit, scheme.Values = c.name()+wonBack, "", slices.Clone(scheme.Values)
	for i, own := range scheme.Values {
		scheme.Values[i] = 0
		if cost := ecn.Values[i] - bound.Values[i]; cost > 0 {
			scheme.Values[i] = (ecn.Values[i] - own) / cost
		}
	}
	return scheme
}

// quotient is one figure over another, seed by seed, in the column of the other.
func quotient(name string, over, under reproduce.Figure) reproduce.Figure {
	under.Name, under.Unit, under.Values = name, "", slices.Clone(under.Values)
	for i := range under.Values {
		under.Values[i] = over.Values[i] / under.Values[i]
	}
	return under
}

// overhead is the extra time of an iteration over one site, in ms, with some computation.
type overhead struct{ compute, one, beyond float64 }

// leastComputation is the least computation, in ms, at which 0.9 of one site's rate is kept: linear between measured
// points, and beyond them as if the overhead stayed as it is.
//
//	one / (one + beyond) >= 0.9  where one = compute + the rest  <=>  compute >= 9 beyond - rest
func leastComputation(list []overhead) float64 {
	lacks := func(o overhead) float64 { return 9*o.beyond - o.one }
	first, last := list[0], list[len(list)-1]
	if lacks(first) <= 0 {
		return max(0, first.compute+lacks(first))
	}
	for i := range list[1:] {
		if a, b := list[i], list[i+1]; lacks(b) <= 0 {
			return a.compute + (b.compute-a.compute)*lacks(a)/(lacks(a)-lacks(b))
		}
	}
	return last.compute + lacks(last)
}
