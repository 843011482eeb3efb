package twodc

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/specs/internal/lab"
)

// rated is proximal CNP that sends rates, also to devices that are no nearer than the receiver: a rate has information
// that its CNPs cannot carry.
const rated = "proximal: {enabled: true, notify: always, rate: true, learning: {enabled: false}}"

// ofBounds is the rate of each seed's run, as a share of its own bound.
func ofBounds(t training, settings string, seeds []uint64) lab.Figure {
	runs := lab.OverSeeds(t.yaml(settings), lab.Options{Seeds: seeds})
	return lab.FigureOf(runs, func(r *lab.Run) float64 { return 1 / ofBound(r) })
}

// Tier: slow. Mutant: R_T = rate, so that what others leave is taken by R_AI alone, which the first two
// specs find.
var _ = Describe("a rate in the CNP", Label("slow", "dci", "proximal"), func() {
	It("brings two jobs under ECMP to 0.97 of their bounds' rate", func() {
		lab.SkipUnlessSlow()
		t := hierarchical(6, "10ms")
		t.fabric = "uplink_rate: 200Gbps, dci_links: 1, dci_rate: 50Gbps"
		of := ofBounds(t, rated, lab.Seeds[:3])
		AddReportEntry("of the bound's rate, 4:1", of)
		Expect(of.Median).To(BeNumerically(">=", 0.97))
		Expect(of.Min).To(BeNumerically(">=", 0.95))
	})

	It("brings them to 0.87 where the DCI has the rate of all NICs and ECMP alone makes it narrow", func() {
		lab.SkipUnlessNight()
		t := hierarchical(6, "10ms")
		t.fabric = "uplink_rate: 200Gbps, dci_links: 2, dci_rate: 100Gbps"
		of := ofBounds(t, rated, lab.Seeds[:3])
		AddReportEntry("of the bound's rate, 1:1", of)
		Expect(of.Min).To(BeNumerically(">=", 0.87))
	})

	It("is one CNP in place of several, which a NIC that knows nothing of rates takes as any", func() {
		lab.SkipUnlessSlow()
		job := lab.OneJob + "switch: {" + rated + "}\n"
		r := lab.Simulate(job)
		Expect(ofBound(r)).To(BeNumerically("<=", 1.02))
		Expect(lab.Metric("drops")(r)).To(BeZero())
		all := r.Proximal()
		Expect(all.CNPs).To(BeNumerically(">", 100))
		Expect(all.Rated).To(Equal(all.CNPs))
		told := uint64(0)
		for i := range r.Flows {
			told += r.Flows[i].Sender.RatedCNPs
		}
		Expect(told).To(Equal(all.Rated))

		ignorant := lab.Simulate(strings.Replace(job, "algorithm: dcqcn",
			"algorithm: {name: dcqcn, params: {rate_in_cnp: false}}", 1))
		Expect(ignorant.Proximal().Rated).To(BeNumerically(">", 100))
		for i := range ignorant.Flows {
			Expect(ignorant.Flows[i].Sender.RatedCNPs).To(BeZero())
		}
		Expect(ofBound(ignorant)).To(BeNumerically(">", ofBound(r)))
	})
})
