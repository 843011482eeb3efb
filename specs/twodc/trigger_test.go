package twodc

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/specs/internal/lab"
)

// ofBound is a run's iteration in parts of what its path allows.
func ofBound(r *lab.Run) float64 {
	return lab.Metric("iteration_mean_us")(r) / lab.Metric("bound_us")(r)
}

// Tier: everyday. Mutant: Kmin of the DCI port for the trigger, whose queue is 6.5 MB; without the receivers'
// CNPs held back, 1.09 of the bound.
var _ = Describe("the trigger of a near point", Label("dci", "proximal"), func() {
	It("of what comes between two messages leaves one job its bound, a short queue and every frame", func() {
		r := lab.Simulate(lab.OneJob + "switch: {" + unlearned + "}\n")
		Expect(ofBound(r)).To(BeNumerically("<=", 1.02))
		Expect(lab.Metric("queue_max_bytes")(r)).To(BeNumerically("<=", 2e6))
		Expect(lab.Metric("drops")(r)).To(BeZero())
		// The gain: end-to-end ECN by itself takes 1.22 times the bound.
		ecn := lab.Simulate(lab.OneJob)
		Expect(ofBound(ecn)).To(BeNumerically(">", 1.15))
	})
})
