package report

import (
	"math"
	"slices"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/look/compare"
)

// sentences say what differs most between variants, as the terminal does.
func sentences(variants []*variant) []string {
	var list []compare.Variant
	for _, v := range variants {
		list = append(list, v.compared(nil))
	}
	return compare.Sentences(list)
}

// sound reports whether the results of all runs can be used: none is void, interrupted
// or red, and no flow was left incomplete.
func (v *variant) sound() bool {
	for _, r := range v.runs {
		if left, _ := r.value("incomplete"); left > 0 || rank(r.summary.Verdict) > rank(result.Failed.String()) {
			return false
		}
	}
	return true
}

// values returns the values of a metric, by seed, NaN if it was not measured.
func (v *variant) values(metric string) (values []float64) {
	for _, r := range v.runs {
		value, ok := r.value(metric)
		if !ok {
			value = math.NaN()
		}
		values = append(values, value)
	}
	return values
}

// compared is the variant to be held against others; the causes of its flows are the slowest first.
func (v *variant) compared(causes []*cause) compare.Variant {
	return compare.Variant{
		Name:   v.label,
		Sound:  v.sound(),
		Values: v.values,
		Slowest: func() (flows []*result.SlowestFlow) {
			for _, r := range v.runs {
				flows = append(flows, slowestOf(r, causes))
			}
			return flows
		},
	}
}

// slowestOf is the slowest flow of a run, nil if it did not complete or is not known.
func slowestOf(r *run, causes []*cause) *result.SlowestFlow {
	at := slices.IndexFunc(causes, func(c *cause) bool { return c.run == r })
	if at < 0 || !causes[at].completed || causes[at].size == 0 {
		return nil
	}
	c := causes[at]
	return &result.SlowestFlow{Parts: c.Parts, Flow: c.flow, Group: c.group, Size: c.size}
}
