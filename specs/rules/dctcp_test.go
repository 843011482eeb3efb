package rules

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/eventlog"
)

// marked is n flows under DCTCP into one port that marks above one threshold.
func marked(n int, params, until string) string {
	return fmt.Sprintf(`
algorithm: {name: dctcp, params: {%s}}
topology: {kind: star, hosts: %d}
switch: {ecn: {kmin: 30KB, kmax: 30KB, pmax: 1}}
traffic: [{kind: incast}]
run: {until: %s}
`, params, n+1, until)
}

// window of data of DCTCP's, and what a sender reckons for it, worked out from what
// its ACKs say (form rdma).
type dataWindow struct {
	una, nxt, begun unit.Bytes
	marks, batch    float64
	alpha           float64
	reduced         bool       // in state CWR
	high            unit.Bytes // until this is acknowledged
}

// ack takes in an ACK. It reports whether a window of data ended with it; a cut is due if it is marked and the sender
// not in state CWR.
func (w *dataWindow) ack(e *cc.Event, mtu unit.Bytes, g float64) (ended, cut bool) {
	w.una += e.Acked
	w.nxt = w.una + e.Inflight
	if e.CE {
		w.marks += float64(e.Acked) / float64(mtu)
	}
	if ended = w.una > w.begun; ended {
		if w.begun > 0 {
			w.alpha = (1-g)*w.alpha + g*min(1, w.marks/w.batch)
			w.marks = 0
			w.batch = float64((w.nxt-w.una)/mtu) + 1
		} else {
			w.batch = float64(w.nxt/mtu) + 1 // the first ACK ends none: it begins one
		}
		w.begun = w.nxt
	}
	if w.reduced && w.una > w.high {
		w.reduced = false
	}
	if cut = e.CE && !w.reduced; cut {
		w.reduced, w.high = true, w.nxt
	}
	return ended, cut
}

var _ = Describe("DCTCP", Label("dctcp"), func() {
	// walk calls look for each ACK with the due changes.
	type look func(facts cc.Facts, s *eventlog.Step, w *dataWindow, ended, cut bool)
	walk := func(scenario string, p cc.Params, look look) {
		facts, steps := first(scenario)
		w := &dataWindow{alpha: p.Number("initial_alpha")}
		for i := range steps {
			if steps[i].Event.Kind == cc.EventAck {
				ended, cut := w.ack(&steps[i].Event, facts.MTU, p.Number("g"))
				look(facts, &steps[i], w, ended, cut)
			}
		}
	}

	It("begins at line rate", func() {
		facts, steps := first(marked(2, "", "20us"))
		Expect(steps[0].After.Rate).To(Equal(facts.LineRate))
	})

	// alpha = (1-g) alpha + g F, equation 1, and R = R (1 - alpha/2).
	It("cuts by alpha/2, alpha the running mean of the marked share of each window of data", func() {
		n, least, most := 0, 1.0, 0.0
		walk(marked(4, "g: 0.25", "2ms"), params("dctcp", map[string]string{"g": "0.25"}),
			func(_ cc.Facts, s *eventlog.Step, w *dataWindow, ended, cut bool) {
				if cut {
					n++
					least, most = min(least, w.alpha), max(most, w.alpha)
					Expect(share(s)).To(BeNumerically("~", 1-w.alpha/2, 1e-6))
				}
			})
		Expect(n).To(BeNumerically(">=", 10))
		Expect(most - least).To(BeNumerically(">", 0.1))
	})

	It("halves at the first mark, alpha being initial_alpha", func() {
		for _, alpha := range []string{"1", "0.4"} {
			p := params("dctcp", map[string]string{"initial_alpha": alpha})
			_, steps := first(marked(4, "g: 0, initial_alpha: "+alpha, "100us"))
			cut := cuts(steps)[0]
			Expect(share(&cut)).To(BeNumerically("~", 1-p.Number("initial_alpha")/2, 1e-6))
		}
	})

	It("cuts once for a window of data", func() {
		ignored, obeyed := 0, 0
		walk(marked(4, "", "1ms"), params("dctcp", nil),
			func(_ cc.Facts, s *eventlog.Step, w *dataWindow, ended, cut bool) {
				if !s.Event.CE {
					return
				}
				if cut {
					obeyed++
					Expect(s.After.Rate).To(BeNumerically("<", s.Before.Rate))
				} else {
					ignored++
					Expect(s.After.Rate).To(Equal(s.Before.Rate))
				}
			})
		Expect(obeyed).To(BeNumerically(">=", 10))
		Expect(ignored).To(BeNumerically(">=", 10))
	})

	It("adds one MTU per RTT for a window of data that no cut falls in, and nothing otherwise", func() {
		added := 0
		walk(marked(4, "", "1ms"), params("dctcp", nil),
			func(f cc.Facts, s *eventlog.Step, w *dataWindow, ended, cut bool) {
				switch {
				case ended && !w.reduced && s.Before.Rate < f.LineRate:
					added++
					Expect(bits(s.After.Rate)).To(near(min(bits(f.LineRate),
						bits(s.Before.Rate)+float64(f.MTU)*8/f.BaseRTT.Seconds())))
				case !cut:
					Expect(s.After.Rate).To(Equal(s.Before.Rate))
				}
			})
		Expect(added).To(BeNumerically(">=", 20))
	})

	It("adds ai_rate where it is given, up to line rate", func() {
		_, steps := first(marked(2, "ai_rate: 3Gbps", "1ms"))
		ups, atLine := 0, 0
		for _, s := range steps[1:] {
			if s.After.Rate > s.Before.Rate {
				ups++
				Expect(bits(s.After.Rate)).To(near(min(100e9, bits(s.Before.Rate)+3e9)))
				if s.After.Rate == 100*unit.Gbps {
					atLine++
				}
			}
		}
		Expect(ups).To(BeNumerically(">=", 10))
	})

	DescribeTable("bounds what is in flight by", func(params string, window func(cc.Facts, unit.BitRate) float64) {
		facts, steps := first(marked(4, params, "300us"))
		for _, s := range of(cc.EventAck, steps) {
			Expect(float64(s.After.Window)).To(BeNumerically("~", window(facts, s.After.Rate), 1))
		}
	},
		Entry("a BDP times the share of its rate in the line rate", "",
			func(f cc.Facts, r unit.BitRate) float64 { return float64(r) / 8 * f.BaseRTT.Seconds() }),
		Entry("a BDP with window fixed", "window: fixed",
			func(f cc.Facts, _ unit.BitRate) float64 { return float64(f.LineRate) / 8 * f.BaseRTT.Seconds() }),
		Entry("nothing with window none", "window: none", func(cc.Facts, unit.BitRate) float64 { return 0 }),
	)

	It("goes no lower than min_rate", func() {
		_, steps := first(marked(8, "min_rate: 15Gbps", "300us"))
		least := steps[0].After.Rate
		for _, s := range steps {
			least = min(least, s.After.Rate)
		}
		Expect(least).To(Equal(15 * unit.Gbps))
	})
})

var _ = Describe("DCTCP by its window", Label("dctcp"), func() {
	const form = "form: window"

	// trace follows RFC 8257, section 3.3, over TCP's own rules, and names what each
	// event does to the window.
	type due struct {
		*eventlog.Step
		what string
		cwnd float64
	}
	trace := func(scenario string, g float64) (list []due, facts cc.Facts) {
		facts, steps := first(scenario)
		mtu := float64(facts.MTU)
		cwnd, ssthresh, credit, alpha := 10*mtu, 1e12, 0.0, 1.0
		var una, nxt, end, high unit.Bytes
		var acked, marks float64
		reduced := false
		cut := func(share float64) {
			cwnd = max(cwnd*share, mtu)
			ssthresh, credit, reduced, high = cwnd, 0, true, nxt
		}
		for i := range steps {
			s := &steps[i]
			e := &s.Event
			una += e.Acked
			nxt = una + e.Inflight
			what := "nothing"
			switch e.Kind {
			case cc.EventStart:
				what = "begin"
			case cc.EventAck:
				acked += float64(e.Acked)
				if e.CE {
					marks += float64(e.Acked)
				}
				if una > end && acked > 0 {
					alpha = (1-g)*alpha + g*marks/acked
					end, acked, marks = nxt, 0, 0
				}
				if reduced && una > high {
					reduced = false
				}
				switch used := float64(e.Inflight+e.Acked) >= cwnd; {
				case reduced || !used && !e.CE:
				case e.CE:
					what = "cut"
					cut(1 - alpha/2)
				case cwnd < ssthresh:
					what = "slow start"
					cwnd = min(cwnd+float64(e.Acked), ssthresh)
				default:
					if credit += float64(e.Acked); credit >= cwnd {
						what = "grow"
						credit -= cwnd
						cwnd += mtu
					}
				}
			case cc.EventNak:
				if reduced && una > high {
					reduced = false
				}
				if !reduced {
					what = "halve"
					cut(0.5)
				}
			case cc.EventTimeout:
				what = "timeout"
				ssthresh = max(cwnd/2, 2*mtu)
				cwnd, credit, reduced = mtu, 0, false
			}
			list = append(list, due{s, what, cwnd})
		}
		return list, facts
	}
	does := func(scenario string, g float64, what string, atLeast int) {
		list, _ := trace(scenario, g)
		n := 0
		for i, d := range list {
			if d.what == what {
				n++
				ExpectWithOffset(1, float64(d.After.Window)).To(BeNumerically("~", d.cwnd, 1), "%s at %v, call %d",
					what, d.Event.Now, i)
			}
		}
		ExpectWithOffset(1, n).To(BeNumerically(">=", atLeast))
	}
	g := params("dctcp", nil).Number("g")
	lossy := marked(2, form, "3ms") + "nic: {rto: {floor: 100us}}\nfaults: [{link: h2-s0, loss: 0.01}]\n"

	It("begins with ten packets", func() { does(marked(2, form, "20us"), g, "begin", 1) })
	It("grows by what is acknowledged in slow start", func() { does(marked(2, form, "100us"), g, "slow start", 20) })
	It("cuts by alpha/2, once for a window of data",
		func() { does(marked(4, form+", g: 0.25", "1ms"), 0.25, "cut", 10) })
	It("holds still until a cut is acknowledged", func() { does(marked(4, form, "1ms"), g, "nothing", 100) })
	It("grows by one MTU for a window of data", func() { does(marked(4, form, "1ms"), g, "grow", 20) })
	It("halves at a NAK", func() { does(lossy, g, "halve", 2) })
	It("falls to one packet at a timeout", func() {
		does(marked(2, form, "3ms")+"nic: {rto: {floor: 100us}}\nfaults: [{link: h2-s0, loss: 0.3}]\n", g,
			"timeout", 2)
	})
	It("climbs from a timeout by slow start to half of the window before", func() {
		does(marked(2, form, "3ms")+"nic: {rto: {floor: 100us}}\nfaults: [{link: h2-s0, loss: 0.1}]\n", g,
			"slow start", 20)
	})
})
