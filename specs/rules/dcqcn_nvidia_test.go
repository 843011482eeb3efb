package rules

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/eventlog"
)

var _ = Describe("NVIDIA's DCQCN", Label("dcqcn"), func() {
	// The defaults of mlxconfig, which the description documents in words.
	const (
		initial   = 1023.0 / 1024
		g         = 5.0 / 1024
		leastLeft = 0.5
		cutPeriod = 4 * unit.Microsecond
		ai        = 5e6
		hai       = 50e6
	)

	// alphas returns alpha at each cut, computed from the CNPs: the first sets it and starts the clock, each tick of
	// which takes alpha to (1-g) alpha, + g if a CNP came since the tick before.
	alphas := func(steps []eventlog.Step, initial, g float64) (list []float64) {
		cnps := of(cc.EventCNP, steps)
		start := cnps[0].Event.Now
		alpha, tick, next := initial, start, 1
		for _, c := range cuts(steps) {
			for tick.Add(unit.Microsecond) <= c.Event.Now {
				tick = tick.Add(unit.Microsecond)
				alpha *= 1 - g
				if next < len(cnps) && cnps[next].Event.Now <= tick {
					alpha += g
				}
				for next < len(cnps) && cnps[next].Event.Now <= tick {
					next++
				}
			}
			list = append(list, alpha)
		}
		return list
	}
	cutsByAlpha := func(steps []eventlog.Step, initial, g float64, atLeast int) {
		want := alphas(steps, initial, g)
		list := cuts(steps)
		ExpectWithOffset(1, len(list)).To(BeNumerically(">=", atLeast))
		for i := range list {
			ExpectWithOffset(1, share(&list[i])).To(BeNumerically("~", max(leastLeft, 1-want[i]/2), 1e-6), "cut %d",
				i)
		}
	}

	It("cuts at the ticks of a clock that the first CNP starts, after a CNP", func() {
		_, steps := first(disturbed("300us", "rpg_time_reset: 1s", "20us", "201us"))
		start := of(cc.EventCNP, steps)[0].Event.Now
		var heard unit.Time
		seen := 0
		for _, s := range steps {
			if s.Event.Kind == cc.EventCNP {
				heard = s.Event.Now
				Expect(s.After.Rate).To(Equal(s.Before.Rate), "at the CNP itself")
			}
			if s.After.Rate < s.Before.Rate {
				seen++
				Expect(s.Event.Kind).To(Equal(cc.EventTimer))
				Expect(s.Event.Now.Sub(start) % cutPeriod).To(BeZero())
				Expect(s.Event.Now.Sub(heard)).To(BeNumerically("<=", cutPeriod))
			}
		}
		Expect(seen).To(BeNumerically(">=", 4))
	})

	It("cuts once in a period, however many CNPs come", func() {
		_, steps := first(disturbed("200us",
			"rpg_time_reset: 1s, rate_reduce_monitor_period: 24us, rpg_min_dec_fac: 90", "20us"))
		list := cuts(steps)
		Expect(len(list)).To(BeNumerically(">=", 3))
		Expect(len(of(cc.EventCNP, steps))).To(BeNumerically(">", 3*len(list)))
		for i := range list[1:] {
			Expect(gap(&list[i], &list[i+1])).To(BeNumerically(">=", 24*unit.Microsecond))
		}
	})

	It("cuts by alpha/2, alpha having decayed from initial_alpha with each tick without a CNP", func() {
		_, steps := first(disturbed("500us", "rpg_time_reset: 1s, min_time_between_cnps: 50us", "20us", "200us",
			"420us"))
		cutsByAlpha(steps, initial, g, 3)
		last := alphas(steps, initial, g)
		Expect(last[len(last)-1]).To(BeNumerically("<", 0.5))
	})

	It("raises alpha by g (1 - alpha) with each tick after a CNP", func() {
		_, steps := first(disturbed("300us",
			"rpg_time_reset: 1s, initial_alpha: 0.05, g: 0.1, min_time_between_cnps: 7us", "20us"))
		cutsByAlpha(steps, 0.05, 0.1, 5)
	})

	DescribeTable("cuts by",
		func(more string, wanted func(alpha float64) float64) {
			_, steps := first(disturbed("100us", "rpg_time_reset: 1s, "+more, "20us"))
			want := alphas(steps, initial, g)
			for i, c := range cuts(steps) {
				Expect(share(&c)).To(BeNumerically("~", wanted(want[i]), 1e-6), "cut %d", i)
			}
		},
		Entry("2^(10-rpg_gd) alpha", "rpg_gd: 12", func(alpha float64) float64 { return 1 - alpha/4 }),
		Entry("no more than rpg_min_dec_fac leaves", "rpg_min_dec_fac: 80", func(float64) float64 { return 0.8 }),
	)

	It("begins from rate_to_set_on_first_cnp, if that is given", func() {
		_, steps := first(disturbed("60us", "rpg_time_reset: 1s, rate_to_set_on_first_cnp: 30Gbps", "20us"))
		Expect(of(cc.EventCNP, steps)[0].After.Rate).To(Equal(30 * unit.Gbps))
	})

	// The target follows from the rate that the climb leads to: R_C = (R_T + R_C)/2.
	climbs := func(more string, hypers int, clamps func(timerSinceCut bool) bool) {
		facts, steps := first(disturbed("900us", "rpg_time_reset: 30us, rpg_byte_reset: 500KB"+more, "20us",
			"150us", "170us", "400us"))
		line := bits(facts.LineRate)
		rt, byTime, byBytes := line, 0, 0
		additive, hyper := 0, 0
		for _, s := range steps[1:] {
			switch {
			case s.After.Rate < s.Before.Rate:
				if clamps(byTime > 0) {
					rt = bits(s.Before.Rate)
				}
				byTime, byBytes = 0, 0
			case s.Event.Kind == cc.EventTimer || s.Event.Kind == cc.EventSent:
				if byTime++; s.Event.Kind == cc.EventSent {
					byTime--
					byBytes++
				}
				if min(byTime, byBytes) > 1 { // F = 1
					hyper++
					rt = min(line, rt+hai)
				} else {
					additive++
					rt = min(line, rt+ai)
				}
				ExpectWithOffset(1, bits(s.After.Rate)).To(near((rt+bits(s.Before.Rate))/2), "at %v", s.Event.Now)
			}
		}
		ExpectWithOffset(1, additive).To(BeNumerically(">=", 5))
		ExpectWithOffset(1, hyper).To(BeNumerically(">=", hypers))
	}

	It("keeps its target through the cuts of one congestion, until its timer expired", func() {
		climbs("", 5, func(timerSinceCut bool) bool { return timerSinceCut })
	})
	It("takes the rate before each cut for its target with clamp_tgt_rate", func() {
		climbs(", clamp_tgt_rate: true", 0, func(bool) bool { return true })
	})
	It("keeps its target for ever with neither clamp", func() {
		climbs(", clamp_tgt_rate_after_time_inc: false", 5, func(bool) bool { return false })
	})

	// The public RDMA simulator's way up: the timer alone, F = 2 as it counts here.
	It("takes one additive step and then hyper increase for ever with hai_stages either", func() {
		_, steps := first(disturbed("900us", "rpg_time_reset: 20us, rpg_byte_reset: 0B, rpg_threshold: 2, "+
			"hai_stages: either, rpg_ai_rate: 20Mbps, rpg_hai_rate: 200Mbps, clamp_tgt_rate: true", "20us", "450us"))
		target, stage, additive, hyper := 0.0, 0, 0, 0
		for _, s := range steps[1:] {
			switch {
			case s.After.Rate < s.Before.Rate:
				target, stage = bits(s.Before.Rate), 0
			case s.Event.Kind == cc.EventTimer && s.After.Rate > s.Before.Rate:
				switch stage++; stage {
				case 1:
				case 2:
					additive++
					target += 20e6
				default:
					hyper++
					target += 200e6
				}
				Expect(bits(s.After.Rate)).To(near((target+bits(s.Before.Rate))/2), "stage %d at %v", stage, s.Event.Now)
			}
		}
		Expect(additive).To(BeNumerically(">=", 2))
		Expect(hyper).To(BeNumerically(">=", 20))
	})

	DescribeTable("bounds what is in flight by", func(rule string, window func(cc.Facts, unit.BitRate) unit.Bytes) {
		facts, steps := first(disturbed("100us", "rpg_time_reset: 20us, window: "+rule, "20us"))
		Expect(cuts(steps)).NotTo(BeEmpty())
		for _, s := range steps {
			Expect(float64(s.After.Window)).To(BeNumerically("~", float64(window(facts, s.After.Rate)), 1))
		}
	},
		Entry("nothing with window off", "off", func(cc.Facts, unit.BitRate) unit.Bytes { return 0 }),
		Entry("line rate times base RTT with window fixed", "fixed",
			func(f cc.Facts, _ unit.BitRate) unit.Bytes { return f.LineRate.BytesIn(f.BaseRTT) }),
		Entry("its rate times window_rtt with window rate", "rate, window_rtt: 9us",
			func(_ cc.Facts, r unit.BitRate) unit.Bytes { return r.BytesIn(9 * unit.Microsecond) }),
	)

	It("hears a CNP each min_time_between_cnps at most, and each as marks keep coming", func() {
		_, steps := first(disturbed("200us", "rpg_time_reset: 1s, rpg_min_dec_fac: 99, min_time_between_cnps: 6us",
			"20us"))
		cnps := of(cc.EventCNP, steps)
		Expect(len(cnps)).To(BeNumerically(">=", 5))
		for i := range cnps[1:] {
			Expect(gap(&cnps[i], &cnps[i+1])).To(BeNumerically(">=", 6*unit.Microsecond))
			Expect(gap(&cnps[i], &cnps[i+1])).To(BeNumerically("<", 7*unit.Microsecond))
		}
	})
})
