package acceptance

import (
	. "github.com/onsi/ginkgo/v2"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/unit"
)

// equals is four flows that share a port for 10 ms; the second half counts.
const equals = `
name: equals
topology: {kind: star, hosts: 5}
traffic: [{kind: incast, senders: 4}]
run: {until: 10ms}
record: {interval: 100us}
`

func (t *trial) fairness() {
	It("shares a port fairly among four equal flows, and uses it", Label("fairness"), func(ctx SpecContext) {
		t.controlled()
		r := t.run(ctx, equals)
		from, to := unit.Time(5*unit.Millisecond), unit.Time(10*unit.Millisecond)
		var rates []float64
		sum := 0.0
		for f := range r.Flows {
			rate := r.WireRate(f, from, to)
			rates, sum = append(rates, rate), sum+rate
		}
		jain := result.Jain(rates)
		figure("Jain %.4f, %.1f Gb/s together", jain, sum)
		c := complete(r)
		c.Want(jain >= 0.9, "Jain's index %.4f of %.1f Gb/s, wanted is 0.9", jain, rates)
		c.Want(sum >= 50, "%.1f of 100 Gb/s together, wanted is half", sum)
		insist(c)
	})
}
