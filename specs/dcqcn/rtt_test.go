package dcqcn

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/specs/lab"
	"github.com/rocelab/rocelab/specs/mutant"
)

// nearAndFar has n flows of 2 us RTT and n of 20 us share the port to one host,
// propagation alone.
func nearAndFar(n int, params string) string {
	return fmt.Sprintf(`
algorithm: {name: dcqcn, params: {%s}}
topology:
  nodes: [{name: s, kind: switch}, {name: near}, {name: far}, {name: sink}]
  links:
    - {endpoints: [near, s], latency: 500ns}
    - {endpoints: [far, s], latency: 9500ns}
    - {endpoints: [sink, s], latency: 500ns}
traffic:
  - {name: near, from: near, to: sink, flows: %d, jitter: 1us}
  - {name: far, from: far, to: sink, flows: %d, jitter: 1us}
switch: {ecn: {kmin: 75KB, kmax: 225KB}}
run: {until: 30ms}
record: {interval: 100us}
expect: {congestion: required}
`, params, n, n)
}

// Rates are judged from settled to the end; before, the flows come down from
// line rate.
const (
	settled = unit.Time(10 * unit.Millisecond)
	theEnd  = unit.Time(30 * unit.Millisecond)
	wide    = unit.Time(100 * unit.Microsecond)
)

// shares is what the two kinds of flows got of the port.
type shares struct {
	// Ratio is the near flows' mean rate over the far flows'.
	Ratio lab.Figure
	// NearOfPeak and FarOfPeak are the mean rate of a flow as a part of its
	// largest in a bin of 100 us.
	NearOfPeak, FarOfPeak lab.Figure
	// Sum is the rate of all, in Gb/s on the wire.
	Sum lab.Figure
}

func measureShares(n int, params string, o lab.Options) shares {
	runs := lab.OverSeeds(nearAndFar(n, params), o)
	sum := func(r *lab.Run, first int) (v float64) {
		for f := first; f < first+n; f++ {
			v += r.WireRate(f, settled, theEnd)
		}
		return v
	}
	ofPeak := func(flow int) func(*lab.Run) float64 {
		return func(r *lab.Run) float64 {
			peak := 0.0
			for t := settled; t < theEnd; t += wide {
				peak = max(peak, r.WireRate(flow, t, t+wide))
			}
			return r.WireRate(flow, settled, theEnd) / peak
		}
	}
	return shares{
		Ratio:      lab.FigureOf(runs, func(r *lab.Run) float64 { return sum(r, 0) / sum(r, n) }),
		NearOfPeak: lab.FigureOf(runs, ofPeak(0)), FarOfPeak: lab.FigureOf(runs, ofPeak(n)),
		Sum: lab.FigureOf(runs, func(r *lab.Run) float64 { return sum(r, 0) + sum(r, n) }),
	}
}

// unequal is the article's unfairness, a good way below its 3 to 5.
func unequal(s shares) (c lab.Criteria) {
	c.Want(s.Ratio.Median >= 1.5, "near flows have %v times the far flows' rate, wanted is 1.5", s.Ratio)
	return c
}

// equal wants neither kind to have more than the given multiple of the other's
// rate.
func equal(s shares, most float64) (c lab.Criteria) {
	c.Want(s.Ratio.Median <= most && s.Ratio.Median >= 1/most, "near flows have %v times the far flows' rate, allowed "+
		"is %.2f to %v", s.Ratio, 1/most, most)
	return c
}

// Bounds of equal: RTT-independent recovery, and DCQCN as it is, whose slower
// loop may cost the far flows a little.
const (
	independent = 1.3
	standard    = 1.5
)

func sharesTable() *lab.Table {
	return lab.NewTable("recovery", "near / far", "near, of its peak", "far, of its peak", "both, Gb/s")
}

func addShares(t *lab.Table, name string, s shares) {
	t.Row(name, s.Ratio, s.NearOfPeak, s.FarOfPeak, s.Sum)
}

// targets are the article's figures.
func targets(t *lab.Table, perRTT, rir shares) {
	t.Target(perRTT.Ratio.Median >= 3 && perRTT.Ratio.Median <= 5,
		fmt.Sprintf("3 to 5 times the rate with recovery per RTT: %v", perRTT.Ratio),
		"the RTT in which a step is taken holds the queue, which both flows share")
	t.Target(perRTT.NearOfPeak.Median >= 0.80 && perRTT.NearOfPeak.Median <= 0.90,
		fmt.Sprintf("a near flow at 85 %% of its peak, within 5: %v", perRTT.NearOfPeak),
		"the article says neither what a peak is nor over which time it counts")
	t.Target(perRTT.FarOfPeak.Median >= 0.40 && perRTT.FarOfPeak.Median <= 0.60,
		fmt.Sprintf("a far flow between 40 and 60 %% of its peak: %v", perRTT.FarOfPeak),
		"the article says neither what a peak is nor over which time it counts")
	t.Target(rir.Ratio.Median <= 1.1 && rir.Ratio.Median >= 1/1.1,
		fmt.Sprintf("equal rates, within 10 %%, with RIR: %v", rir.Ratio),
		"the near flow, though slower, is sent a few more CNPs than the far one")
}

// fixedTimer has every flow take its RTT for 10 us, so that its steps come by a
// timer that is the same for all.
var fixedTimer = mutant.Wrap{Sender: func(s cc.Sender) cc.Sender { return &watch{s} }}

type watch struct{ cc.Sender }

func (s *watch) Handle(e *cc.Event, d *cc.Decision) {
	told := e.RTT
	e.RTT = 10 * unit.Microsecond
	s.Sender.Handle(e, d)
	e.RTT = told
}

var _ = Describe("two flows of 2 us and 20 us RTT onto one port", Ordered, ContinueOnFailure,
	Label("A3", "A4", "A7", "dcqcn", "fairness"), func() {
		var timer, perRTT, rir shares

		BeforeAll(func() {
			timer = measureShares(1, "recovery: timer", lab.Options{})
			perRTT = measureShares(1, "recovery: rtt", lab.Options{})
			rir = measureShares(1, "recovery: rir", lab.Options{})
		})

		It("share it unequally when each recovers once per RTT", func() {
			c := unequal(perRTT)
			Expect(c.Missed).To(BeEmpty())
		})

		It("share it equally with RTT-independent recovery", func() {
			c := equal(rir, independent)
			Expect(c.Missed).To(BeEmpty())
			Expect(rir.Ratio.Median).To(BeNumerically("<", perRTT.Ratio.Median))
		})

		It("share it equally under DCQCN as it is, which recovers by a timer", func() {
			c := equal(timer, standard)
			Expect(c.Missed).To(BeEmpty())
		})

		It("are nearer to equal when CNPs bring the RTT back and scale the step with it", Label("options"), func() {
			scaled := measureShares(1, "recovery: rtt, rtt_in_cnp: true", lab.Options{})
			Expect(scaled.Ratio.Median).To(BeNumerically("<", perRTT.Ratio.Median))

			table := sharesTable()
			addShares(table, "timer: DCQCN", timer)
			addShares(table, "rtt: 5 % of line per RTT", perRTT)
			addShares(table, "rtt, RTT in CNP", scaled)
			addShares(table, "rir: 1 Gb/s each 100 us", rir)
			table.Remark("The RTT that a CNP brings back was measured in congestion: steps are rarer and larger, and the " +
				"port is idle for longer.")
			targets(table, perRTT, rir)
			table.Report("A3, A4, A7: NVIDIA's parameters, 1 + 1 flows; median [range] of 5 seeds")
		})

		It("are told apart from flows with a mistake in their recovery", Label("mutant"), func() {
			table := sharesTable()
			judge := func(name string, s shares, c lab.Criteria) {
				ExpectWithOffset(1, c.Missed).NotTo(BeEmpty(), "%s meets the criteria", name)
				addShares(table, name, s)
				table.Remark("%s: %v", name, &c)
			}
			three := lab.Options{Seeds: lab.Seeds[:3]}
			fixed := measureShares(1, "recovery: rtt", lab.Options{Algorithms: fixedTimer.In("dcqcn"), Seeds: three.Seeds})
			judge("A3, a step each 10 us instead of each RTT", fixed, unequal(fixed))
			stepped := measureShares(1, "recovery: rtt, rtt_share: 1", three)
			judge("A4, RIR's 1 Gb/s each RTT", stepped, equal(stepped, independent))
			judge("A7, recovery per RTT left on", perRTT, equal(perRTT, standard))
			table.Report("A3, A4, A7: mutants; median [range] of 3 seeds")
		})

		It("do so with the DCQCN paper's parameters and with four flows of each kind", Label("slow", "options"), func() {
			lab.SkipUnlessSlow()
			for _, set := range []string{"nvidia", "paper"} {
				for _, n := range []int{1, 4} {
					of := func(params string) shares { return measureShares(n, "set: "+set+", "+params, lab.Options{}) }
					timer, perRTT, rir := of("recovery: timer"), of("recovery: rtt"), of("recovery: rir")
					for _, c := range []lab.Criteria{unequal(perRTT), equal(rir, independent), equal(timer, standard)} {
						Expect(c.Missed).To(BeEmpty(), "set %s, %d + %d flows", set, n, n)
					}
					table := sharesTable()
					addShares(table, "timer: DCQCN", timer)
					addShares(table, "rtt: 5 % of line per RTT", perRTT)
					addShares(table, "rtt: x 1.05 per RTT", of("recovery: rtt, rtt_step: factor"))
					addShares(table, "rtt, RTT in CNP", of("recovery: rtt, rtt_in_cnp: true"))
					addShares(table, "rir: 1 Gb/s each 100 us", rir)
					addShares(table, "timer, alpha by fraction", of("alpha: fraction"))
					targets(table, perRTT, rir)
					table.Report(fmt.Sprintf("A3, A4, A7: set %s, %d + %d flows; median [range] of 5 seeds", set, n, n))
				}
			}
		})
	})
