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

// disturbed is a flow under DCQCN that shares its port with bursts of 100 Gb/s, of
// 8 us each, that start at the given times. Each makes a queue above the threshold
// of marking, and so CNPs for the flow alone: the bursts are not ECN-capable.
func disturbed(until, params string, bursts ...string) string {
	b := &strings.Builder{}
	fmt.Fprintf(b, `
topology: {kind: star, hosts: 3}
switch: {ecn: {kmin: 10KB, kmax: 10KB, pmax: 1}}
run: {until: %s}
traffic:
  - {name: flow, from: h0, to: h2, algorithm: {name: dcqcn, params: {%s}}}
`, until, params)
	for i, at := range bursts {
		fmt.Fprintf(b, "  - {name: burst%d, from: h1, to: h2, start: %s, duration: 8us, algorithm: fixed}\n", i, at)
	}
	return b.String()
}

// of returns the steps of one kind of event.
func of(kind cc.EventKind, steps []eventlog.Step) (list []eventlog.Step) {
	for _, s := range steps {
		if s.Event.Kind == kind {
			list = append(list, s)
		}
	}
	return list
}

// gap is the time between two events.
func gap(a, b *eventlog.Step) unit.Duration { return b.Event.Now.Sub(a.Event.Now) }

// cuts returns the steps after which the rate is lower.
func cuts(steps []eventlog.Step) (list []eventlog.Step) {
	for _, s := range steps {
		if s.After.Rate < s.Before.Rate {
			list = append(list, s)
		}
	}
	return list
}

var _ = Describe("DCQCN as in the paper", Label("dcqcn"), func() {
	const set = "set: paper"
	given := func(more map[string]string) cc.Params {
		all := map[string]string{"set": "paper"}
		for k, v := range more {
			all[k] = v
		}
		return params("dcqcn", all)
	}
	// The paper's constants, which the description documents in words.
	const (
		period = 55 * unit.Microsecond // K and the increase timer
		ai     = 40e6
		hai    = 400e6
		f      = 5
	)

	It("runs at line rate, without a timer, until its first CNP", func() {
		facts, steps := first(disturbed("200us", set, "100us"))
		Expect(steps[0].Event.Kind).To(Equal(cc.EventStart))
		Expect(steps[0].After.Rate).To(Equal(facts.LineRate))
		Expect(steps[0].After.WakeAt).To(BeZero())
		Expect(steps[0].After.WakeBytes).To(BeZero())
		Expect(steps[1].Event.Kind).To(Equal(cc.EventCNP))
	})

	// R_C = R_C (1 - alpha/2), section 3.2, equation 1.
	It("cuts by alpha/2 at the first CNP, alpha being initial_alpha", func() {
		for _, alpha := range []string{"1", "0.5"} {
			_, steps := first(disturbed("200us", set+", initial_alpha: "+alpha, "100us"))
			p := given(map[string]string{"initial_alpha": alpha})
			cnp := of(cc.EventCNP, steps)[0]
			Expect(share(&cnp)).To(BeNumerically("~", 1-p.Number("initial_alpha")/2, 1e-6))
		}
	})

	// alpha = (1-g) alpha + g at each CNP: with the bursts 52 us apart none comes
	// K = 55 us after the one before.
	It("raises alpha to (1-g) alpha + g with each CNP", func() {
		const initial, g = 0.25, 0.25
		_, steps := first(disturbed("300us", set+", initial_alpha: 0.25, g: 0.25", "20us", "72us", "124us", "176us"))
		cnps := of(cc.EventCNP, steps)
		Expect(len(cnps)).To(BeNumerically(">=", 4))
		alpha := initial
		for i := range cnps[:4] {
			if i > 0 {
				Expect(gap(&cnps[i-1], &cnps[i])).To(BeNumerically("<", period))
				alpha = (1-g)*alpha + g
			}
			Expect(share(&cnps[i])).To(BeNumerically("~", 1-alpha/2, 1e-6), "CNP %d", i)
		}
	})

	// alpha = (1-g) alpha for each K without a CNP, equation 2.
	It("lets alpha decay by g for each alpha period without a CNP", func() {
		const g = 0.25
		_, steps := first(disturbed("900us", set+", g: 0.25", "20us", "300us", "800us"))
		cnps := of(cc.EventCNP, steps)
		alpha, longest := 1.0, 0.0
		for i := range cnps {
			if i > 0 {
				silent := math.Floor(float64(gap(&cnps[i-1], &cnps[i])-1) / float64(period))
				longest = max(longest, silent)
				alpha = math.Pow(1-g, silent) * ((1-g)*alpha + g)
			}
			Expect(share(&cnps[i])).To(BeNumerically("~", 1-alpha/2, 1e-6), "CNP %d", i)
		}
		Expect(longest).To(BeNumerically(">=", 4))
	})

	// The climb after a cut, step by step, as section 3.2 has it.
	climb := func(more string, p map[string]string, until string, bursts ...string) (
		steps []eventlog.Step, want []float64, kinds []string) {
		facts, all := first(disturbed(until, set+more, bursts...))
		q := given(p)
		threshold, a, h := float64(f), float64(ai), float64(hai)
		if q.Given("rpg_threshold") {
			threshold = q.Number("rpg_threshold")
		}
		if q.Given("rpg_ai_rate") {
			a = float64(q.Rate("rpg_ai_rate"))
		}
		if q.Given("rpg_hai_rate") {
			h = float64(q.Rate("rpg_hai_rate"))
		}
		var rc, rt, byTime, byBytes float64
		for _, s := range all[1:] {
			kind := "cut"
			switch s.Event.Kind {
			case cc.EventCNP:
				rt, rc, byTime, byBytes = bits(s.Before.Rate), bits(s.After.Rate), 0, 0
			case cc.EventTimer, cc.EventSent:
				if byTime++; s.Event.Kind == cc.EventSent {
					byTime--
					byBytes++
				}
				switch least, most := min(byTime, byBytes), max(byTime, byBytes); {
				case most < threshold:
					kind = "fast"
				case least > threshold:
					kind = "hyper"
					rt += (least - threshold + 1) * h
				default:
					kind = "additive"
					rt += a
				}
				if rt > bits(facts.LineRate) {
					kind, rt = "bounded", bits(facts.LineRate)
				}
				rc = (rt + rc) / 2
			}
			steps, want, kinds = append(steps, s), append(want, rc), append(kinds, kind)
		}
		return steps, want, kinds
	}
	climbs := func(steps []eventlog.Step, want []float64, kinds []string, kind string, atLeast int) {
		n := 0
		for i := range steps {
			if kinds[i] == kind {
				n++
				ExpectWithOffset(1, bits(steps[i].After.Rate)).To(near(want[i]), "step %d at %v", i,
					steps[i].Event.Now)
			}
		}
		ExpectWithOffset(1, n).To(BeNumerically(">=", atLeast), "steps of this kind: %v", kinds)
	}

	It("climbs half of the way to the rate before the cut with each stage below F", func() {
		steps, want, kinds := climb("", nil, "400us", "20us", "72us")
		climbs(steps, want, kinds, "fast", 4)
	})

	It("raises the target by R_AI once a stage has reached F", func() {
		steps, want, kinds := climb(", rpg_ai_rate: 100Mbps", map[string]string{"rpg_ai_rate": "100Mbps"}, "700us",
			"20us", "60us")
		climbs(steps, want, kinds, "additive", 5)
	})

	const hyper = ", rpg_threshold: 2, rpg_byte_reset: 300KB, rpg_hai_rate: 300Mbps"
	hyperParams := map[string]string{"rpg_threshold": "2", "rpg_byte_reset": "300KB", "rpg_hai_rate": "300Mbps"}

	It("raises the target by i R_HAI once both stages are beyond F", func() {
		steps, want, kinds := climb(hyper, hyperParams, "500us", "20us", "72us")
		climbs(steps, want, kinds, "hyper", 5)
	})

	It("never raises the target beyond the line rate", func() {
		steps, want, kinds := climb(hyper+", initial_alpha: 0.1, rpg_ai_rate: 20Gbps",
			map[string]string{"rpg_threshold": "2", "rpg_byte_reset": "300KB", "rpg_hai_rate": "300Mbps",
				"rpg_ai_rate": "20Gbps"}, "500us", "20us")
		climbs(steps, want, kinds, "bounded", 2)
	})

	It("counts a stage for each period of its timer, and for each so many bytes, since the cut", func() {
		_, steps := first(disturbed("500us", set+hyper, "20us", "250us"))
		p := given(hyperParams)
		var cut, at unit.Time
		var from unit.Bytes
		cutsSeen, timers, counters := 0, 0, 0
		for _, s := range steps[1:] {
			switch s.Event.Kind {
			case cc.EventCNP:
				cut, at, from = s.Event.Now, 0, s.Event.Sent
				cutsSeen++
			case cc.EventTimer:
				if at == 0 {
					at = cut
				}
				Expect(s.Event.Now).To(Equal(at.Add(period)))
				at = s.Event.Now
				timers++
			case cc.EventSent:
				Expect(s.Event.Sent - from).To(BeNumerically(">=", p.Bytes("rpg_byte_reset")))
				Expect(s.Event.Sent - from).To(BeNumerically("<", p.Bytes("rpg_byte_reset")+2*1082))
				from += p.Bytes("rpg_byte_reset")
				counters++
			}
		}
		Expect(cutsSeen).To(BeNumerically(">=", 2))
		Expect(min(timers, counters)).To(BeNumerically(">=", 5))
	})

	It("goes no lower than rpg_min_rate", func() {
		_, steps := first(disturbed("250us", set+", rpg_min_rate: 60Gbps", "20us", "72us", "124us"))
		floor := given(map[string]string{"rpg_min_rate": "60Gbps"}).Rate("rpg_min_rate")
		least := steps[0].After.Rate
		for _, s := range steps {
			least = min(least, s.After.Rate)
		}
		Expect(least).To(Equal(floor))
	})
})
