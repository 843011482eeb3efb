package judge

import "fmt"

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
