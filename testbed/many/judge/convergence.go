package judge

import (
	"fmt"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// joined is a long flow with a port to itself, which another joins at 1 ms and
// leaves at 11 ms. The run goes on from then on for a span.
func joined(span unit.Duration) string {
	return fmt.Sprintf(`
name: joined
topology: {kind: star, hosts: 3}
traffic:
  - {name: long, from: h0, to: h2}
  - {name: guest, from: h1, to: h2, start: 1ms, duration: 10ms}
run: {until: %dps}
record: {interval: 100us}
`, int64(leave.Add(span)))
}

const (
	long, guest = 0, 1 // flows of joined
	leave       = unit.Time(11 * unit.Millisecond)
	// bin is joined's record.interval.
	bin = 100 * unit.Microsecond
	// holding is the time over which a flow's part of the line is measured, watched the time for which it must hold on.
	holding = unit.Millisecond
	watched = 5 * unit.Millisecond
)

// claimed returns the time in which the algorithm claims to recover, in whole bins.
func (t *trial) claimed() unit.Duration {
	d := t.about.Recovery
	if d == 0 {
		d = defaultRecovery
	}
	return (d + bin - 1) / bin * bin
}

// joining makes a flow give room to another, and checks it again when it must be back.
func (t *trial) joining() Row {
	r := t.run(joined(t.claimed()+holding), 1)
	back := leave.Add(t.claimed())
	from := leave.Add(-5 * unit.Millisecond)
	stayed, came, after := r.part(long, from, leave), r.part(guest, from, leave), r.part(long, back, back.Add(holding))
	var c criteria
	c.complete(r)
	c.want(came >= leastShare, "the newcomer has %s of the line, required is %s", percent(came), percent(leastShare))
	c.want(stayed+came >= leastUsed, "both have %s of the line, required is "+
		"%s", percent(stayed+came), percent(leastUsed))
	c.want(after >= recovered, "%s of the line %v after the other flow ended, required is %s",
		percent(after), t.claimed(), percent(recovered))
	return c.row(fmt.Sprintf(">= %s; then %s", percent(leastShare), percent(recovered)),
		"%s for the newcomer, %s for the other; %s %v after it ended",
		percent(came), percent(stayed), percent(after), t.claimed())
}

// recovery leaves a flow by itself again after another of its kind. Most algorithms take a small part of their claim,
// so a short run comes first.
func (t *trial) recovery() Row {
	allowed := t.claimed()
	var missed criteria
	worst, held := unit.Duration(0), 1.0
	for _, seed := range t.Seeds {
		var took unit.Duration
		for _, span := range []unit.Duration{allowed / 16, allowed} {
			if took, held = recovers(t.run(joined(span+watched+holding), seed)); took <= span {
				break
			}
		}
		if worst = max(worst, took); took > allowed {
			missed.want(false, "%s of the line %v after", percent(held), allowed)
			break
		}
	}
	figure := worst.String()
	switch {
	case len(missed) > 0:
		figure = percent(held) + " of the line"
	case worst == 0:
		figure = "at once"
	}
	return missed.row(fmt.Sprintf("%s of the line within %v", percent(recovered), allowed), "%s", figure)
}

// recovers returns the time from the other flow's end on after which the first flow holds its part of the line for as
// long as it is watched, and the part that it holds at the run's end.
func recovers(run *run) (took unit.Duration, held float64) {
	width := unit.Time(bin)
	last := (run.End / width * width).Add(-holding)
	since := leave
	for from := leave; from <= last; from += width {
		if held = run.part(long, from, from.Add(holding)); held < recovered {
			since = from + width
		} else if from.Sub(since) >= watched {
			return since.Sub(leave), held
		}
	}
	return unit.Duration(unit.Never), held
}
