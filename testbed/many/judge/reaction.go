package judge

import (
	"fmt"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// doubled has a flow that nothing slows down join the first after 1 ms. Within
// 20 RTT neither PFC nor the buffer's end come near.
const doubled = `
name: doubled
topology: {kind: star, hosts: 3}
traffic:
  - {name: subject, from: h0, to: h2}
  - {name: load, from: h1, to: h2, start: 1ms, algorithm: fixed}
run: {until: 2ms}
`

// averaged is over how many RTTs what a sender sends is measured, a part of
// reactionRTTs.
const averaged = 2

// reaction doubles the load on a flow's port by one that nothing slows down,
// and measures what the flow sends: a window that is full holds it back as much
// as a rate does. The counters of a run are those at its end, so the run is
// made once for each instant.
func (t *trial) reaction() Row {
	var worst reacted
	for i, seed := range t.Seeds {
		r := t.react(seed)
		if r.before == 0 {
			return Row{Result: Failed, Remark: "it sends nothing before the load doubles"}
		}
		if i == 0 || r.worse(worst) {
			worst = r
		}
	}
	row := Row{Result: Pass, Allowed: fmt.Sprintf("%s within %d RTT", percent(mostSent), reactionRTTs),
		Figure: fmt.Sprintf("%s after %d RTT", percent(worst.least), worst.after)}
	if worst.after == 0 {
		row.Result, row.Figure = Failed, fmt.Sprintf("%s within %d RTT", percent(worst.least), reactionRTTs)
		row.Remark = "it does not react"
	}
	if worst.before < 0.8 {
		row.Remark = fmt.Sprintf("it sent at %s of the line before", percent(worst.before))
	}
	return row
}

// reacted is the reaction of a flow when the load on its port doubled.
type reacted struct {
	// before is its rate until then, as a part of the line.
	before float64
	// after is the first RTT by whose end it sends no more than mostSent, 0 for none; least is its rate then or, for
	// none, the least, as a part of before.
	after int
	least float64
}

func (r reacted) worse(than reacted) bool {
	switch {
	case r.after == 0 || than.after == 0:
		return r.after == 0 && (than.after != 0 || r.least > than.least)
	case r.after != than.after:
		return r.after > than.after
	}
	return r.least > than.least
}

// react measures a flow's reaction under a seed.
func (t *trial) react(seed uint64) (reaction reacted) {
	var first *run
	load := unit.Time(unit.Millisecond)
	sent := func(at unit.Time) unit.Bytes {
		p := t.plan(doubled, seed)
		p.Until = at
		first = t.runPlan(p)
		return first.Flows[0].Sender.WireBytes
	}
	var at [reactionRTTs/averaged + 1]unit.Bytes // sent by the end of each stretch
	at[0] = sent(load)
	rtt, line := first.Flows[0].BaseRTT, first.line(0)
	before := float64(at[0]-sent(load.Add(-reactionRTTs*rtt))) / reactionRTTs
	if before <= 0 {
		return reaction
	}
	reaction.before = before * 8 / rtt.Seconds() / float64(line)
	reaction.least = 1
	for n := 1; n < len(at); n++ {
		at[n] = sent(load.Add(unit.Duration(n*averaged) * rtt))
		part := float64(at[n]-at[n-1]) / averaged / before
		reaction.least = min(reaction.least, part)
		if part <= mostSent {
			reaction.after = n * averaged
			break
		}
	}
	return reaction
}
