package twodc

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/specs/lab"
)

// void reports whether end-to-end ECN alone does so well that nothing is to be
// shown: 85 % of the bound's rate and more, and no loss.
func void(ecn figures, l limit) bool {
	return l.two/ecn.Iteration.Median >= 0.85 && ecn.Drops.Max == 0
}

// quickAndLossless is what the scheme must be at the near spine: feedback in a
// tenth of end-to-end ECN's time, and nothing lost.
func quickAndLossless(f, ecn figures) (c lab.Criteria) {
	c.Want(f.Feedback.Max <= 0.1*ecn.Feedback.Min, "feedback takes %v us, end to end %v: wanted is a tenth",
		f.Feedback, ecn.Feedback)
	c.Want(f.Drops.Max == 0, "%v frames are lost", f.Drops)
	return c
}

// half is the part that is to be recovered.
const half = 0.5

// nearSpine runs a workload under everything that can be done about congestion
// at the near spine's DCI port.
func nearSpine(t training, seeds []uint64, title string) map[string]figures {
	l := limitOf(t)
	ecn := measure(t, ecnOnly, seeds)
	ExpectWithOffset(1, void(ecn, l)).To(BeFalse(), "end-to-end ECN alone has %.3f of the bound's rate and no loss: "+
		"nothing to show", l.two/ecn.Iteration.Median)
	of := map[string]figures{"ecn": ecn}
	table := newTable()
	addRow(table, "end-to-end ECN", ecn, ecn, l)
	for _, x := range []struct{ name, settings string }{
		{"proximal CNP", scheme}, {"without learning", unlearned}, {"without learning, one CNP", oneCNP},
		{"without messages", noNotice},
		{"QPs from answers", answers}, {"receivers' CNPs held back", filtered}, {"pauses for CNPs, without learning",
			pausing}, {"DCI ports lossless by PFC", acrossPFC},
	} {
		of[x.settings] = measure(t, x.settings, seeds)
		addRow(table, x.name, of[x.settings], ecn, l)
	}
	table.Remark("The bound is %.1f ms an iteration, one data centre takes %.1f ms.", l.two, l.one)
	if rate := l.two / ecn.Iteration.Median; rate >= 0.85 {
		table.Remark("Void as to what is recovered: end-to-end ECN alone has %.2f of the bound's rate.", rate)
	} else {
		target := func(name, settings, why string) {
			r := recovered(ecn, of[settings], l)
			table.Target(r >= half, name+" recovers half of what congestion costs beyond the bound", why)
		}
		target("proximal CNP", scheme, "later in the training the NICs' alpha has decayed, so that a CNP cuts little, and "+
			"what was cut comes back by additive steps; flows within a data centre are cut too")
		target("proximal pauses", pausing, "a pause stops all flows of the NIC")
	}
	if share := l.one / of[scheme].Iteration.Median; l.one/l.two >= 0.9 {
		table.Target(share >= 0.9, fmt.Sprintf("90 %% of one data centre's rate: %.3f, where the bound has %.3f and "+
			"end-to-end ECN %.3f", share, l.one/l.two, l.one/ecn.Iteration.Median),
			"CNPs cut little once alpha has decayed, and what was cut comes back slowly")
	} else {
		table.Remark("The bound itself has %.3f of one data centre's rate: 0.9 cannot be asked for.", l.one/l.two)
	}
	table.Target(of[scheme].Drops.Max == 0, "nothing lost with learning",
		"a foreseen burst gets five CNPs, which cut little once alpha has decayed, and the congested switch is "+
			"silent about it")
	table.Report(title)
	return of
}

var _ = Describe("a training whose traffic meets at the near spine's port to the fibre", Ordered, ContinueOnFailure,
	Label("R1", "R2", "dci", "proximal"), func() {
		var of map[string]figures

		BeforeAll(func() {
			of = nearSpine(exchange(4), lab.Seeds[:1], "R1, exchange across the fibre, 4 iterations, seed 1")
		})

		It("is told to slow down in microseconds, and loses nothing", func() {
			c := quickAndLossless(of[scheme], of["ecn"])
			Expect(c.Missed).To(BeEmpty())
		})

		It("wins back more than half of what congestion costs beyond the bound, in the first four iterations", func() {
			l := limitOf(exchange(4))
			Expect(recovered(of["ecn"], of[scheme], l)).To(BeNumerically(">=", half))
			Expect(recovered(of["ecn"], of[pausing], l)).To(BeNumerically(">=", half))
		})

		It("gains nothing without messages between switches: none is next to a sender and congested", func() {
			Expect(of[noNotice]).To(Equal(of["ecn"]))
		})

		It("gains less where a switch must wait a round trip for the senders' QPs", func() {
			Expect(of[answers].Feedback.Median).To(BeNumerically(">", 1000))
			Expect(of[answers].Drops.Median).To(BeNumerically(">", 0))
		})

		It("tells end-to-end ECN from the scheme", Label("mutant"), func() {
			c := quickAndLossless(of["ecn"], of["ecn"])
			Expect(c.Missed).To(HaveLen(2))
		})

		It("does likewise as a hierarchical all-reduce, over seeds, iterations and parameter sets", Label("slow"), func() {
			lab.SkipUnlessSlow()
			for _, x := range []struct {
				title string
				t     training
				seeds int
			}{
				{"R1, hierarchical all-reduce, 6 iterations", hierarchical(6, "10ms"), 3},
				{"R1, hierarchical all-reduce, 100 ms of computation, 6 iterations", hierarchical(6, "100ms"), 1},
				{"R1, exchange across the fibre, 12 iterations", exchange(12), 3},
				{"R1, hierarchical all-reduce, the DCQCN paper's parameters, 6 iterations", paper(hierarchical(6, "10ms")), 1},
			} {
				of := nearSpine(x.t, lab.Seeds[:x.seeds], fmt.Sprintf("%s, seeds 1 to %d", x.title, x.seeds))
				if x.t.algorithm == "" {
					c := quickAndLossless(of[unlearned], of["ecn"])
					Expect(c.Missed).To(BeEmpty(), x.title)
					Expect(of[scheme].Drops.Max).To(BeNumerically("<", of["ecn"].Drops.Min), x.title)
				}
			}
		})
	})

// paper gives the NICs the parameters of the DCQCN paper, and the switches those
// that follow such a reaction point.
func paper(t training) training {
	t.algorithm, t.follow = "set: paper", "spacing: 50us, gain: 0.00390625, gain_period: 55us"
	return t
}
