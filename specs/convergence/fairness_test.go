package convergence

import (
	"fmt"
	"math"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/specs/lab"
	"github.com/rocelab/rocelab/specs/mutant"
)

// Five flows share one link: one joins each 10 ms, and from 50 ms on one leaves
// each 10 ms, the first first. That makes nine slots with 1, 2, 3, 4, 5, 4, 3, 2
// and 1 flows. The jitter of the starts lets the seed say where in each other's
// adjust intervals the flows stand.
const (
	slotWidth = 10 * unit.Millisecond
	slots     = 9
	joining   = 5
	fineBin   = unit.Time(100 * unit.Microsecond)
)

// oneReceiver has all flows end in one host, so that its count of flows is the
// bottleneck's.
const oneReceiver = `
topology: {kind: dumbbell, left: 5, right: 1}
traffic:
  - {name: join, kind: incast, senders: h0..h4, receiver: h5, spacing: 10ms, duration: 50ms, jitter: 1us}
run: {until: 90ms}
record: {interval: 100us}
`

// fiveReceivers has each flow end in a host of its own, which counts one flow.
const fiveReceivers = `
topology: {kind: dumbbell, left: 5, right: 5}
traffic:
  - {from: h0, to: h5, start: 0ms, duration: 50ms, jitter: 1us}
  - {from: h1, to: h6, start: 10ms, duration: 50ms, jitter: 1us}
  - {from: h2, to: h7, start: 20ms, duration: 50ms, jitter: 1us}
  - {from: h3, to: h8, start: 30ms, duration: 50ms, jitter: 1us}
  - {from: h4, to: h9, start: 40ms, duration: 50ms, jitter: 1us}
run: {until: 90ms}
record: {interval: 100us}
`

func slotStart(slot int) unit.Time { return unit.Time(slot) * unit.Time(slotWidth) }

// active lists the flows of a slot.
func active(slot int) (flows []int) {
	for f := range joining {
		if f <= slot && slot < f+joining {
			flows = append(flows, f)
		}
	}
	return flows
}

// bottleneckController has the receivers be told n by a controller that knows
// the bottleneck: the number of flows through it, at each start and end.
var bottleneckController = mutant.Wrap{Receiver: func(r cc.Receiver) cc.Receiver { return &told{Receiver: r} }}

type told struct {
	cc.Receiver
	group cc.Group
}

// Group keeps the receiver's own count away.
func (t *told) Group(g cc.Group) { t.group.Mode, t.group.Ranks = g.Mode, g.Ranks }

func (t *told) Data(a *cc.Arrival, fb *cc.Feedback) {
	slot := min(int(a.Now/unit.Time(slotWidth)), slots-1)
	if n := len(active(slot)); n != t.group.Flows {
		t.group.Flows = n
		t.Receiver.Group(t.group)
	}
	t.Receiver.Data(a, fb)
}

// fairness is what the flows got, as rates on the wire.
type fairness struct {
	// Jain is the least of the slots' indexes, their first 0.5 ms left away;
	// Late that of their last 5 ms.
	Jain, Late lab.Figure
	// Worst is the bottleneck's least rate in a bin of 100 us, the first after
	// each change left away, in Gb/s.
	Worst lab.Figure
	// First is how far a flow's mean rate in the first ms of a slot is from the
	// fair share, as a part of it, at worst.
	First lab.Figure
}

func measureFairness(settings string, o lab.Options) fairness {
	runs := lab.OverSeeds(settings, o)
	jain := func(skip unit.Duration) func(*lab.Run) float64 {
		return func(r *lab.Run) float64 {
			return overSlots(math.Inf(1), math.Min, func(slot int) float64 {
				if len(active(slot)) == 1 {
					return 1
				}
				return result.Jain(rates(r, slot, skip, slotWidth))
			})
		}
	}
	return fairness{
		Jain: lab.FigureOf(runs, jain(500*unit.Microsecond)), Late: lab.FigureOf(runs, jain(slotWidth-5*unit.Millisecond)),
		Worst: lab.FigureOf(runs, func(r *lab.Run) float64 {
			return overSlots(math.Inf(1), math.Min, func(slot int) float64 { return worstBin(r, slot) })
		}),
		First: lab.FigureOf(runs, func(r *lab.Run) float64 {
			return overSlots(0, math.Max, func(slot int) float64 { return farthest(rates(r, slot, 0, unit.Millisecond)) })
		}),
	}
}

func overSlots(v float64, pick func(a, b float64) float64, of func(slot int) float64) float64 {
	for slot := range slots {
		v = pick(v, of(slot))
	}
	return v
}

// rates returns the active flows' mean rates in a part of a slot.
func rates(r *lab.Run, slot int, from, to unit.Duration) (x []float64) {
	for _, f := range active(slot) {
		x = append(x, r.WireRate(f, slotStart(slot).Add(from), slotStart(slot).Add(to)))
	}
	return x
}

// worstBin is the least rate of all flows together in a bin of a slot, from the
// second bin on.
func worstBin(r *lab.Run, slot int) float64 {
	worst := math.Inf(1)
	for t := slotStart(slot) + fineBin; t < slotStart(slot+1); t += fineBin {
		sum := 0.0
		for f := range joining {
			sum += r.WireRate(f, t, t+fineBin)
		}
		worst = min(worst, sum)
	}
	return worst
}

// farthest is the largest distance from the fair share of 100 Gb/s.
func farthest(x []float64) (far float64) {
	fair := 100 / float64(len(x))
	for _, v := range x {
		far = max(far, math.Abs(v-fair)/fair)
	}
	return far
}

// fairCriteria are those of a PC4 that is told n. The 30 % of the first ms are
// no goal: PC4 misses the 20 % that were asked for, a spec below says so, and
// this wider bound was set after measuring a quarter.
func fairCriteria(f fairness) (c lab.Criteria) {
	c.Want(f.Jain.Median >= 0.99, "Jain's index %v in the worst slot, wanted is 0.99", f.Jain)
	c.Want(f.Worst.Median >= 95, "bottleneck at %v Gb/s in the worst 100 us, wanted is 95", f.Worst)
	c.Want(f.First.Median <= 0.30,
		"a flow is %v of the fair share from it in the first ms after a change, allowed is 0.30", f.First)
	return c
}

func fairnessTable() *lab.Table {
	return lab.NewTable("algorithm", "Jain, worst slot", "Jain, last 5 ms, worst slot", "bottleneck, worst 100 us, Gb/s",
		"first ms, farthest from fair share")
}

func addFairness(t *lab.Table, name string, f fairness) {
	t.Row(name, f.Jain, f.Late, f.Worst, f.First)
}

var _ = Describe("five flows that join and leave one bottleneck, one each 10 ms", Ordered, ContinueOnFailure,
	Label("F10", "fairness"), func() {
		var shared, informed fairness

		BeforeAll(func() {
			shared = measureFairness(pc4+oneReceiver, lab.Options{})
			informed = measureFairness(pc4+fiveReceivers, lab.Options{Algorithms: bottleneckController.In("pc4")})
		})

		It("are given equal shares by PC4 at once, where they have one receiver", Label("pc4"), func() {
			c := fairCriteria(shared)
			Expect(c.Missed).To(BeEmpty())
		})

		It("are given equal shares by PC4 at once, where a controller tells five receivers of the bottleneck",
			Label("pc4"), func() {
				c := fairCriteria(informed)
				Expect(c.Missed).To(BeEmpty())
			})

		// Missed: the bound is 0.20 of the fair share. A newcomer's first window is
		// one BDP at line rate; the others read that queue, cut, and need some
		// twenty adjustments to come back, while the newcomer stands at its base
		// rate. A newcomer that starts with one packet, or with its base rate, stays
		// within a tenth.
		It("miss shares within 20 % in the first ms after a change: a newcomer has a quarter more",
			Label("pc4", "miss"), func() {
				Expect(shared.First.Median).To(BeNumerically(">", 0.20), "no longer missed: ask for 0.20 in the criteria")
				lab.Miss(fmt.Sprintf("shares within 20 %% in the first ms after a change: %v", shared.First),
					"a newcomer's first window is one BDP at line rate, and the others cut")
				Expect(informed.First.Median).To(BeNumerically("<=", 0.20))
			})

		It("have shares within 15 % in the first ms after a change where a newcomer begins gently",
			Label("pc4", "options", "slow"), func() {
				lab.SkipUnlessSlow()
				first := measureFairness(onePacket+oneReceiver, lab.Options{Seeds: lab.Seeds[:3]})
				base := measureFairness(senderKnows+oneReceiver, lab.Options{Seeds: lab.Seeds[:3]})
				Expect(first.First.Median).To(BeNumerically("<=", 0.15))
				Expect(base.First.Median).To(BeNumerically("<=", 0.15))

				table := fairnessTable()
				addFairness(table, "A: pc4, one receiver", shared)
				addFairness(table, "B: pc4, five receivers, n of the bottleneck", informed)
				addFairness(table, "A: first_rtt 1pkt, 3 seeds", first)
				addFairness(table, "A: controller+sender, base, 3 seeds", base)
				addFairness(table, "A: n_source receiver, seed 1", measureFairness(receiverKnows+oneReceiver,
					lab.Options{Seeds: lab.Seeds[:1]}))
				table.Remark("A receiver that counts for itself takes a flow that just stops for active until it was idle " +
					"for 32 ms.")
				table.Target(shared.Jain.Median >= 0.995, fmt.Sprintf("Jain's index of 0.995, A: %v", shared.Jain),
					"shares that differ once stay so")
				table.Target(informed.Jain.Median >= 0.995, fmt.Sprintf("Jain's index of 0.995, B: %v", informed.Jain),
					"shares that differ once stay so")
				table.Report("F10: PC4; median [range] of 5 seeds")
			})

		// Missed: the bound is 0.9. Increments of 25 Mb/s lift the queue so little
		// above the target that the decreases, in proportion to the excess, hardly
		// tell a fast flow from a slow one. Larger increments even out sooner.
		It("miss Jain's index of 0.9 in the last 5 ms of each slot by delay alone",
			Label("pc4", "options", "miss", "slow"), func() {
				lab.SkipUnlessSlow()
				f := measureFairness(delayAlone+oneReceiver, lab.Options{})
				Expect(f.Late.Median).To(And(BeNumerically(">=", 0.8), BeNumerically("<", 0.9)))
				lab.Miss(fmt.Sprintf("Jain's index of 0.9 in the last 5 ms of each slot by delay alone: %v", f.Late),
					"small increments hardly tell a fast flow from a slow one")
				larger := measureFairness("algorithm: {name: pc4, params: {base_rate: false, hai: 500Mbps, ai: 100Mbps}}"+
					oneReceiver, lab.Options{Seeds: lab.Seeds[:3]})
				Expect(larger.Late.Median).To(BeNumerically(">=", 0.9))
				c := fairCriteria(larger)
				Expect(c.Missed).NotTo(BeEmpty())

				table := fairnessTable()
				addFairness(table, "C: hai 100 Mb/s, ai 25 Mb/s", f)
				addFairness(table, "C: hai 500 Mb/s, ai 100 Mb/s, 3 seeds", larger)
				table.Report("F10: PC4 without base rate; median [range] of 5 seeds")
			})

		It("find unequal shares and lose throughput under DCQCN", Label("dcqcn"), func() {
			f := measureFairness(dcqcn+oneReceiver, lab.Options{})
			c := fairCriteria(f)
			Expect(c.Missed).NotTo(BeEmpty())

			table := fairnessTable()
			addFairness(table, "dcqcn", f)
			table.Report("F10: DCQCN; median [range] of 5 seeds")
		})

		It("are told from PC4 by a receiver that does not notice who leaves", Label("mutant"), func() {
			f := measureFairness(pc4+oneReceiver, lab.Options{Algorithms: mutant.LeaveUnnoticed.In("pc4"), Seeds: lab.Seeds[:1]})
			c := fairCriteria(f)
			Expect(c.Missed).NotTo(BeEmpty())

			table := fairnessTable()
			addFairness(table, "n not updated on leave", f)
			table.Remark("%v", &c)
			table.Report("F10: a mutant")
		})
	})
