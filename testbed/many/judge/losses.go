package judge

import "fmt"

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

// survived are the criteria of a run whose links lost frames: those alone, and
// every flow completed.
func (c *criteria) survived(run *run) {
	s := run.Summary
	c.arrived(run)
	c.want(s.LinkLost > 0, "nothing was lost: the check shows nothing")
	c.want(s.Drops == s.LinkLost, "%d frames lost elsewhere", s.Drops-s.LinkLost)
}

func (t *trial) loss() Row {
	var c criteria
	r := t.run(lossy, 1)
	c.survived(r)
	return c.row("every flow completes", "%d frames lost, %d sent again, done in %.2f ms",
		r.Summary.LinkLost, r.Summary.Retransmits, r.Summary.DurationUS/1e3)
}

func (t *trial) outage() Row {
	const hit, bystander = 0, 1
	clean := t.run(outage, 1)
	r := t.run(outage+"faults: [{link: h1-s0, down: 200us, up: 1200us}]\n", 1)
	late := min(r.Flows[hit].Sender.Completed, r.End).Sub(clean.Flows[hit].Sender.Completed)
	was, is := clean.Flows[bystander].Sender.Completed, r.Flows[bystander].Sender.Completed
	var c criteria
	c.complete(clean)
	c.survived(r)
	c.want(late <= outageDelay, "the flow was %v late, allowed is %v", late, outageDelay)
	c.want(is == was, "the other flow was done at %v instead of %v", is, was)
	return c.row(fmt.Sprintf("<= %v late", outageDelay), "%d frames lost, done %v later", r.Summary.LinkLost, late)
}
