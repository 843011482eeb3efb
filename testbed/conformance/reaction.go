package conformance

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/plugins/cc"
)

const (
	// reactionRTTs is within how many base RTTs of a doubled load a sender must
	// have reacted, mostSent what it may then still send, as a part of what it
	// sent before.
	reactionRTTs = 20
	mostSent     = 2.0 / 3
	// averaged is over how many RTTs what it sends is measured, a part of
	// reactionRTTs.
	averaged = 2
)

// reaction doubles the load on a flow's port by one that nothing slows down,
// and measures what the flow sends: a window that is full holds it back as much
// as a rate does. The counters of a run are those at its end, so the run is
// made once for each instant.
func (k *kit) reaction() Row {
	return k.with(func(a cc.Algorithm) Row {
		var worst reacted
		for i, seed := range k.options.Seeds {
			r, err := k.react(a, seed)
			if err != nil {
				return missed(err)
			}
			if k.ctx.Err() != nil || r.before == 0 {
				return Row{Result: Miss, Remark: "it sends nothing before the load doubles"}
			}
			if i == 0 || r.worse(worst) {
				worst = r
			}
		}
		row := Row{Result: Pass, Allowed: fmt.Sprintf("%s within %d RTT", percent(mostSent), reactionRTTs),
			Figure: fmt.Sprintf("%s after %d RTT", percent(worst.least), worst.after)}
		if worst.after == 0 {
			row.Result, row.Figure = Miss, fmt.Sprintf("%s within %d RTT", percent(worst.least), reactionRTTs)
		}
		if worst.before < 0.8 {
			row.Remark = fmt.Sprintf("it sent at %s of the line before", percent(worst.before))
		}
		return row
	})
}

// reacted is what a flow sent when the load on its port doubled.
type reacted struct {
	// before is what it sent until then, as a part of the line.
	before float64
	// after is the first RTT by whose end it sends no more than mostSent, 0
	// for none; least what it then sends or, for none, the least, as a part
	// of before.
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
func (k *kit) react(a cc.Algorithm, seed uint64) (r reacted, err error) {
	var rtt unit.Duration
	var line unit.BitRate
	load := unit.Time(unit.Millisecond)
	sent := func(at unit.Time) (unit.Bytes, error) {
		out, err := k.simulate(doubled, setting{seed, at}, a)
		if err != nil {
			return 0, err
		}
		rtt, line = out.Flows[0].BaseRTT, out.Plan.Links[out.Plan.NICs[0].Link].Forward.Rate
		return out.Flows[0].Sender.WireBytes, nil
	}
	var at [reactionRTTs/averaged + 1]unit.Bytes // sent by the end of each stretch
	if at[0], err = sent(load); err != nil {
		return r, err
	}
	first, err := sent(load.Add(-reactionRTTs * rtt))
	for n := 1; n < len(at) && err == nil; n++ {
		at[n], err = sent(load.Add(unit.Duration(n*averaged) * rtt))
	}
	if err != nil {
		return r, err
	}
	before := float64(at[0]-first) / reactionRTTs
	if before <= 0 {
		return r, nil
	}
	r.before = before * 8 / rtt.Seconds() / float64(line)
	r.least = 1
	for n := 1; n < len(at); n++ {
		part := float64(at[n]-at[n-1]) / averaged / before
		r.least = min(r.least, part)
		if part <= mostSent {
			r.after = n * averaged
			break
		}
	}
	return r, nil
}
