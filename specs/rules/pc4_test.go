package rules

import (
	"fmt"
	"math"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/eventlog"
)

// converging is n flows under PC4 into the last host of a star.
func converging(n int, params, until string) string {
	return fmt.Sprintf(`
algorithm: {name: pc4, params: {%s}}
topology: {kind: star, hosts: %d}
traffic: [{kind: incast}]
run: {until: %s}
`, params, n+1, until)
}

// longPath is n flows under PC4 over three switches and an uplink of half the hosts'
// rate, so that already one flow can make a queue.
func longPath(n int, params, until string) string {
	return fmt.Sprintf(`
algorithm: {name: pc4, params: {%s}}
topology: {kind: leaf-spine, leaves: 2, spines: 1, hosts_per_leaf: %d, uplink_rate: 50Gbps}
traffic: [{kind: incast, senders: %d, receiver: h%d}]
run: {until: %s}
`, params, n, n, n, until)
}

// targetQtime is III-C's target: tq0 or tq_noise times the packets that sqrt(N) is,
// whichever is longer, by what the path is longer than one switch to tq_path; in set
// earlier less from 10 flows on, by 1/N, not below 300 ns.
func targetQtime(p cc.Params, f cc.Facts, n float64) float64 {
	if p.Given("target_qtime") {
		return float64(p.Duration("target_qtime"))
	}
	few := float64(p.Duration("tq0"))
	noise := p.Number("tq_noise") * math.Sqrt(n) * float64(f.LineRate.SerialTime(f.PacketBytes))
	if p.Choice("set") == "earlier" {
		few = max(few*min(1, 10/n), float64(300*unit.Nanosecond))
	}
	path := float64(f.Baseline) / float64(2200*unit.Nanosecond)
	return math.Pow(path, p.Number("tq_path")) * max(few, noise)
}

// adjustment is a step that changed the rate by the delay that its ACK brought.
type adjustment struct {
	eventlog.Step
	base float64 // the base rate in force
}

// adjustments returns those of a flow: the ACKs that changed its rate without
// bringing another base rate.
func adjustments(steps []eventlog.Step) (list []adjustment) {
	var base unit.BitRate
	for _, s := range of(cc.EventAck, steps) {
		if s.Event.BaseRate != base {
			base = s.Event.BaseRate
		} else if s.After.Rate != s.Before.Rate {
			list = append(list, adjustment{s, bits(base)})
		}
	}
	return list
}

var _ = Describe("PC4's receiver", Label("pc4"), func() {
	// Algorithm 1 and Table I.
	DescribeTable("offers", func(traffic, params string, ranks int, divisor func(n int) int) {
		w := watch(fmt.Sprintf(`
algorithm: {name: pc4, params: {%s}}
topology: {kind: star, hosts: %d}
traffic: [%s]
run: {until: 40us}
`, params, ranks, traffic))
		offers := 0
		for _, log := range w.receivers {
			n := 0
			for _, r := range log.Receptions {
				if r.IsGroup {
					n = r.Group.Flows
					continue
				}
				offers++
				want := log.Facts.LineRate / unit.BitRate(max(1, divisor(n))) / unit.Kbps * unit.Kbps
				Expect(r.After.BaseRate).To(Equal(want), "%d flows", n)
			}
		}
		Expect(offers).To(BeNumerically(">", 100))
	},
		Entry("line rate over the flows that come in", "{kind: incast}", "", 8, func(n int) int { return n }),
		Entry("line rate over the flows that are left",
			"{from: h0, to: h3}, {name: others, from: [h1, h2], to: h3, duration: 10us}", "", 4,
			func(n int) int { return n }),
		Entry("line rate over the flows that come in, all to all", "{kind: all-to-all, size: 20KB, flows: 2}", "",
			6, func(n int) int { return n }),
		Entry("line rate over n-1 as printed, n the flows of all ranks", "{kind: all-to-all, size: 20KB, flows: 2}",
			"n_mode: paper", 6,
			func(n int) int { return 6*n/5 - 1 }),
		Entry("line rate in a ring", "{kind: all-to-all, mode: all-reduce, size: 20KB}", "all_reduce: ring", 4,
			func(int) int { return 1 }),
		Entry("line rate over the other ranks at a parameter server",
			"{kind: all-to-all, mode: all-reduce, size: 20KB, flows: 2}",
			"all_reduce: ps", 6, func(int) int { return 5 }),
	)

	It("offers line rate over the flows that it counts, with n_source receiver", func() {
		w := watch(converging(4, "n_source: receiver", "40us"))
		most := 0
		for _, log := range w.receivers {
			for _, r := range log.Receptions {
				if !r.IsGroup {
					most = max(most, r.Arrival.Active)
					Expect(r.After.BaseRate).To(Equal(log.Facts.LineRate / unit.BitRate(r.Arrival.Active) / unit.Kbps * unit.Kbps))
				}
			}
		}
		Expect(most).To(Equal(4))
	})

	It("reads the one-way delay as arrival less departure less baseline", func() {
		w := watch(converging(4, "", "40us"))
		queued := 0
		for _, log := range w.receivers {
			for _, r := range log.Receptions {
				if r.IsGroup {
					continue
				}
				wait := unit.Duration(r.Arrival.Clock-r.Arrival.TxTime-r.Arrival.Baseline) * unit.Nanosecond
				Expect(r.After.OneWayDelay).To(Equal(wait))
				if wait > unit.Microsecond {
					queued++
				}
			}
		}
		Expect(queued).To(BeNumerically(">", 10))
	})
})

var _ = Describe("PC4's sender", Label("pc4"), func() {
	It("begins at line rate with a window of one BDP", func() {
		facts, steps := first(converging(2, "", "20us"))
		Expect(steps[0].After.Rate).To(Equal(facts.LineRate))
		Expect(steps[0].After.Window).To(BeNumerically("~", facts.LineRate.BytesIn(facts.BaseRTT), 1))
	})

	DescribeTable("begins with", func(params string, window func(cc.Facts) float64) {
		facts, steps := first(converging(4, params, "20us"))
		Expect(float64(steps[0].After.Window)).To(BeNumerically("~", window(facts), 1))
	},
		Entry("the window of its base rate with first_rtt base", "first_rtt: base, n_source: controller+sender",
			func(f cc.Facts) float64 { return float64((f.LineRate / 4).BytesIn(f.BaseRTT)) }),
		Entry("twelve packets with first_rtt 12pkt", "first_rtt: 12pkt",
			func(f cc.Facts) float64 { return 12 * float64(f.MTU) }),
		Entry("one packet with first_rtt 1pkt", "first_rtt: 1pkt",
			func(f cc.Facts) float64 { return float64(f.MTU) }),
	)

	// Lines 4 to 7 of Algorithm 2.
	It("takes a new base rate over with the first ACK that brings it", func() {
		_, steps := first(`
algorithm: pc4
topology: {kind: star, hosts: 4}
traffic: [{name: long, from: h0, to: h3}, {name: others, from: [h1, h2], to: h3, start: 60us, duration: 60us}]
run: {until: 200us}
`)
		var base unit.BitRate
		changes := 0
		for _, s := range of(cc.EventAck, steps) {
			if s.Event.BaseRate != base {
				changes++
				base = s.Event.BaseRate
				Expect(s.After.Rate).To(Equal(base))
			}
		}
		Expect(changes).To(BeNumerically(">=", 3)) // alone, beside one or two, alone again
	})

	It("takes the controller's word over with n_source controller+sender, and no older base rate after it", func() {
		facts, steps := first(`
algorithm: {name: pc4, params: {n_source: controller+sender}}
controller: {latency: 1100ns}
topology: {kind: star, hosts: 4}
traffic: [{name: long, from: h0, to: h3}, {name: others, from: [h1, h2], to: h3, start: 60us, duration: 60us}]
run: {until: 200us}
`)
		var base unit.BitRate
		var told int64
		words, late := 0, 0
		for _, s := range steps[1:] {
			switch s.Event.Kind {
			case cc.EventGroup:
				words++
				told = s.Event.Clock
				base = facts.LineRate / unit.BitRate(s.Event.Flows) / unit.Kbps * unit.Kbps
				Expect(s.After.Rate).To(Equal(base))
			case cc.EventAck:
				if told != 0 && s.Event.Echo <= told && s.Event.BaseRate != base {
					late++
					Expect(s.After.Rate).NotTo(Equal(s.Event.BaseRate))
				}
			}
		}
		Expect(words).To(BeNumerically(">=", 2))
		Expect(late).To(BeNumerically(">=", 1))
	})

	It("keeps its base rate where the change is within reload_threshold", func() {
		_, steps := first(converging(4, "n_source: receiver, reload_threshold: 0.9", "100us"))
		adjusted := 0
		base := of(cc.EventAck, steps)[0].Event.BaseRate
		taken := base
		for _, s := range of(cc.EventAck, steps) {
			if change := math.Abs(bits(s.Event.BaseRate - taken)); change > 0.9*bits(taken) {
				taken = s.Event.BaseRate
				Expect(s.After.Rate).To(Equal(taken))
			} else if s.Event.BaseRate != taken {
				adjusted++
				Expect(s.After.Rate).NotTo(Equal(s.Event.BaseRate))
			}
		}
		Expect(adjusted).To(BeNumerically(">", 10))
	})

	// Lines 9 to 11: an ACK moves the rate where 1.5 times the larger of base RTT and
	// last RTT have passed since the last change, if its packet left after it.
	paced := func(params string, interval float64, fresh bool) {
		facts, steps := first(converging(8, params, "300us"))
		var base unit.BitRate
		var last unit.Time
		var reading int64
		acted := 0
		for i, s := range steps {
			e := &s.Event
			switch {
			case e.Kind == cc.EventStart:
				last, reading = e.Now, e.Clock
			case e.Kind != cc.EventAck:
			case e.BaseRate != base:
				base, last, reading = e.BaseRate, e.Now, e.Clock
			default:
				wait := math.Floor(interval * float64(max(facts.BaseRTT, e.RTT)))
				due := float64(e.Now.Sub(last)) >= wait && (!fresh || e.Echo > reading)
				ExpectWithOffset(1, s.After.Rate != s.Before.Rate).To(Equal(due), "step %d at %v", i, e.Now)
				if due {
					acted++
					last, reading = e.Now, e.Clock
				}
			}
		}
		ExpectWithOffset(1, acted).To(BeNumerically(">=", 5))
	}
	It("adjusts once in an adjust_interval, by fresh feedback alone", func() {
		paced("", params("pc4", nil).Number("adjust_interval"), true)
	})
	It("adjusts sooner with a smaller adjust_interval, but never by a packet that left before", func() {
		paced("adjust_interval: 0.2", 0.2, true)
	})
	It("adjusts by any ACK with feedback any", func() { paced("adjust_interval: 0.2, feedback: any", 0.2, false) })

	It("never adjusts with adjust false", func() {
		_, steps := first(converging(4, "adjust: false", "200us"))
		Expect(adjustments(steps)).To(BeEmpty())
		Expect(len(steps)).To(BeNumerically(">", 100))
	})

	// COMPUTE_RATE, lines 20 to 29.
	It("adds hai on an empty path", func() {
		facts, steps := first(`
algorithm: pc4
topology: {kind: star, hosts: 2}
traffic: [{from: h0, to: h1, group_flows: 8}]
run: {until: 200us}
`)
		p := params("pc4", nil)
		seen := 0
		for _, a := range adjustments(steps) {
			seen++
			Expect(a.base).To(Equal(bits(facts.LineRate / 8)))
			Expect(bits(a.After.Rate)).To(near(bits(a.Before.Rate) + p.Number("hai_share")*a.base))
		}
		Expect(seen).To(BeNumerically(">=", 10))
	})

	It("adds ai below the target", func() {
		facts, steps := first(converging(4, "", "300us"))
		p := params("pc4", nil)
		seen := 0
		for _, a := range adjustments(steps) {
			target := targetQtime(p, facts, bits(facts.LineRate)/a.base)
			if owd := float64(a.Event.OneWayDelay); owd > 100_000 && owd < target {
				seen++
				Expect(bits(a.After.Rate)).To(near(bits(a.Before.Rate) + p.Number("ai_share")*a.base))
			}
		}
		Expect(seen).To(BeNumerically(">=", 3))
	})

	It("adds hai and ai as they are given", func() {
		facts, steps := first(converging(4, "hai: 700Mbps, ai: 200Mbps, beta: 3, max_mdf: 0.9", "600us"))
		p := params("pc4", nil)
		seen := map[float64]int{}
		for _, a := range adjustments(steps) {
			step := 200e6
			switch owd := float64(a.Event.OneWayDelay); {
			case owd <= 100_000:
				step = 700e6
			case owd >= targetQtime(p, facts, bits(facts.LineRate)/a.base):
				continue
			}
			seen[step]++
			Expect(bits(a.After.Rate)).To(near(bits(a.Before.Rate) + step))
		}
		Expect(seen).To(HaveLen(2))
	})

	It("cuts by beta times the excess over the target, and by max_mdf at most", func() {
		facts, steps := first(converging(8, "ai: 10Gbps, beta: 1.5, max_mdf: 0.2", "600us"))
		p := params("pc4", map[string]string{"beta": "1.5", "max_mdf": "0.2"})
		partly, wholly := 0, 0
		for _, a := range adjustments(steps) {
			owd, target := float64(a.Event.OneWayDelay), targetQtime(p, facts, bits(facts.LineRate)/a.base)
			if owd < target {
				continue
			}
			left := 1 - p.Number("beta")*(owd-target)/(owd+float64(facts.Baseline))
			if left > 1-p.Number("max_mdf") {
				partly++
			} else {
				wholly++
				left = 1 - p.Number("max_mdf")
			}
			Expect(share(&a.Step)).To(BeNumerically("~", left, 1e-6))
		}
		Expect(partly).To(BeNumerically(">=", 3))
		Expect(wholly).To(BeNumerically(">=", 1))
	})

	// A window of part of a packet hears once in RTT/cwnd; 64 flows have 0.8 packets.
	It("multiplies its steps by the root of its window below one packet", func() {
		facts, steps := first(converging(64, "", "2ms"))
		p := params("pc4", nil)
		seen := map[bool]int{}
		for _, a := range adjustments(steps) {
			owd, target := float64(a.Event.OneWayDelay), targetQtime(p, facts, bits(facts.LineRate)/a.base)
			cwnd := float64(a.Before.Window) / float64(facts.MTU)
			if owd <= 100_000 || cwnd >= 1 {
				continue
			}
			step := p.Number("ai_share") * a.base
			if owd >= target {
				left := max(1-p.Number("max_mdf"), 1-p.Number("beta")*(owd-target)/(owd+float64(facts.Baseline)))
				step = bits(a.Before.Rate) * (left - 1)
			}
			seen[owd < target]++
			Expect(bits(a.After.Rate) - bits(a.Before.Rate)).To(BeNumerically("~", step*math.Sqrt(cwnd), math.Abs(step)/500+2))
		}
		Expect(seen[true]).To(BeNumerically(">=", 3))
		Expect(seen[false]).To(BeNumerically(">=", 3))
	})

	// The extension, which is not in the paper. Delay by itself decides on the rest of the step, so the remainder comes
	// from the extension.
	DescribeTable("with the extension return to base", func(scenario string, above bool, ai float64) {
		w := watch(scenario)
		facts := w.senders[0].Facts
		p := params("pc4", map[string]string{"set": "return-to-base"})
		var all []adjustment
		for _, log := range w.senders {
			all = append(all, adjustments(log.Steps)...)
		}
		seen := 0
		for _, a := range all {
			owd := float64(a.Event.OneWayDelay)
			if owd <= 100_000 || owd >= targetQtime(p, facts, bits(facts.LineRate)/a.base) ||
				above != (a.Before.Rate >= unit.BitRate(a.base)) {
				continue
			}
			seen++
			back := p.Number("pull") * (a.base - bits(a.Before.Rate))
			Expect(bits(a.After.Rate)).To(near(bits(a.Before.Rate) + ai*p.Number("ai_share")*a.base + back))
		}
		Expect(seen).To(BeNumerically(">=", 3))
	},
		Entry("goes back a twentieth of the way from below with each step",
			converging(8, "set: return-to-base", "600us"), false, 1.0),
		Entry("adds a tenth of ai from the base rate on", converging(8, "set: return-to-base", "600us"), true, 0.1),
	)

	It("reads a delay below zero as an empty path, unless zero_reading is literal", func() {
		for _, reading := range []string{"robust", "literal"} {
			facts, steps := first(converging(4, "target_qtime: 1us, zero_reading: "+reading, "300us") +
				"nic: {clock: {noise: 2us}}\n")
			p := params("pc4", nil)
			below := 0
			for _, a := range adjustments(steps) {
				owd := float64(a.Event.OneWayDelay)
				if owd >= -1000 || bits(a.After.Rate) == bits(facts.LineRate) {
					continue
				}
				below++
				want := bits(a.Before.Rate) + p.Number("hai_share")*a.base
				if reading == "literal" {
					excess := (owd - float64(unit.Microsecond)) / (owd + float64(facts.Baseline))
					want = bits(a.Before.Rate) * max(1-p.Number("max_mdf"), 1-p.Number("beta")*excess)
				}
				Expect(bits(a.After.Rate)).To(near(min(want, bits(facts.LineRate))), reading)
			}
			Expect(below).To(BeNumerically(">=", 5))
		}
	})

	// III-C: the delay at which flows begin to give way, over one switch and over three, of one flow and of sixteen.
	// Every adjustment shows on which side of its target the delay was; the target lies between the highest delay that
	// raised a rate and the lowest that lowered one.
	DescribeTable("gives way from its target on", func(scenario string, n float64, given map[string]string) {
		w := watch(scenario)
		facts := w.senders[0].Facts
		target := targetQtime(params("pc4", given), facts, n)
		highest, lowest := 0.0, math.Inf(1)
		for _, log := range w.senders {
			for _, a := range adjustments(log.Steps) {
				if owd := float64(a.Event.OneWayDelay); a.After.Rate > a.Before.Rate {
					highest = max(highest, owd)
				} else {
					lowest = min(lowest, owd)
				}
			}
		}
		Expect(highest).To(BeNumerically("<", target))
		Expect(lowest).To(BeNumerically(">=", target))
		Expect(lowest-highest).To(BeNumerically("<", 0.25*target), "adjustments at every delay")
	},
		Entry("of 8 flows over one switch", converging(8, "", "1ms"), 8.0, nil),
		Entry("of 100 flows over one switch", converging(100, "", "1ms"), 100.0, nil),
		Entry("of one flow over three switches", longPath(1, "", "2ms"), 1.0, map[string]string{"tq_path": "0"}),
		Entry("of one flow over three switches with tq_path", longPath(1, "tq_path: 0.5", "2ms"), 1.0,
			map[string]string{"tq_path": "0.5"}),
		Entry("of 16 flows over three switches in set earlier", longPath(16, "set: earlier", "1ms"), 16.0,
			map[string]string{"set": "earlier"}),
		Entry("that is the floor of set earlier", converging(40, "set: earlier", "1ms"), 40.0,
			map[string]string{"set": "earlier"}),
		Entry("that is given", converging(8, "target_qtime: 700ns", "1ms"), 8.0,
			map[string]string{"target_qtime": "700ns"}),
		Entry("that follows from the controller's n without a base rate",
			converging(64, "base_rate: false", "2ms"), 64.0, map[string]string{"base_rate": "false"}),
	)

	// The same as the frames feel it.
	DescribeTable("keeps a wait of about its target", func(scenario string, n float64) {
		w := watch(scenario)
		target := targetQtime(params("pc4", map[string]string{"tq_path": "0"}), w.senders[0].Facts, n)
		sum, count := 0.0, 0.0
		for _, log := range w.senders {
			acks := of(cc.EventAck, log.Steps)
			for _, s := range acks[len(acks)/2:] {
				sum += float64(s.Event.OneWayDelay)
				count++
			}
		}
		Expect(sum / count).To(BeNumerically(">", 0.7*target))
		Expect(sum / count).To(BeNumerically("<", 1.2*target))
	},
		Entry("of one flow over three switches", longPath(1, "", "2ms"), 1.0),
		Entry("of 100 flows over one switch", converging(100, "", "2ms"), 100.0),
	)

	// Line 12.
	windows := func(scenario string, rtt func(facts cc.Facts, last *cc.Event) unit.Duration, always bool) {
		facts, steps := first(scenario)
		last, seen := &cc.Event{RTT: facts.BaseRTT}, 0
		for _, s := range of(cc.EventAck, steps) {
			if s.Event.RTT > 0 {
				last = &s.Event
			}
			if s.After.Rate != s.Before.Rate || always {
				seen++
				ExpectWithOffset(1, float64(s.After.Window)).To(BeNumerically("~",
					float64(s.After.Rate.BytesIn(rtt(facts, last))), 1))
			} else {
				ExpectWithOffset(1, s.After.Window).To(Equal(s.Before.Window))
			}
		}
		ExpectWithOffset(1, seen).To(BeNumerically(">=", 5))
	}
	baseRTT := func(f cc.Facts, _ *cc.Event) unit.Duration { return f.BaseRTT }
	measured := func(_ cc.Facts, last *cc.Event) unit.Duration { return last.RTT }
	It("makes its window at each ACK of rate and of the RTT less the wait in the queue, at least the base RTT", func() {
		longer := 0
		back := "  - {name: back, from: h8, to: h0}\nnic: {ack_class: data}\n" // ACKs wait beside its data
		scenario := strings.Replace(converging(8, "", "200us"), "[{kind: incast}]", "\n  - {kind: incast}\n"+back, 1)
		windows(scenario, func(f cc.Facts, last *cc.Event) unit.Duration {
			unqueued := last.RTT - max(last.OneWayDelay, 0)
			if unqueued > f.BaseRTT && last.OneWayDelay > unit.Microsecond {
				longer++
			}
			return max(f.BaseRTT, unqueued)
		}, true)
		Expect(longer).To(BeNumerically(">=", 10), "no ACK tells of a queue and of another delay")
	})
	It("makes its window of rate and base RTT with cwnd_rtt base",
		func() { windows(converging(8, "cwnd_rtt: base", "200us"), baseRTT, true) })
	It("makes its window of the measured RTT with cwnd_rtt measured",
		func() { windows(converging(8, "cwnd_rtt: measured", "200us"), measured, true) })
	It("makes its window whenever the rate changes, and never else, with cwnd_update changed",
		func() { windows(converging(8, "cwnd_rtt: measured, cwnd_update: changed", "200us"), measured, false) })

	It("leaves its window to the next ACK at a new base rate with cwnd_update indent", func() {
		facts, steps := first(converging(8, "cwnd_update: indent, cwnd_rtt: base", "60us"))
		acks := of(cc.EventAck, steps)
		Expect(acks[0].After.Rate).NotTo(Equal(acks[0].Before.Rate))
		Expect(acks[0].After.Window).To(Equal(acks[0].Before.Window))
		Expect(float64(acks[1].After.Window)).To(BeNumerically("~",
			float64(acks[1].After.Rate.BytesIn(facts.BaseRTT)), 1))
	})

	// Lines 13 to 16: packets start RTT/cwnd apart, cwnd in packets, or at the distance that the rate gives, headers
	// included, if that is longer.
	It("spaces packets by RTT/cwnd below a window of one packet", func() {
		for _, pace := range []string{"always", "paper"} {
			facts, steps := first(converging(64, "cwnd_rtt: base, pace: "+pace, "200us"))
			seen := 0
			for _, s := range of(cc.EventAck, steps) {
				if s.After.Window >= facts.MTU {
					continue
				}
				seen++
				// cwnd = rate x RTT / MTU, which makes RTT/cwnd the time of an MTU.
				if pace == "paper" {
					Expect(s.After.Rate).To(Equal(facts.LineRate))
					Expect(s.After.Gap).To(BeNumerically("~",
						unit.Duration(float64(facts.BaseRTT)*float64(facts.MTU)/float64(s.After.Window)), facts.BaseRTT/200))
				} else {
					Expect(s.After.Gap).To(BeZero())
					Expect(s.After.Rate).To(BeNumerically("<", facts.LineRate/10))
				}
			}
			Expect(seen).To(BeNumerically(">", 3))
		}
	})

	It("never leaves the range from min_rate to line rate", func() {
		w := watch(converging(2, "set: earlier, ai: 30Gbps, min_rate: 45Gbps", "300us"))
		least, most := unit.BitRate(math.MaxInt64), unit.BitRate(0)
		for _, log := range w.senders {
			for _, s := range log.Steps {
				least, most = min(least, s.After.Rate), max(most, s.After.Rate)
			}
		}
		Expect(least).To(Equal(45 * unit.Gbps))
		Expect(most).To(Equal(100 * unit.Gbps))
	})

	// ACK_TIMEOUT, lines 17 to 19; III-D has the other factor.
	It("cuts rate and window by max_mdf at a timeout, and takes the base rate anew", func() {
		for factor, left := range map[string]float64{"line18": 0.7, "mdf": 0.3} {
			_, steps := first(fmt.Sprintf(`
algorithm: {name: pc4, params: {max_mdf: 0.3, timeout_factor: %s}}
topology: {kind: star, hosts: 3}
traffic: [{kind: incast}]
nic: {rto: {floor: 50us}}
faults: [{link: h2-s0, loss: 0.3}]
run: {until: 1ms}
`, factor))
			timeouts, again := 0, 0
			for i, s := range steps {
				switch {
				case s.Event.Kind == cc.EventTimeout:
					timeouts++
					Expect(share(&s)).To(BeNumerically("~", left, 1e-6))
					Expect(float64(s.After.Window) / float64(s.Before.Window)).To(BeNumerically("~", left, 1e-2))
				case s.Event.Kind == cc.EventAck && steps[i-1].Event.Kind == cc.EventTimeout:
					again++
					Expect(s.After.Rate).To(Equal(s.Event.BaseRate))
				}
			}
			Expect(timeouts).To(BeNumerically(">=", 3))
			Expect(again).To(BeNumerically(">=", 1))
		}
	})
})
