package acceptance

import . "github.com/onsi/ginkgo/v2"

// wrongClocks has each NIC's clock off by up to 100 ns, drift by 1 ppm, and
// each reading by up to 400 ns at both ends: what PTP on a data centre's hosts
// is said to reach, and four times PC4's "100 ns is enough" (section III).
const wrongClocks = "nic: {clock: {offset: 100ns, drift_ppm: 1, resync: 10ms, noise: 400ns, noise_at: both}}\n"

func (t *trial) clocks() {
	It("stands clocks that are off, drift and are read with noise", Label("clocks"), func(ctx SpecContext) {
		clean, r := t.run(ctx, incast(8)), t.run(ctx, incast(8)+wrongClocks)
		longer := r.Summary.DurationUS / clean.Summary.DurationUS
		figure("incast of 8 done in %.2f ms, %.3f of that on true clocks; Jain %.4f, was %.4f",
			r.Summary.DurationUS/1e3, longer, r.Summary.Jain, clean.Summary.Jain)
		c := complete(r)
		c.Want(longer <= 1.5, "done after %.2f times what it takes on true clocks, allowed is 1.5", longer)
		insist(c)
	})
}
