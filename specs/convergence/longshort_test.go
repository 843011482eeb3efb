package convergence

import (
	"fmt"
	"math"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/specs/lab"
	"github.com/rocelab/rocelab/specs/mutant"
)

// longShort has a long flow alone on a port for 1 ms, then joined by one of
// 5 MB; it ends at least 5 ms after the short flow does. The jitter lets the
// seed say where in the long flow's adjust interval the short one comes.
const longShort = `
topology: {kind: star, hosts: 3}
traffic:
  - {name: long, from: h0, to: h2}
  - {name: short, from: h1, to: h2, size: 5MB, start: 1ms, jitter: 1us}
run: {until: 8ms}
record: {interval: 20us}
expect: {congestion: required}
`

// settle is how long flows may take to their new rates.
const settle = 50 * unit.Microsecond

// shares is what the two flows got, as rates on the wire in Gb/s.
type shares struct {
	// LongLeast to ShortMost bound both flows' rates in bins of 20 us from
	// settle after the join to the short flow's end.
	LongLeast, LongMost, ShortLeast, ShortMost lab.Figure
	// Recovered is the long flow's least rate from settle after the short
	// flow's end to 4 ms after it; Mean its mean over all of those 4 ms, After
	// its rate in the bin after them.
	Recovered, Mean, After lab.Figure
}

func measureShares(settings string, o lab.Options) shares {
	runs := lab.OverSeeds(longShort+settings, o)
	const long, short = 0, 1
	end := func(r *lab.Run) unit.Time { return r.Flows[short].Sender.Completed }
	rates := func(flow int, pick func(a, b float64) float64, first float64) func(*lab.Run) float64 {
		return func(r *lab.Run) float64 {
			from, to := r.NextBin(r.Flows[short].Sender.Started.Add(settle)), r.NextBin(end(r))-bin
			return fold(r, flow, from, to, pick, first)
		}
	}
	return shares{
		LongLeast:  lab.FigureOf(runs, rates(long, math.Min, math.Inf(1))),
		LongMost:   lab.FigureOf(runs, rates(long, math.Max, 0)),
		ShortLeast: lab.FigureOf(runs, rates(short, math.Min, math.Inf(1))),
		ShortMost:  lab.FigureOf(runs, rates(short, math.Max, 0)),
		Recovered: lab.FigureOf(runs, func(r *lab.Run) float64 {
			return fold(r, long, r.NextBin(end(r).Add(settle)), r.NextBin(end(r).Add(4*unit.Millisecond)), math.Min, math.Inf(1))
		}),
		Mean: lab.FigureOf(runs, func(r *lab.Run) float64 {
			from := r.NextBin(end(r))
			return r.WireRate(long, from, from.Add(4*unit.Millisecond))
		}),
		After: lab.FigureOf(runs, func(r *lab.Run) float64 {
			from := r.NextBin(end(r).Add(4 * unit.Millisecond))
			return r.WireRate(long, from, from+bin)
		}),
	}
}

// bin is longShort's record.interval.
const bin = unit.Time(20 * unit.Microsecond)

// fold runs over a flow's rates, bin by bin.
func fold(r *lab.Run, flow int, from, to unit.Time, pick func(a, b float64) float64, v float64) float64 {
	for t := from; t < to; t += bin {
		v = pick(v, r.WireRate(flow, t, t+bin))
	}
	return v
}

// pc4Shares are the criteria that tell PC4 from its mutant: both flows within 8
// Gb/s of half the port from 50 us after the join on, the long one back at line
// rate 50 us after the short one's end. The 8 Gb/s are no goal: PC4 misses the
// 45 to 52 Gb/s of equalShares, a spec below says so, and this wider bound was
// set after measuring 44 to 56, far enough from the mutant's 65 to 70.
func pc4Shares(s shares) (c lab.Criteria) {
	near(&c, s, 42, 58)
	c.Want(s.Recovered.Median >= 95, "long flow %v Gb/s after the short flow's end, wanted is 95", s.Recovered)
	return c
}

// near wants both flows' rates between two bounds.
func near(c *lab.Criteria, s shares, least, most float64) {
	c.Want(s.LongLeast.Median >= least && s.LongMost.Median <= most, "long flow %v to %v Gb/s beside the short one, "+
		"allowed is %v to %v", s.LongLeast, s.LongMost, least, most)
	c.Want(s.ShortLeast.Median >= least && s.ShortMost.Median <= most, "short flow %v to %v Gb/s, allowed is %v to %v",
		s.ShortLeast, s.ShortMost, least, most)
}

// equalShares is the published picture, two lines that lie on each other.
func equalShares(s shares) (c lab.Criteria) {
	near(&c, s, 45, 52)
	return c
}

func sharesTable() *lab.Table {
	return lab.NewTable("Gb/s on the wire", "long, shared", "short, shared", "long, from 50 us after",
		"mean of 4 ms after", "4 ms after", "PC4's mean over this")
}

func addShares(t *lab.Table, name string, s, reference shares) {
	span := func(a, b lab.Figure) string { return fmt.Sprintf("%.1f to %.1f", a.Median, b.Median) }
	t.Row(name, span(s.LongLeast, s.LongMost), span(s.ShortLeast, s.ShortMost),
		fmt.Sprintf(">= %.1f", s.Recovered.Median), s.Mean, s.After,
		fmt.Sprintf("%.2f [%.2f, %.2f]", reference.Mean.Median/s.Mean.Median, reference.Mean.Median/s.Mean.Max,
			reference.Mean.Median/s.Mean.Min))
}

var _ = Describe("a long flow joined by a short one for a while", Ordered, ContinueOnFailure,
	Label("F6b", "F6c"), func() {
		var underPC4, underDCQCN shares

		BeforeAll(func() {
			underPC4 = measureShares(pc4, lab.Options{})
			underDCQCN = measureShares(dcqcn, lab.Options{})
		})

		It("makes room within 50 us under PC4, to 8 Gb/s of half, and has the port back within 50 us", Label("pc4"), func() {
			c := pc4Shares(underPC4)
			Expect(c.Missed).To(BeEmpty())
		})

		// Missed: the bounds are 45 and 52 Gb/s. The newcomer's first window, one
		// BDP at line rate, meets the long flow: that one reads the queue and cuts
		// by a sixth, while the newcomer's next sample often finds the queue gone.
		// What the rates then differ by stays, as with two flows in the incast. By
		// the base rate alone the shares are equal.
		It("misses equal shares under PC4: the newcomer keeps about 55 of 100 Gb/s", Label("pc4", "miss"), func() {
			c := equalShares(underPC4)
			Expect(c.Missed).NotTo(BeEmpty(), "no longer missed: ask for 45 to 52 Gb/s above")
			c.Miss("the newcomer's first window makes the long flow cut, and the next sample often finds the queue gone")
			Expect(underPC4.LongLeast.Min).To(BeNumerically(">=", 43))
			Expect(underPC4.ShortMost.Max).To(BeNumerically("<=", 57))

			c = equalShares(measureShares(baseRateAlone, lab.Options{}))
			Expect(c.Missed).To(BeEmpty())
		})

		It("leaves DCQCN's long flow below 90 Gb/s 4 ms after the short flow's end", Label("dcqcn"), func() {
			Expect(underDCQCN.After.Median).To(BeNumerically("<", 90))
		})

		// Missed: the bound is a ratio of 1.2, the median is below. DCQCN's long
		// flow climbs to its target rate R_T within a few increases and then by 5
		// Mb/s each 300 us. R_T is the rate before the last cuts, near line rate,
		// unless the increase timer expired between two of them
		// (clamp_tgt_rate_after_time_inc): then it is a rate already cut. Which of
		// the two happens, levels of about 87 or 52 Gb/s, hangs on the marks drawn.
		// With the clamp off all seeds reach 94 Gb/s or more.
		It("misses a gain of 1.2 over DCQCN in the median: the gain is near 1.2 or near 1.9, by the seed",
			Label("pc4", "dcqcn", "miss"), func() {
				gain := func(level float64) float64 { return underPC4.Mean.Median / level }
				Expect(gain(underDCQCN.Mean.Median)).To(BeNumerically("<", 1.2), "no longer missed: ask for 1.2 above")
				lab.Miss(fmt.Sprintf("a gain of 1.2 over DCQCN in the median: %.2f", gain(underDCQCN.Mean.Median)),
					"the level to which DCQCN's long flow climbs hangs on the marks drawn")
				Expect(gain(underDCQCN.Mean.Max)).To(BeNumerically(">=", 1.1))
				Expect(gain(underDCQCN.Mean.Min)).To(BeNumerically(">=", 1.6))
			})

		It("tells PC4 from a sender that takes the base rate once", Label("mutant"), func() {
			s := measureShares(pc4, lab.Options{Algorithms: mutant.BaseRateOnce.In("pc4"), Seeds: []uint64{1}})
			c := pc4Shares(s)
			Expect(c.Missed).NotTo(BeEmpty())

			table := sharesTable()
			addShares(table, "base rate taken once", s, underPC4)
			table.Remark("%v", &c)
			table.Report("F6b/c: a mutant")
		})

		It("compares thresholds and parameters", Label("options"), func() {
			table := sharesTable()
			addShares(table, "pc4", underPC4, underPC4)
			addShares(table, "dcqcn", underDCQCN, underPC4)
			for _, v := range []struct{ name, settings string }{
				{"pc4, first_rtt 1pkt", onePacket},
				{"pc4, controller+sender, base", senderKnows},
				{"pc4, n_source receiver", receiverKnows},
				{"pc4, base rate alone", baseRateAlone},
				{"dcqcn, K 150/1500 KB, Pmax 1", dcqcn + "\nswitch: {ecn: {kmin: 150KB, kmax: 1500KB, pmax: 1}}"},
				{"dcqcn, paper's parameters", dcqcnPaper},
			} {
				addShares(table, v.name, measureShares(v.settings, lab.Options{}), underPC4)
			}
			ratio := underPC4.Mean.Median / underDCQCN.Mean.Median
			table.Target(ratio >= 1.53 && ratio <= 2.03, fmt.Sprintf("published gain of 78 %%, a ratio of 1.78 +- 0.25: %.2f",
				ratio),
				"DCQCN's level depends on the seed, and the paper gives neither thresholds nor parameters")
			table.Report("F6b/c: a flow of 5 MB joins a long one; medians [range] of 5 seeds")
		})
	})
