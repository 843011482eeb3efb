package result

import (
	"iter"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// rankRow is an iteration as one rank saw it.
type rankRow struct {
	collective, host string
	iteration, rank  int
	// begun is the time at which the rank began to compute, ready the time at which it had finished computing, ended
	// the time at which it was done; unit.Never if that did not happen.
	begun, ready, ended unit.Time
}

// rankRows yields every rank of every iteration of every collective, in order. One row is
// reused.
func rankRows(o *Outcome) iter.Seq[*rankRow] {
	return func(yield func(*rankRow) bool) {
		for i := range o.Plan.Collectives {
			c := &o.Plan.Collectives[i]
			for k := range c.Iterations {
				for rank, place := range c.Places {
					ends := o.Phases[place.NIC][place.Rank]
					at := func(phase int) unit.Time {
						if phase < len(ends) {
							return ends[phase]
						}
						return unit.Never
					}
					first := k * place.PhasesPerIteration
					row := rankRow{
						collective: c.Name,
						host:       o.Plan.NICs[place.NIC].Name,
						iteration:  k,
						rank:       rank,
						begun:      c.Start,
						ready:      at(first),
						ended:      at(first + place.PhasesPerIteration - 1),
					}
					if k > 0 {
						row.begun = at(first - 1)
					}
					if !yield(&row) {
						return
					}
				}
			}
		}
	}
}

var rankSheet = sheet[rankRow]{"ranks.csv", "One row per iteration and rank of each collective; see Collectives below.",
	[]column[rankRow]{
		textColumn("collective", "Traffic entry.", func(r *rankRow) string { return r.collective }),
		intColumn("iteration", "From 0.", func(r *rankRow) int { return r.iteration }),
		intColumn("rank", "From 0.", func(r *rankRow) int { return r.rank }),
		textColumn("host", "Its NIC.", func(r *rankRow) string { return r.host }),
		timeColumn("begun_us", "When the rank began to compute.", func(r *rankRow) unit.Time { return r.begun }),
		timeColumn("ready_us", "Time at which it had computed and took part in the operation.",
			func(r *rankRow) unit.Time { return r.ready }),
		timeColumn("done_us", "Time at which it was done; empty if it was not.",
			func(r *rankRow) unit.Time { return r.ended }),
	}}
