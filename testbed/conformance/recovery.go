package conformance

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/plugins/cc"
)

const (
	// defaultRecovery is the time to recover that an algorithm claims by
	// saying nothing; see cc.Description.
	defaultRecovery = 50 * unit.Millisecond
	// recovered is the part of the line that a flow must hold again.
	recovered = 0.8
	// holding is over which time that is measured, watched how long it must
	// hold on.
	holding = unit.Millisecond
	watched = 5 * unit.Millisecond
	// gone is when the other flow ends.
	gone = unit.Time(3 * unit.Millisecond)
)

// recovery has a flow alone again after another of its kind.
func (k *kit) recovery() Row {
	allowed := k.about.Recovery
	if allowed == 0 {
		allowed = defaultRecovery
	}
	return k.with(func(a cc.Algorithm) Row {
		row := Row{Result: Pass, Allowed: fmt.Sprintf("%s of the line within %v", percent(recovered), allowed)}
		worst := unit.Duration(0)
		for _, seed := range k.options.Seeds {
			took, held, err := k.recover(a, seed, allowed)
			if err != nil {
				return missed(err)
			}
			if took > allowed {
				row.Result = Miss
				row.Figure = fmt.Sprintf("%s of the line %v after", percent(held), allowed)
				return row
			}
			worst = max(worst, took)
		}
		row.Figure = fmt.Sprintf("%v", worst)
		if worst == 0 {
			row.Figure = "at once"
		}
		return row
	})
}

// recover measures the time to recover under a seed. Most algorithms take a
// small part of what they claim, so a short run comes first.
func (k *kit) recover(a cc.Algorithm, seed uint64, allowed unit.Duration) (took unit.Duration, held float64, err error) {
	for _, span := range []unit.Duration{allowed / 16, allowed} {
		out, err := k.simulate(guest, setting{seed, gone.Add(span + watched).Add(holding)}, a)
		if err != nil {
			return 0, 0, err
		}
		if took, held = recovers(out); took <= span {
			break
		}
	}
	return took, held, nil
}

// recovers returns the time from the other flow's end on after which the first
// flow holds its part of the line for as long as it is watched, and what it
// holds at the run's end.
func recovers(out *result.Outcome) (took unit.Duration, held float64) {
	width := unit.Time(out.Plan.Record.Interval)
	last := (out.End / width * width).Add(-holding)
	since := gone
	for from := gone; from <= last; from += width {
		held = share(out, 0, acked(out, 0, from, from.Add(holding)), holding)
		if held < recovered {
			since = from + width
		} else if from.Sub(since) >= watched {
			return since.Sub(gone), held
		}
	}
	return unit.Duration(unit.Never), held
}
