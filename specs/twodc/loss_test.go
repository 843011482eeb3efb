package twodc

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/specs/lab"
)

var _ = Describe("the memory of DCI ports", Label("R3", "dci", "proximal"), func() {
	It("loses fewer frames with proximal CNP than with end-to-end ECN, whatever its size", func() {
		table := lab.NewTable("memory of 50 Gb/s x RTT", "end-to-end ECN: drops", "iteration, ms",
			"proximal CNP: drops", "iteration, ms")
		ecnLost, fewer := 0.0, false
		for _, share := range []float64{2.5, 1.0, 0.25} {
			mb := 7.5 * share // 50 Gb/s x 1.2 ms are 7.5 MB
			memory := fmt.Sprintf("dci: {buffer: %vMB, ecn: {kmin: %vMB, kmax: %vMB}}", mb, 0.3*mb, 0.6*mb)
			ecn, with := measure(exchange(3), memory, lab.Seeds[:1]), measure(exchange(3), memory+", "+scheme, lab.Seeds[:1])
			table.Row(share, ecn.Drops, ecn.Iteration, with.Drops, with.Iteration)
			Expect(with.Drops.Median).To(BeNumerically("<=", ecn.Drops.Median))
			ecnLost += ecn.Drops.Median
			fewer = fewer || with.Drops.Median < ecn.Drops.Median
			table.Target(with.Drops.Median == 0, fmt.Sprintf("nothing lost with %v x RTT", share),
				"the memory is full 0.1 ms after a burst begins, and once alpha has decayed five CNPs do not cut enough by then")
		}
		Expect(ecnLost).To(BeNumerically(">", 0), "void: end-to-end ECN lost nothing")
		Expect(fewer).To(BeTrue())
		table.Remark("Kmin and Kmax are 0.3 and 0.6 of the memory.")
		table.Report("R3: exchange across the fibre, 3 iterations, seed 1")
	})
})
