package rules

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/inband"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/eventlog"
)

// stamped is n flows under HPCC over three switches, with an uplink of half the
// hosts' rate.
func stamped(n int, params, until string) string {
	return fmt.Sprintf(`
algorithm: {name: hpcc, params: {%s}}
topology: {kind: leaf-spine, leaves: 2, spines: 1, hosts_per_leaf: %d, uplink_rate: 50Gbps}
traffic: [{kind: incast, senders: %d, receiver: h%d}]
run: {until: %s}
`, params, n, n, n, until)
}

// hpcc is Algorithm 1 of the paper, or the public simulator's like of it for a rate:
// there x, xc and ai are bit/s, here bytes.
type hpcc struct {
	eta, maxStage, ai float64
	least, most       float64 // of x
	t                 float64 // T, ps
	last              inband.Stack
	heard             bool
	una, nxt, until   unit.Bytes
	// one is the state of the most loaded link, each that of every link.
	one  reference
	each [inband.MaxHops]reference
}

type reference struct {
	u, xc, stage float64
}

// link returns the content of two records of a link: u' and the time between them, 0 for none.
func (h *hpcc) link(i int, r inband.Record) (u, tau float64) {
	before := h.last.Record[i]
	dt, sent := r.Since(before)
	if dt <= 0 {
		return 0, 0
	}
	h.last.Record[i] = r
	b := float64(r.Rate())
	txRate := float64(sent) * 8e12 / float64(dt)
	return float64(min(r.Queue(), before.Queue()))*8e12/(b*h.t) + txRate/b, float64(dt)
}

// wind is ComputeWind. It returns the new x and the branch.
func (h *hpcc) wind(s *reference, update bool) (x float64, branch string) {
	stage := s.stage + 1
	x, branch = s.xc+h.ai, "additive"
	if s.u >= h.eta || s.stage >= h.maxStage {
		branch = "over"
		if s.u < h.eta {
			branch = "staged"
		}
		x, stage = s.xc/(s.u/h.eta)+h.ai, 0
	}
	switch {
	case x > h.most:
		x, branch = h.most, "most"
	case x < h.least:
		x, branch = h.least, "least"
	}
	if update {
		s.xc, s.stage = x, stage
	}
	return x, branch
}

// ack is NewAck: it returns the expected x, 0 if the ACK has no effect.
func (h *hpcc) ack(e *cc.Event, multi bool) (x float64, branch string, over bool) {
	h.una += e.Acked
	h.nxt = h.una + e.Inflight
	if !h.heard {
		h.heard, h.last, h.until = true, e.INT, h.nxt
		return 0, "", false
	}
	over = h.una > h.until
	if multi {
		x = h.most
		for i, r := range e.INT.Records() {
			s := &h.each[i]
			here, b := s.xc, "each"
			if u, tau := h.link(i, r); tau > 0 {
				w := min(tau, h.t) / h.t
				s.u = (1-w)*s.u + w*u
				here, b = h.wind(s, over)
			}
			if here < x {
				x, branch = here, b
			}
		}
	} else {
		var u, tau float64
		for i, r := range e.INT.Records() {
			if u1, tau1 := h.link(i, r); u1 > u || tau == 0 {
				u, tau = u1, tau1
			}
		}
		if tau == 0 {
			return 0, "", false
		}
		w := min(tau, h.t) / h.t
		h.one.u = (1-w)*h.one.u + w*u
		x, branch = h.wind(&h.one, over)
	}
	if over {
		h.until = max(h.until, h.nxt)
	}
	return x, branch, over
}

var _ = Describe("HPCC", Label("hpcc"), func() {
	type due struct {
		*eventlog.Step
		x      float64
		branch string
		over   bool
	}
	follow := func(scenario string, given map[string]string, ai float64) (list []due, facts cc.Facts) {
		facts, steps := first(scenario)
		p := params("hpcc", given)
		t := float64(facts.BaseRTT)
		line := bits(facts.LineRate)
		h := &hpcc{
			eta:      p.Number("eta"),
			maxStage: p.Number("max_stage"),
			ai:       ai,
			t:        t,
			most:     line,
			least:    bits(p.Rate("min_rate")),
		}
		if p.Choice("form") == "window" {
			h.most, h.least = h.most*t/8e12, h.least*t/8e12
		}
		h.one = reference{u: p.Number("initial_u"), xc: h.most}
		for i := range h.each {
			h.each[i] = h.one
		}
		for i := range steps {
			if s := &steps[i]; s.Event.Kind == cc.EventAck {
				if x, branch, over := h.ack(&s.Event, p.Switch("multi_rate")); x > 0 {
					list = append(list, due{s, x, branch, over})
				}
			}
		}
		return list, facts
	}
	does := func(scenario string, given map[string]string, branch string, atLeast int) {
		list, _ := follow(scenario, given, 80) // W_AI of the paper's section 5.1
		n := 0
		for i, d := range list {
			if d.branch == branch {
				n++
				ExpectWithOffset(1, float64(d.After.Window)).To(BeNumerically("~", d.x, 1), "ACK %d at %v", i,
					d.Event.Now)
			}
		}
		ExpectWithOffset(1, n).To(BeNumerically(">=", atLeast))
	}

	It("begins with line rate times T in flight", func() {
		facts, steps := first(stamped(2, "", "30us"))
		Expect(steps[0].After.Rate).To(Equal(facts.LineRate))
		Expect(float64(steps[0].After.Window)).To(BeNumerically("~", float64(facts.LineRate.BytesIn(facts.BaseRTT)),
			1))
	})
	It("sets W to Wc / (U/eta) + W_AI where the most loaded link is above eta",
		func() { does(stamped(4, "", "500us"), nil, "over", 50) })
	It("adds W_AI alone below eta", func() { does(stamped(4, "", "500us"), nil, "additive", 50) })
	It("sets W to Wc / (U/eta) + W_AI after max_stage rounds below eta, too", func() {
		does(stamped(1, "max_stage: 1", "1ms"), map[string]string{"max_stage": "1"}, "staged", 20)
	})
	It("lets no more than W_init into flight", func() {
		does(stamped(1, "initial_u: 0, w_ai: 80B", "60us"), map[string]string{"initial_u": "0"}, "most", 1)
	})
	It("goes no lower than min_rate times T", func() {
		does(stamped(4, "min_rate: 14Gbps", "300us"), map[string]string{"min_rate": "14Gbps"}, "least", 20)
	})

	It("moves its reference once in a round trip", func() {
		list, facts := follow(stamped(4, "", "500us"), nil, 80)
		rounds := 0
		for _, d := range list {
			Expect(float64(d.After.Window)).To(BeNumerically("~", d.x, 1))
			if d.over {
				rounds++
			}
		}
		Expect(len(list)).To(BeNumerically(">", 3*rounds))
		Expect(rounds).To(BeNumerically(">=", 10))
		Expect(facts.BaseRTT).To(BeNumerically(">", 0))
	})

	It("paces at W/T", func() {
		facts, steps := first(stamped(4, "", "300us"))
		for _, s := range of(cc.EventAck, steps) {
			Expect(bits(s.After.Rate)).To(BeNumerically("~",
				min(bits(facts.LineRate), float64(s.After.Window)*8/facts.BaseRTT.Seconds()), 2e6))
		}
	})

	DescribeTable("in form rate sets R to what", func(more string, given map[string]string) {
		given["form"] = "rate"
		list, facts := follow(stamped(4, "form: rate"+more, "500us"), given, 100e9/2500)
		over := 0
		for i, d := range list {
			Expect(bits(d.After.Rate)).To(BeNumerically("~", d.x, 1000), "ACK %d", i)
			Expect(float64(d.After.Window)).To(BeNumerically("~", bits(d.After.Rate)*facts.BaseRTT.Seconds()/8, 2))
			if d.branch == "over" {
				over++
			}
		}
		Expect(over).To(BeNumerically(">=", 20))
	},
		Entry("the most loaded link allows", "", map[string]string{}),
		Entry("the tightest link allows, each with a rate of its own", ", multi_rate: true",
			map[string]string{"multi_rate": "true"}),
	)
})
