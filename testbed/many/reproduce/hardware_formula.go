package reproduce

import (
	"errors"
)

// newFormula compiles how a record reads a figure of ours.
func newFormula(text string) (*value, *expressionError) { return vocabulary{}.number(text) }

// measure reads all figures of a record from its runs, seed by seed.
func (h *Hardware) measure(place func(*hardwareFigure, *expressionError) string) func(*Results) []Figure {
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
			read[i] = reading{runs: runs[seed], values: map[string]float64{}, figures: &Figures{missing: new([]string)}}
		}
		for _, f := range h.Figures {
			if f.formula == nil {
				continue
			}
			one := Figure{Name: f.Name, Unit: f.Unit}
			for i := range read {
				value, wrong := f.formula.run(&read[i])
				if wrong != nil {
					results.fail(errors.New(place(f, wrong)))
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
