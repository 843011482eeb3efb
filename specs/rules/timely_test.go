package rules

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/eventlog"
)

// delayed is n flows of TIMELY's into one port, one of them half a millisecond late.
func delayed(n int, params, until string) string {
	return fmt.Sprintf(`
algorithm: {name: timely, params: {%s}}
topology: {kind: star, hosts: %d}
traffic:
  - {kind: incast, senders: %d, receiver: h%d}
  - {name: late, from: h%d, to: h%d, start: 300us, duration: 300us}
run: {until: %s}
`, params, n+2, n, n+1, n, n+1, until)
}

var _ = Describe("TIMELY", Label("timely"), func() {
	// due is an update of the rate and what it must come to.
	type due struct {
		*eventlog.Step
		branch   string
		rate     float64 // bit/s
		gradient float64
	}
	// follow is Algorithm 1, and Algorithm 2 of CoNEXT 2016 with patched.
	follow := func(scenario string, given map[string]string) (list []due) {
		facts, steps := first(scenario)
		p := params("timely", given)
		base, line := float64(facts.BaseRTT), bits(facts.LineRate)
		// Set fabric, in multiples of the flow's base RTT; the paper's constants.
		low, high, unitRTT, floor := 2*base, 12*base, base, 0.5
		if p.Choice("set") == "paper" {
			us := float64(unit.Microsecond)
			low, high, unitRTT, floor = 50*us, 500*us, 20*us, 0
		}
		for name, to := range map[string]*float64{"t_low": &low, "t_high": &high, "d_min_rtt": &unitRTT} {
			if p.Given(name) {
				*to = float64(p.Duration(name))
			}
		}
		patched, byIncreases := p.Choice("variant") == "patched", p.Choice("hai_stage") == "increases"
		beta, delta, many := 0.8, line/1000, int(p.Number("hai_threshold"))
		if patched {
			beta = 0.008
		}
		if p.Given("beta") {
			beta = p.Number("beta")
		}
		if p.Given("gradient_floor") {
			floor = p.Number("gradient_floor")
		}
		if p.Given("delta") {
			delta = bits(p.Rate("delta"))
		}
		acked, until := unit.Bytes(0), max(p.Bytes("segment")-1, 0)
		var before, diff float64
		var falls, rises int
		for i := range steps {
			s := &steps[i]
			acked += s.Event.Acked
			rtt := float64(s.Event.EchoedRTT())
			if s.Event.Kind != cc.EventAck || rtt <= 0 || acked <= until {
				continue
			}
			until = acked + s.Event.Inflight
			if p.Choice("update") == "completion" {
				until = acked + max(p.Bytes("segment")-1, 0)
			}
			change := rtt - before
			if before == 0 {
				before = rtt
				continue // the first sample has no predecessor
			}
			before = rtt
			diff = (1-p.Number("alpha"))*diff + p.Number("alpha")*change
			if falls++; change >= 0 {
				falls = 0
			}
			g, rate, branch := diff/unitRTT, bits(s.Before.Rate), ""
			step := delta
			switch {
			case patched:
			case byIncreases && rises >= many, !byIncreases && falls >= many:
				step = 5 * delta
			}
			switch {
			case rtt < low:
				branch = "low"
				if !byIncreases {
					step = delta
				}
				rate += step
				rises++
			case rtt > high:
				branch, rises = "high", 0
				rate *= 1 - p.Number("beta_high")*(1-high/rtt)
			case patched:
				w := min(max(2*g+0.5, 0), 1)
				branch = "patched"
				rate = delta*(1-w) + rate*(1-beta*w*(rtt-low)/low)
			case g <= 0:
				branch = "falling"
				if step > delta {
					branch = "hyperactive"
				}
				rate += step
				rises++
			default:
				branch, rises = "growing", 0
				if rate *= max(1-beta*g, floor); 1-beta*g < floor {
					branch = "floor"
				}
			}
			if branch == "low" && step > delta {
				branch = "hyperactive"
			}
			list = append(list, due{s, branch, min(max(rate, bits(p.Rate("min_rate"))), line), g})
		}
		return list
	}
	// does follows a scenario of four flows and wants the updates of one kind right.
	does := func(more, branch string, atLeast int) []due {
		given := map[string]string{}
		for pair := range strings.SplitSeq(more, ", ") {
			name, value, _ := strings.Cut(pair, ": ")
			given[name] = value
		}
		list := follow(delayed(4, more, "2ms"), given)
		n := map[string]int{}
		for i, d := range list {
			if n[d.branch]++; d.branch == branch {
				ExpectWithOffset(1, bits(d.After.Rate)).To(near(d.rate), "%s, update %d at %v", branch, i,
					d.Event.Now)
			}
		}
		ExpectWithOffset(1, n[branch]).To(BeNumerically(">=", atLeast), "%v", n)
		return list
	}
	// quick makes flows begin below the port's rate and swing about it, since the queue of a start at line rate is far
	// above T_high.
	const quick = "initial_rate: 20Gbps, delta: 1Gbps, t_low: 5us"

	It("begins at line rate, without a window", func() {
		facts, steps := first(delayed(1, "", "20us"))
		Expect(steps[0].After.Rate).To(Equal(facts.LineRate))
		Expect(steps[0].After.Window).To(BeZero())
	})
	It("adds delta below T_low", func() { does("initial_rate: 20Gbps, t_low: 10us", "low", 5) })
	It("cuts by beta (1 - T_high/RTT) above T_high", func() { does("t_high: 20us", "high", 3) })
	It("adds delta between them while the RTT falls", func() { does(quick, "falling", 5) })
	It("cuts by beta times the gradient while the RTT grows", func() { does(quick, "growing", 5) })
	It("leaves gradient_floor at least", func() { does("t_high: 500us", "floor", 1) })
	It("adds N delta from the fifth fall of the RTT in a row",
		func() { does(quick+", hai_threshold: 2", "hyperactive", 2) })
	It("adds N delta from the fifth increase in a row with hai_stage increases", func() {
		does(quick+", hai_stage: increases", "hyperactive", 5)
	})
	It("keeps to the paper's constants with set paper", func() {
		does("set: paper, initial_rate: 30Gbps, delta: 1Gbps", "low", 5)
		does("set: paper, initial_rate: 30Gbps, delta: 1Gbps", "growing", 5)
		does("set: paper, gradient_floor: 1", "high", 1)
	})
	It("weighs gradient and distance from the reference together when patched", func() {
		list := does("variant: patched, initial_rate: 24Gbps, t_low: 5us, delta: 300Mbps, beta: 0.1", "patched", 20)
		inside, up, down := 0, 0, 0
		for _, d := range list {
			if g := d.gradient; d.branch == "patched" && g > -0.25 && g < 0.25 {
				inside++
			}
			if d.After.Rate > d.Before.Rate {
				up++
			} else {
				down++
			}
		}
		Expect(min(inside, up, down)).To(BeNumerically(">=", 3))
	})

	It("updates once in a round trip", func() {
		list := follow(delayed(4, "", "1ms"), nil)
		moved := map[unit.Time]bool{}
		for _, d := range list {
			moved[d.Event.Now] = true
		}
		_, steps := first(delayed(4, "", "1ms"))
		quiet := 0
		for _, s := range of(cc.EventAck, steps) {
			if !moved[s.Event.Now] {
				quiet++
				Expect(s.After.Rate).To(Equal(s.Before.Rate))
			}
		}
		Expect(quiet).To(BeNumerically(">", 3*len(list)))
	})
	It("updates once a segment with update completion", func() {
		given := map[string]string{"update": "completion", "segment": "16KB"}
		list := follow(delayed(4, "update: completion, segment: 16KB", "1ms"), given)
		for i, d := range list {
			Expect(bits(d.After.Rate)).To(near(d.rate), "update %d", i)
		}
		Expect(len(list)).To(BeNumerically(">=", 10))
	})

	DescribeTable("bounds what is in flight by", func(rule string, window func(cc.Facts, unit.BitRate) unit.Bytes) {
		facts, steps := first(delayed(4, "window: "+rule, "300us"))
		changed := 0
		for _, s := range of(cc.EventAck, steps) {
			if s.After.Rate != s.Before.Rate {
				changed++
				Expect(float64(s.After.Window)).To(BeNumerically("~", float64(window(facts, s.After.Rate)), 1))
			}
		}
		Expect(changed).To(BeNumerically(">=", 3))
	},
		Entry("line rate times base RTT with window fixed", "fixed",
			func(f cc.Facts, _ unit.BitRate) unit.Bytes { return f.LineRate.BytesIn(f.BaseRTT) }),
		Entry("its rate times base RTT with window rate", "rate",
			func(f cc.Facts, r unit.BitRate) unit.Bytes { return r.BytesIn(f.BaseRTT) }),
		Entry("its rate times window_rtt where that is given", "rate, window_rtt: 9us",
			func(_ cc.Facts, r unit.BitRate) unit.Bytes { return r.BytesIn(9 * unit.Microsecond) }),
	)

	It("goes no lower than min_rate", func() {
		_, steps := first(delayed(8, "min_rate: 17Gbps", "500us"))
		least := steps[0].After.Rate
		for _, s := range steps {
			least = min(least, s.After.Rate)
		}
		Expect(least).To(Equal(17 * unit.Gbps))
	})
})
