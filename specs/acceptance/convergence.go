package acceptance

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"

	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/specs/lab"
)

// joined is a long flow with a port to itself, joined from 1 ms to 11 ms by
// another. The long one then has as long to take the port back as the algorithm
// claims to need.
func joined(recovery unit.Duration) string {
	return fmt.Sprintf(`
name: joined
topology: {kind: star, hosts: 3}
traffic:
  - {name: long, from: h0, to: h2}
  - {name: guest, from: h1, to: h2, start: 1ms, duration: 10ms}
run: {until: %dps}
record: {interval: 100us}
`, int64(leave.Add(recovery+after)))
}

const (
	join  = unit.Time(1 * unit.Millisecond)
	leave = unit.Time(11 * unit.Millisecond)
	// after is how long the long flow is looked at once it must be back.
	after = unit.Millisecond
	// bin is joined's record.interval.
	bin = 100 * unit.Microsecond
	// usualRecovery is for algorithms that claim nothing.
	usualRecovery = 50 * unit.Millisecond
)

// recoveryTime is the time that the subject has, in whole bins.
func (t *trial) recoveryTime() unit.Duration {
	d := t.subject.About.Recovery
	if d == 0 {
		d = usualRecovery
	}
	return (d + bin - 1) / bin * bin
}

func (t *trial) convergence() {
	const long, guest = 0, 1
	var r *lab.Run // of both specs, made once
	both := func(ctx SpecContext) *lab.Run {
		t.controlled()
		if r == nil {
			r = t.run(ctx, joined(t.recoveryTime()))
		}
		return r
	}

	It("makes room for a flow that joins", Label("convergence"), func(ctx SpecContext) {
		r := both(ctx)
		from := join.Add(5 * unit.Millisecond)
		stayed, came := r.WireRate(long, from, leave), r.WireRate(guest, from, leave)
		figure("%.1f Gb/s, and %.1f for the newcomer, 5 to 10 ms after it joined", stayed, came)
		c := complete(r)
		c.Want(came >= 20, "the newcomer has %.1f of 100 Gb/s, wanted is a fifth", came)
		c.Want(stayed+came >= 50, "both have %.1f of 100 Gb/s, wanted is half", stayed+came)
		insist(c)
	})

	It("takes the port back when that flow ends", Label("convergence"), func(ctx SpecContext) {
		r := both(ctx)
		from := leave.Add(t.recoveryTime())
		back := r.WireRate(long, from, from.Add(after))
		soon := "80 not reached before"
		for at := leave; at < from; at = at.Add(bin) {
			if r.WireRate(long, at, at.Add(bin)) >= 80 {
				soon = "80 within " + at.Add(bin).Sub(leave).String()
				break
			}
		}
		figure("%.1f Gb/s %v after it ended; %s", back, t.recoveryTime(), soon)
		var c lab.Criteria
		c.Want(back >= 80, "%.1f of 100 Gb/s %v after the other flow ended, wanted is 80", back, t.recoveryTime())
		insist(c)
	})
}
