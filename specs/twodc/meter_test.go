package twodc

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/specs/internal/lab"
)

// bySlope is the number of CNPs that the same job took when their number followed the queue's slope, one number for all
// flows of it, and five at most: 41.3 ms an iteration.
const bySlope = 3935

// Tier: everyday. Mutants: rates that are not metered, so that each message cuts a flow to a quarter, whatever it
// sends: 1.05 of the bound at the computed threshold, flows at 32 Mb/s and 16 532 CNPs at Kmin. Alpha taken as 1, so
// that two CNPs are to leave a quarter and take nothing: 1.83 of the bound, and 81 000 frames lost.
var _ = Describe("the number of CNPs from what a flow sends", Label("dci", "proximal"), func() {
	DescribeTable("leaves no flow below half its share, and one job its bound, with less than half the CNPs",
		func(settings string) {
			r := lab.Simulate(lab.OneJob + "switch: {" + settings + "}\n")
			Expect(ofBound(r)).To(BeNumerically("<=", 1.02))
			Expect(lab.Metric("drops")(r)).To(BeZero())
			Expect(lab.Metric("proximal_cnps")(r)).To(And(BeNumerically(">", 0), BeNumerically("<", 0.5*bySlope)))
			crossing := 0
			for i := range r.Flows {
				flow := &r.Plan.Flows[i]
				if r.Plan.NICs[flow.Src].Name[0] == r.Plan.NICs[flow.Dst].Name[0] { // of one site
					continue
				}
				crossing++
				sender := r.Flows[i].Sender
				Expect(sender.CNPs).To(BeNumerically(">", 0), flow.Name)
				// Four flows share the port until the first of them ends. Then the share is more.
				Expect(sender.RateMin).To(BeNumerically(">=", 50*unit.Gbps/4/2), flow.Name)
			}
			Expect(crossing).To(Equal(8))
		},
		Entry("at the computed threshold", unlearned),
		Entry("at Kmin, with receivers' CNPs held back", atKmin),
	)
})
