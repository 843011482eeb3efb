package convergence

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/specs/lab"
	"github.com/rocelab/rocelab/specs/mutant"
)

// slowdownTarget reports the published "slowdown near n", taken as within 3 %.
func slowdownTarget(t *lab.Table, points []lab.Incast) {
	for _, p := range points {
		t.Target(p.Slowdown.Median >= 0.97 && p.Slowdown.Median <= 1.03,
			fmt.Sprintf("slowdown within 3 %% of n = %d: %v n", p.N, p.Slowdown),
			"the flows' shares differ: see the spec on two flows")
	}
}

var _ = Describe("an incast of n flows onto one port", Ordered, ContinueOnFailure, Label("F6a", "incast"), func() {
	for _, size := range []struct {
		bytes string
		label Labels
	}{{"25MB", nil}, {"100MB", Label("slow")}} {
		Context("of "+size.bytes+" each", Ordered, size.label, func() {
			var underPC4, underDCQCN []lab.Incast

			BeforeAll(func() {
				if size.label != nil {
					lab.SkipUnlessSlow()
				}
				underPC4 = lab.RunIncast(size.bytes, pc4, lab.Options{})
				underDCQCN = lab.RunIncast(size.bytes, dcqcn, lab.Options{})
			})

			It("keeps PC4's mean RTT near the base RTT and its slowdown at n, whatever n", Label("pc4"), func() {
				c := lab.IncastCriteria(underPC4)
				Expect(c.Missed).To(BeEmpty())

				table := lab.IncastTable("algorithm")
				table.AddIncast("pc4", underPC4)
				slowdownTarget(table, underPC4)
				table.Report("F6a: n flows of " + size.bytes + " onto one port, base RTT 4.193 us; median [range] of 5 seeds")
			})

			It("leaves DCQCN's flows with over twice PC4's RTT, and no faster, at the largest n", Label("dcqcn"), func() {
				p, d := underPC4[len(underPC4)-1], underDCQCN[len(underDCQCN)-1]
				Expect(d.RTT.Median).To(BeNumerically(">", 2*p.RTT.Median))
				Expect(d.Slowdown.Median).To(BeNumerically(">=", p.Slowdown.Median))

				table := lab.IncastTable("algorithm")
				table.AddIncast("dcqcn", underDCQCN)
				table.Report("F6a: the same under DCQCN")
			})

			It("gives PC4's flows about equal shares from four flows on", Label("pc4"), func() {
				Expect(lab.EqualShares(underPC4[1:]...).Missed).To(BeEmpty())
			})
		})
	}

	// Missed: the bound is 0.97 n. The queue settles within a packet of the
	// target, and the two senders' adjust intervals keep step: for tens of
	// intervals one samples the queue a packet shorter than the other does, so
	// that its rate rises while the other's falls. Decreases are then a few
	// hundredths of a percent, which is too little to even the rates out. The
	// port is busy all the time: the slower flow ends at a slowdown of 2.00.
	It("misses equal shares with two flows of 25 MB: one has up to a tenth more than its half",
		Label("pc4", "miss"), func() {
			two := lab.IncastOf(2, "25MB", pc4, lab.Options{})
			c := lab.EqualShares(two)
			Expect(c.Missed).NotTo(BeEmpty(), "no longer missed: move the bound to the spec above")
			c.Miss("one of the two samples the queue a packet shorter than the other does, for tens of intervals")
			Expect(two.Slowdown.Min).To(BeNumerically(">=", 0.95))
			Expect(two.Slowest.Max).To(BeNumerically("<=", 1.005))
			Expect(two.Jain.Min).To(BeNumerically(">=", 0.99))
		})

	DescribeTable("tells PC4 from", Label("mutant"),
		func(settings string, wrap mutant.Wrap) {
			points := lab.RunIncast("25MB", settings, lab.Options{Algorithms: wrap.In("pc4"), Seeds: []uint64{1}})
			c := lab.IncastCriteria(points)
			Expect(c.Missed).NotTo(BeEmpty())

			table := lab.IncastTable("algorithm")
			table.AddIncast("mutant", points)
			table.Remark("%v", &c)
			table.Report("F6a: a mutant")
		},
		Entry("a sender that ignores the base rate", pc4, mutant.BaseRateIgnored),
		Entry("PC4 without base rate, whose increments are then fixed", delayAlone, mutant.Wrap{}),
	)

	It("keeps a shorter queue with a gentle first round trip, and a longer one where delay is not heard of",
		Label("options", "slow"), func() {
			lab.SkipUnlessSlow()
			few := lab.Options{Seeds: lab.Seeds[:3]}
			table := lab.IncastTable("algorithm")
			longest := map[string]lab.Incast{} // at the largest n, by settings
			for _, v := range []struct{ name, settings string }{
				{"pc4", pc4},
				{"pc4, first_rtt 1pkt", onePacket},
				{"pc4, controller+sender, base", senderKnows},
				{"pc4, base rate alone", baseRateAlone},
				{"dcqcn, paper's parameters", dcqcnPaper},
			} {
				points := lab.RunIncast("25MB", v.settings, few)
				table.AddIncast(v.name, points)
				longest[v.settings] = points[len(points)-1]
			}
			table.Report("F6a: options, 25 MB; median [range] of 3 seeds")
			ranked := func(of func(settings string) lab.Incast) (c lab.Criteria) {
				plain := of(pc4).RTT.Median
				for _, gentle := range []string{onePacket, senderKnows} {
					c.Want(of(gentle).RTT.Median < plain, "%s: mean RTT %v us, allowed is below %.3f", gentle, of(gentle).RTT, plain)
				}
				c.Want(of(baseRateAlone).RTT.Median > plain, "%s: mean RTT %v us, wanted is above %.3f",
					baseRateAlone, of(baseRateAlone).RTT, plain)
				c.Want(of(dcqcnPaper).RTT.Median > 2*plain, "%s: mean RTT %v us, wanted is above twice %.3f", dcqcnPaper,
					of(dcqcnPaper).RTT, plain)
				return c
			}
			Expect(ranked(func(settings string) lab.Incast { return longest[settings] }).Missed).To(BeEmpty())
			deaf := ranked(func(string) lab.Incast { return longest[pc4] })
			Expect(deaf.Missed).To(HaveLen(4), "an option that is not heard of must show")
		})
})
