package rules

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

var _ = Describe("DCQCN's extensions", Label("dcqcn", "options"), func() {
	const set = "set: paper, "

	// The RTT is the ACKs' samples, smoothed as a TCP's: 7/8 of the old, 1/8 of the
	// new (RFC 6298, section 2).
	perRTT := func(more string, step func(line, rate float64) float64) {
		facts, steps := first(disturbed("400us", set+"recovery: rtt"+more, "20us", "200us"))
		line := bits(facts.LineRate)
		rtt, sampled := facts.BaseRTT, false
		var due unit.Time
		rises := 0
		for _, s := range steps[1:] {
			switch s.Event.Kind {
			case cc.EventAck:
				if sampled {
					rtt += (s.Event.RTT - rtt) / 8
				} else {
					rtt, sampled = s.Event.RTT, true
				}
			case cc.EventCNP:
				due = s.Event.Now.Add(rtt)
			case cc.EventTimer:
				rises++
				ExpectWithOffset(1, s.Event.Now).To(Equal(due), "a step per RTT")
				ExpectWithOffset(1, bits(s.After.Rate)).To(near(min(line,
					bits(s.Before.Rate)+step(line, bits(s.Before.Rate)))))
				due = due.Add(rtt)
			}
		}
		ExpectWithOffset(1, rises).To(BeNumerically(">=", 10))
	}
	It("rise by rtt_share of the line rate for each RTT without a CNP", func() {
		perRTT("", func(line, _ float64) float64 { return line * params("dcqcn", nil).Number("rtt_share") / 100 })
	})
	It("rise by rtt_share of the rate for each RTT with rtt_step factor", func() {
		perRTT(", rtt_step: factor", func(_, rate float64) float64 {
			return rate * params("dcqcn", nil).Number("rtt_share") / 100
		})
	})

	It("scale the step by the RTT that a CNP brings back, over 10 us", func() {
		facts, steps := first(disturbed("400us", set+"recovery: rtt, rtt_in_cnp: true", "20us", "200us"))
		line, part := bits(facts.LineRate), params("dcqcn", nil).Number("rtt_share")/100
		var rtt unit.Duration
		var due unit.Time
		rises := 0
		for _, s := range steps[1:] {
			switch s.Event.Kind {
			case cc.EventCNP:
				rtt = s.Event.RTT
				Expect(rtt).To(BeNumerically(">", facts.BaseRTT-unit.Nanosecond)) // on the wire in whole ns
				due = s.Event.Now.Add(rtt)
			case cc.EventTimer:
				rises++
				Expect(s.Event.Now).To(Equal(due))
				Expect(bits(s.After.Rate)).To(near(min(line, bits(s.Before.Rate)+part*line*rtt.Microseconds()/10)))
				due = due.Add(rtt)
			}
		}
		Expect(rises).To(BeNumerically(">=", 5))
	})

	It("rise by rir_step at each tick of the NIC's one clock", func() {
		_, steps := first(disturbed("900us", set+"recovery: rir", "20us", "330us"))
		p := params("dcqcn", nil)
		rises := 0
		for _, s := range of(cc.EventTimer, steps) {
			rises++
			Expect(int64(s.Event.Now) % int64(p.Duration("rir_period"))).To(BeZero())
			Expect(bits(s.After.Rate)).To(near(bits(s.Before.Rate) + bits(p.Rate("rir_step"))))
		}
		Expect(rises).To(Equal(8))
	})

	It("handle a CNP after a random time of up to cnp_jitter", func() {
		_, steps := first(disturbed("600us", set+"rpg_time_reset: 1s, cnp_jitter: 20us", "20us", "150us", "300us",
			"450us"))
		var heard unit.Time
		var least, most unit.Duration = unit.Second, 0
		for _, s := range steps {
			if s.Event.Kind == cc.EventCNP {
				heard = s.Event.Now
			}
			if s.After.Rate < s.Before.Rate {
				least, most = min(least, s.Event.Now.Sub(heard)), max(most, s.Event.Now.Sub(heard))
			}
		}
		Expect(least).To(BeNumerically(">=", 0))
		Expect(most).To(BeNumerically("<=", 20*unit.Microsecond))
		Expect(most - least).To(BeNumerically(">", 5*unit.Microsecond))
	})

	It("move the first step after a cut by up to recovery_jitter RTTs, to either side", func() {
		facts, steps := first(disturbed("900us", set+"recovery_jitter: 1",
			"20us", "120us", "220us", "320us", "420us", "520us", "620us", "720us", "820us"))
		const timer = 55 * unit.Microsecond // rpg_time_reset of set paper
		longest := facts.BaseRTT
		for _, s := range of(cc.EventAck, steps) {
			longest = max(longest, s.Event.RTT)
		}
		var cut unit.Time
		early, late := 0, 0
		for _, s := range steps {
			switch {
			case s.Event.Kind == cc.EventCNP:
				cut = s.Event.Now
			case s.Event.Kind == cc.EventTimer && cut != 0:
				off := s.Event.Now.Sub(cut.Add(timer))
				Expect(max(off, -off)).To(BeNumerically("<=", longest))
				if off < 0 {
					early++
				} else if off > 0 {
					late++
				}
				cut = 0
			}
		}
		Expect(early).To(BeNumerically(">=", 1))
		Expect(late).To(BeNumerically(">=", 1))
	})

	// alpha = (1-g) alpha + g F, F the CNPs per packet of each alpha period. The
	// first CNP sets alpha and opens the first period; it is not counted.
	It("average the CNPs per packet with alpha fraction", func() {
		facts, steps := first(disturbed("900us",
			set+"alpha: fraction, min_time_between_cnps: 1us, alpha_period: 10us", "20us", "300us", "600us"))
		const g = 1.0 / 16
		alpha, opened, cnpsIn, acked := 0.0, unit.Time(0), 0.0, unit.Bytes(0)
		cutsSeen := 0
		for _, s := range steps {
			switch s.Event.Kind {
			case cc.EventAck:
				if acked += s.Event.Acked; opened != 0 && acked > 0 && s.Event.Now.Sub(opened) >= 10*unit.Microsecond {
					f := min(1, cnpsIn*float64(facts.MTU)/float64(acked))
					alpha = (1-g)*alpha + g*f
					opened, cnpsIn, acked = s.Event.Now, 0, 0
				}
			case cc.EventCNP:
				if opened == 0 {
					alpha, opened, acked = 1, s.Event.Now, 0
				} else {
					cnpsIn++
				}
				cutsSeen++
				Expect(share(&s)).To(BeNumerically("~", 1-alpha/2, 1e-4), "at %v", s.Event.Now)
			}
		}
		Expect(cutsSeen).To(BeNumerically(">=", 5))
	})
})
