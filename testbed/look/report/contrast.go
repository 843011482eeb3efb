package report

import (
	"math"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/look/compare"
)

// sentences say what differs most between variants, as the terminal does.
func sentences(variants []*variant) []string {
	var list []compare.Variant
	for _, v := range variants {
		list = append(list, compare.Variant{Name: v.label, Sound: v.sound(), Values: v.values})
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

// values are those of a metric, by seed, NaN where it was not measured.
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
