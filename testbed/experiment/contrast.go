package experiment

import (
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/look/compare"
)

// contrasts say what differs most between the variants.
func contrasts(vs []variant) []string {
	var list []compare.Variant
	for i := range vs {
		list = append(list, compare.Variant{
			Name:   vs[i].name,
			Sound:  Sound(vs[i].runs),
			Values: vs[i].values,
		})
	}
	return compare.Sentences(list)
}

// values are those of a metric, by seed, NaN if it was not measured.
func (v *variant) values(metric string) (values []float64) {
	m, known := result.MetricOf(metric)
	for _, run := range v.runs {
		if !known {
			continue
		}
		values = append(values, m.Of(run.Summary))
	}
	return values
}
