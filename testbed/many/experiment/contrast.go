package experiment

import (
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/look/compare"
	"github.com/rocelab/rocelab/testbed/many/campaign"
)

// contrasts say what differs most between the variants, and why.
func contrasts(vs []variant) []string {
	var list []compare.Variant
	for i := range vs {
		list = append(list, Compared(vs[i].name, vs[i].runs))
	}
	return append(compare.Sentences(list), compare.Causes(list)...)
}

// Compared are runs, one for each seed, to be held against others.
func Compared(name string, runs []campaign.Run) compare.Variant {
	return compare.Variant{
		Name:  name,
		Sound: Sound(runs),
		Values: func(metric string) (values []float64) {
			m, known := result.MetricOf(metric)
			for _, run := range runs {
				if known {
					values = append(values, m.Of(run.Summary))
				}
			}
			return values
		},
		Slowest: func() (flows []*result.SlowestFlow) {
			for _, run := range runs {
				flows = append(flows, run.SlowestFlow)
			}
			return flows
		},
	}
}
