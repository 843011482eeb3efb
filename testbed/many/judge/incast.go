package judge

import (
	"fmt"

	"github.com/rocelab/rocelab/plugins/cc/unit"
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

func (t *trial) incast8() Row  { return t.incast(8) }
func (t *trial) incast16() Row { return t.incast(16) }

func (t *trial) incast(n int) Row {
	var c criteria
	r := t.run(incast(n), 1)
	c.complete(r)
	return c.row("no loss", "done in %.2f ms, slowdown of the slowest / n %.3f",
		r.Summary.DurationUS/1e3, r.Summary.Slowdown.Max/float64(n))
}

// manySenders is sixteen flows that share a port for 20 ms; the second half counts.
const manySenders = `
name: crowd
topology: {kind: star, hosts: 17}
traffic: [{kind: incast, senders: 16}]
run: {until: 20ms}
record: {interval: 100us}
`

func (t *trial) queue() Row {
	run := t.run(manySenders, 1)
	longest := unit.Bytes(0)
	for _, q := range run.Switches[0].Ports[16].Queues.All() {
		for bin := int(10 * unit.Millisecond / run.Plan.Record.Interval); bin < q.Depth.Len(); bin++ {
			longest = max(longest, unit.Bytes(q.Depth.At(bin)))
		}
	}
	var c criteria
	c.complete(run)
	c.want(longest <= longestQueue, "longest queue %v after 10 ms, allowed is %v", longest, longestQueue)
	return c.row(fmt.Sprintf("<= %v after 10 ms", longestQueue), "%v, %v at the start; %d pauses",
		longest, unit.Bytes(run.Summary.QueueMaxBytes), run.Summary.Pauses)
}

// wrongClocks sets each NIC's clock off by up to 100 ns, with a drift of 1 ppm, and each reading off by up to 400 ns at
// both ends: the reported accuracy of PTP on a data centre's hosts, and four times PC4's "100 ns is enough" (section
// III).
const wrongClocks = "nic: {clock: {offset: 100ns, drift_ppm: 1, resync: 10ms, noise: 400ns, noise_at: both}}\n"

func (t *trial) clocks() Row {
	clean, r := t.run(incast(8), 1), t.run(incast(8)+wrongClocks, 1)
	longer := r.Summary.DurationUS / clean.Summary.DurationUS
	var c criteria
	c.complete(r)
	c.want(longer <= wrongClocksDelay, "done after %.2f times its time on true clocks, allowed is %v",
		longer, wrongClocksDelay)
	return c.row(fmt.Sprintf("<= %v of that on true clocks", wrongClocksDelay),
		"incast of 8 done in %.2f ms, %.3f of that on true clocks; Jain %.4f, was %.4f",
		r.Summary.DurationUS/1e3, longer, r.Summary.Jain, clean.Summary.Jain)
}
