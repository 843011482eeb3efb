package acceptance

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"

	"github.com/rocelab/rocelab/emulator/unit"
)

// incast is n flows of 2 MB that start together into one port. At line rate
// the port takes n x 0.18 ms; the limit allows for thirty times that at 16.
func incast(n int) string {
	return fmt.Sprintf(`
name: incast-%d
topology: {kind: star, hosts: %d}
traffic: [{kind: incast, size: 2MB}]
run: {limit: 100ms}
`, n, n+1)
}

// crowd is sixteen flows that share a port for 20 ms; the second half counts.
const crowd = `
name: crowd
topology: {kind: star, hosts: 17}
traffic: [{kind: incast, senders: 16}]
run: {until: 20ms}
record: {interval: 100us}
`

// longestQueue bounds the egress queue of sixteen flows once they had 10 ms,
// as 0.32 ms of the port. The burst at their start, which many algorithms let
// run at line rate until a signal is back, is reported and not bound: PFC holds
// it where the algorithm does not.
const longestQueue = 4 * unit.Bytes(1_000_000)

func (t *trial) losslessness() {
	for _, n := range []int{8, 16} {
		It(fmt.Sprintf("completes an incast of %d and loses no frame", n), Label("lossless"), func(ctx SpecContext) {
			r := t.run(ctx, incast(n))
			figure("done in %.2f ms, slowdown of the slowest / n %.3f", r.Summary.DurationUS/1e3, r.Summary.Slowdown.Max/float64(n))
			insist(complete(r))
		})
	}

	It("keeps the queue of sixteen flows bounded", Label("lossless"), func(ctx SpecContext) {
		t.controlled()
		r := t.run(ctx, crowd)
		longest := unit.Bytes(0)
		for _, q := range r.Switches[0].Ports[16].Queue {
			for bin := int(10 * unit.Millisecond / r.Plan.Record.Interval); bin < len(q.Depth.Bins); bin++ {
				longest = max(longest, unit.Bytes(q.Depth.Bins[bin]))
			}
		}
		figure("longest queue %v after 10 ms, %v at the start; %d pauses", longest, unit.Bytes(r.Summary.QueueMaxBytes), r.Summary.Pauses)
		c := complete(r)
		c.Want(longest <= longestQueue, "longest queue %v after 10 ms, allowed is %v", longest, longestQueue)
		insist(c)
	})
}
