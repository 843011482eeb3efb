package experiment

import (
	"math"
	"strconv"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/contrast"
)

// contrasts say what differs most between the variants.
func contrasts(vs []variant) []string {
	var list []contrast.Variant
	for i := range vs {
		list = append(list, contrast.Variant{
			Name:   vs[i].name,
			Sound:  Sound(vs[i].runs),
			Values: vs[i].values,
		})
	}
	return contrast.Sentences(list)
}

// values are those of a metric, by seed, with the decimals that summary.json has: the page,
// which is made of it, says the same sentences.
func (v *variant) values(metric string) (values []float64) {
	m, known := result.MetricOf(metric)
	for _, run := range v.runs {
		if !known {
			continue
		}
		value, err := strconv.ParseFloat(m.Format(m.Of(run.Summary)), 64)
		if err != nil {
			value = math.NaN() // not measured
		}
		values = append(values, value)
	}
	return values
}
