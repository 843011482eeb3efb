package acceptance

import (
	. "github.com/onsi/ginkgo/v2"

	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/specs/lab"
)

// lossy is four flows of 2 MB over a link that loses one frame in a thousand:
// some ten losses of data and a few of ACKs.
const lossy = `
name: lossy
topology: {kind: star, hosts: 5}
traffic: [{kind: incast, size: 2MB}]
faults: [{link: h4-s0, loss: 0.001}]
run: {limit: 500ms}
`

// outage is a flow of 10 MB whose link is down from 0.2 to 1.2 ms, beside one
// that it has nothing to do with.
const outage = `
name: outage
topology: {kind: star, hosts: 4}
traffic:
  - {name: hit, from: h0, to: h1, size: 10MB}
  - {name: bystander, from: h2, to: h3, size: 10MB}
run: {limit: 500ms}
`

func (t *trial) recovery() {
	It("survives the loss of one frame in a thousand", Label("recovery"), func(ctx SpecContext) {
		r := t.run(ctx, lossy)
		s := r.Summary
		figure("%d frames lost, %d sent again, done in %.2f ms", s.LinkLost, s.Retransmits, s.DurationUS/1e3)
		var c lab.Criteria
		c.Want(s.Incomplete == 0, "%d of %d flows did not complete within %v", s.Incomplete, s.Flows, r.Plan.Limit)
		c.Want(s.LinkLost > 0, "nothing was lost: the spec shows nothing")
		c.Want(s.Drops == s.LinkLost, "%d frames lost elsewhere", s.Drops-s.LinkLost)
		insist(c)
	})

	It("survives a link that is down for a millisecond, and leaves other flows alone", Label("recovery"), func(ctx SpecContext) {
		clean := t.run(ctx, outage)
		r := t.run(ctx, outage+"faults: [{link: h1-s0, down: 200us, up: 1200us}]\n")
		const hit, bystander = 0, 1
		s := r.Summary
		// The outage, a timer of 4 ms that began with it, and as long again
		// for what the algorithm makes of a timeout.
		const patience = 20 * unit.Millisecond
		late := min(r.Flows[hit].Sender.Completed, r.End).Sub(clean.Flows[hit].Sender.Completed)
		figure("%d frames lost, done %v later", s.LinkLost, late)
		c := complete(clean)
		c.Want(s.Incomplete == 0, "%d of %d flows did not complete within %v", s.Incomplete, s.Flows, r.Plan.Limit)
		c.Want(s.LinkLost > 0, "nothing was lost: the spec shows nothing")
		c.Want(s.Drops == s.LinkLost, "%d frames lost elsewhere", s.Drops-s.LinkLost)
		c.Want(late <= patience, "the flow was %v late, allowed is %v", late, patience)
		c.Want(r.Flows[bystander].Sender.Completed == clean.Flows[bystander].Sender.Completed, "the other flow was done at %v instead of %v",
			r.Flows[bystander].Sender.Completed, clean.Flows[bystander].Sender.Completed)
		insist(c)
	})
}
