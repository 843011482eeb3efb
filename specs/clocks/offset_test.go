package clocks

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/specs/lab"
)

// synchronised has each clock off by an offset drawn within a bound, and drift
// by up to 1 ppm between resynchronisations.
func synchronised(offset string) string {
	return fmt.Sprintf("algorithm: pc4\nnic: {clock: {offset: %s, drift_ppm: 1, resync: 10ms}}", offset)
}

var _ = Describe("an incast whose clocks are off by up to 100 ns and drift by up to 1 ppm", Ordered, ContinueOnFailure,
	Label("N1", "pc4", "incast"), func() {
		var points []lab.Incast

		BeforeAll(func() { points = lab.RunIncast("25MB", synchronised("100ns"), lab.Options{}) })

		It("keeps the RTT near the base RTT and the port busy, as with exact clocks", func() {
			c := lab.IncastCriteria(points)
			Expect(c.Missed).To(BeEmpty())
		})

		// Missed: with exact clocks the mean slowdown is 0.97 n or more. An offset
		// reads as queueing for as long as it stands. The flow whose clocks make it
		// largest is the first above the target and the first to cut, the one whose
		// clocks make it smallest goes on increasing; the base rate is told only
		// when n changes. So some flows finish early, the others by the time at
		// which all would have.
		It("misses equal shares: an offset is a queue that one flow alone sees", Label("miss"), func() {
			for _, p := range points {
				c := lab.EqualShares(p)
				Expect(c.Missed).NotTo(BeEmpty(), "n = %d: no longer missed", p.N)
				c.Miss("clocks that are off by 100 ns read it as queueing")
				Expect(p.Slowdown.Median).To(BeNumerically(">=", 0.65), "n = %d", p.N)
			}

			table := lab.IncastTable("offset")
			table.AddIncast("0", lab.RunIncast("25MB", synchronised("0s"), lab.Options{Seeds: lab.Seeds[:3]}))
			table.AddIncast("100 ns", points)
			table.AddIncast("1 us", lab.RunIncast("25MB", synchronised("1us"), lab.Options{Seeds: lab.Seeds[:3]}))
			table.Remark("Drift of 1 ppm and resynchronisation each 10 ms in all rows: at most 20 ns between two clocks.")
			table.Remark("With 1 us a flow that always reads more than its target falls to the least rate, 1 Mb/s, and stays " +
				"incomplete after 10 s.")
			table.Report("N1: n flows of 25 MB onto one port; median [range] of 5 seeds, 3 for 0 and 1 us")
		})

		It("is told from one whose clocks are off by 10 us", Label("mutant"), func() {
			far := lab.RunIncast("25MB", synchronised("10us"), lab.Options{Seeds: lab.Seeds[:3]})
			c := lab.IncastCriteria(far)
			Expect(c.Missed).NotTo(BeEmpty())

			table := lab.IncastTable("offset")
			table.AddIncast("10 us", far)
			table.Remark("%v", &c)
			table.Report("N1: a mutant; median [range] of 3 seeds")
		})
	})
