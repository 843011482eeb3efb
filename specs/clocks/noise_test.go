package clocks

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/specs/lab"
	"github.com/rocelab/rocelab/specs/tier"
)

// Parameters of PC4; the gains of `bold` are not in the paper, they were found
// in search of its figure.
const (
	literal    = "target_qtime: 1us, zero_reading: literal"
	bold       = literal + ", beta: 1.6, max_mdf: 0.8"
	robust     = "target_qtime: 1us, zero_reading: robust"
	atReceiver = "receiver"
	atBothEnds = "both"
)

// noises are the bounds of the noise, in ns.
var noises = []int{0, 200, 400, 600, 800, 1000}

// point is what ten flows came to under one noise.
type point struct {
	noise                           int
	utilisation, rtt, queueing, p99 lab.Figure // us, but for the utilisation
}

// sweep runs all noises; applied turns what is asked for into what the clocks
// have.
func sweep(params, at string, applied func(int) int, seeds []uint64) (points []point) {
	for _, noise := range noises {
		runs := lab.OverSeeds(fmt.Sprintf(`
topology: {kind: star, hosts: 11}
algorithm: {name: pc4, params: {%s}}
traffic:
  - {name: incast, kind: incast, size: 10MB}
nic: {clock: {noise: %dns, noise_at: %s}}
`, params, applied(noise), at), lab.Options{Seeds: seeds})
		of := func(metric string) lab.Figure { return lab.FigureOf(runs, lab.Metric(metric)) }
		points = append(points, point{noise, of("utilisation"), of("rtt_mean_us"), of("queueing_mean_us"),
			of("queueing_p99_us")})
	}
	return points
}

func asAsked(noise int) int { return noise }

// harmless are the criteria for noise of up to bound: as without noise.
func harmless(points []point, bound int) (c lab.Criteria) {
	exact := points[0]
	for _, p := range points[1:] {
		if p.noise > bound {
			break
		}
		c.Want(p.utilisation.Median >= 0.98*exact.utilisation.Median, "%d ns: utilisation %v, wanted is 0.98 of %v", p.noise,
			p.utilisation, exact.utilisation)
		far := p.rtt.Median/exact.rtt.Median - 1
		c.Want(far >= -0.1 && far <= 0.1, "%d ns: mean RTT %v us, allowed is 10 %% from %v", p.noise, p.rtt, exact.rtt)
	}
	return c
}

// harmful is the criterion for the largest noise: it costs throughput, or
// makes the queue longer at its worst.
func harmful(points []point) (c lab.Criteria) {
	exact, worst := points[0], points[len(points)-1]
	c.Want(worst.utilisation.Median <= 0.98*exact.utilisation.Median || worst.p99.Median >= 1.2*exact.p99.Median,
		"%d ns: utilisation %v of %v and p99 queueing %v of %v us, wanted is 0.98 or less of the one or 1.2 or more "+
			"of the other",
		worst.noise, worst.utilisation, exact.utilisation, worst.p99, exact.p99)
	return c
}

// ranked are the criteria for noise of both clocks at its largest: its sum
// reaches further than one clock's noise, and a robust reading minds it less.
func ranked(one, both, tolerant []point) (c lab.Criteria) {
	worst := func(points []point) lab.Figure { return points[len(points)-1].p99 }
	c.Want(worst(both).Median > worst(one).Median, "p99 queueing %v us with noise of both clocks, wanted is above %v",
		worst(both), worst(one))
	c.Want(worst(tolerant).Median < worst(both).Median, "p99 queueing %v us read robustly, allowed is below %v",
		worst(tolerant), worst(both))
	return c
}

// published is the target: at 1 us a utilisation of at most 0.95 and a longer
// mean queue.
func published(t *lab.Table, what string, points []point, why string) {
	exact, worst := points[0], points[len(points)-1]
	t.Target(worst.utilisation.Median <= 0.95, fmt.Sprintf("utilisation of at most 0.95 at 1 us, %s: %v", what,
		worst.utilisation), why)
	t.Target(worst.queueing.Median > exact.queueing.Median,
		fmt.Sprintf("mean queueing longer at 1 us than without noise, %s: %v against %v us", what, worst.queueing,
			exact.queueing), why)
}

func noiseTable() *lab.Table {
	return lab.NewTable("reading", "noise at", "ns", "utilisation", "mean RTT us", "mean queueing us", "p99 queueing us")
}

func addNoise(t *lab.Table, reading, at string, points []point) {
	for _, p := range points {
		t.Row(reading, at, p.noise, p.utilisation, p.rtt, p.queueing, p.p99)
		reading, at = "", ""
	}
}

var _ = Describe("ten flows onto one port, with noise in the clocks that PC4 compares", Ordered, ContinueOnFailure,
	Label("F9", "pc4", "noise"), func() {
		var printed []point

		BeforeAll(func() { printed = sweep(literal, atReceiver, asAsked, nil) })

		It("do not mind 400 ns, even where negative delays are taken literally", func() {
			Expect(harmless(printed, 400).Missed).To(BeEmpty())
		})

		It("have a longer queue at its worst with 1 us, where negative delays are taken literally", func() {
			Expect(harmful(printed).Missed).To(BeEmpty())
		})

		It("do not mind 1 us where a negative delay counts as an empty path", func() {
			tolerant := sweep(robust, atReceiver, asAsked, nil)
			Expect(harmless(tolerant, 1000).Missed).To(BeEmpty())
			Expect(harmful(tolerant).Missed).NotTo(BeEmpty())

			table := noiseTable()
			addNoise(table, "literal", atReceiver, printed)
			addNoise(table, "robust", atReceiver, tolerant)
			published(table, "default gains", printed, "increases soon make up for decreases of at most a half")
			if tier.RunsSlow() {
				steep := sweep(bold, atReceiver, asAsked, nil)
				addNoise(table, "literal, beta 1.6, max_mdf 0.8", atReceiver, steep)
				published(table, "beta 1.6, max_mdf 0.8", steep, "these gains do not reach it either")
			}
			table.Report("F9: 10-to-1, 10 MB a flow, target 1 us; median [range] of 5 seeds")
		})

		It("have a longer queue at its worst with noise of both clocks, unless negative delays count as an empty path",
			Label("options", "slow"), func() {
				lab.SkipUnlessSlow()
				few := lab.Seeds[:3]
				one := sweep(literal, atReceiver, asAsked, few)
				both := sweep(literal, atBothEnds, asAsked, few)
				tolerant := sweep(robust, atBothEnds, asAsked, few)
				table := noiseTable()
				addNoise(table, "literal", atReceiver, one)
				addNoise(table, "literal", atBothEnds, both)
				addNoise(table, "robust", atBothEnds, tolerant)
				table.Report("F9: noise of both clocks; median [range] of 3 seeds")
				Expect(ranked(one, both, tolerant).Missed).To(BeEmpty())
				deaf := ranked(one, one, one)
				Expect(deaf.Missed).To(HaveLen(2), "noise of one clock alone, or a reading that is not heard of, must show")
			})

		It("tell it from clocks to which the noise is not applied", Label("mutant"), func() {
			silent := sweep(literal, atReceiver, func(int) int { return 0 }, lab.Seeds[:1])
			c := harmful(silent)
			Expect(c.Missed).NotTo(BeEmpty())

			table := noiseTable()
			addNoise(table, "noise not applied", atReceiver, silent)
			table.Remark("%v", &c)
			table.Report("F9: a mutant")
		})
	})
