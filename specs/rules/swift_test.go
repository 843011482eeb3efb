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

// swiftOver is n flows under Swift over one switch, or over three with an uplink of
// half the hosts' rate.
func swiftOver(switches, n int, params, until string) string {
	topology := fmt.Sprintf("{kind: star, hosts: %d}", n+1)
	if switches == 3 {
		topology = fmt.Sprintf("{kind: leaf-spine, leaves: 2, spines: 1, hosts_per_leaf: %d, uplink_rate: 50Gbps}", n)
	}
	return fmt.Sprintf(`
algorithm: {name: swift, params: {%s}}
topology: %s
traffic: [{kind: incast, senders: %d, receiver: h%d}]
run: {until: %s}
`, params, topology, n, n, until)
}

var _ = Describe("Swift", Label("swift"), func() {
	given := func(more string) map[string]string {
		g := map[string]string{}
		for pair := range strings.SplitSeq(more, ", ") {
			if name, value, ok := strings.Cut(pair, ": "); ok {
				g[name] = value
			}
		}
		return g
	}

	// target is section 3.5 in ps: base target, hops and flow scaling.
	target := func(p cc.Params, f cc.Facts, cwnd float64) float64 {
		lo, hi := 1/math.Sqrt(p.Number("fs_min_cwnd")), 1/math.Sqrt(p.Number("fs_max_cwnd"))
		span := float64(p.Duration("fs_range"))
		alpha := span / (lo - hi)
		path := float64(f.Hops) * float64(p.Duration("hop_target"))
		if p.Choice("path_scaling") == "base_rtt" {
			path = float64(f.BaseRTT)
		}
		return float64(p.Duration("base_target")) + path + max(0, min(alpha/math.Sqrt(cwnd)-alpha*hi, span))
	}

	// due is an event of a flow, and the window that Algorithm 1 comes to.
	type due struct {
		*eventlog.Step
		branch        string
		cwnd          float64 // packets
		rtt           unit.Duration
		delay, target float64 // ps
	}
	type window struct {
		cwnd float64
		cut  unit.Time
	}
	follow := func(facts cc.Facts, steps []eventlog.Step, p cc.Params) (list []due) {
		bdp := bits(facts.LineRate) * facts.BaseRTT.Seconds() / 8 / float64(facts.PacketBytes)
		most, least := p.Number("max_cwnd_bdp")*bdp, p.Number("min_cwnd")
		if p.Given("max_cwnd") {
			most = p.Number("max_cwnd")
		}
		first := min(bdp, most)
		if p.Given("initial_cwnd") {
			first = p.Number("initial_cwnd")
		}
		fabric, end := window{cwnd: first}, window{cwnd: first}
		rtt, timeouts, smoothed, heard := facts.BaseRTT, 0, 0.0, false
		set := func(w *window, now unit.Time, cwnd float64) {
			if cwnd = min(max(cwnd, least), most); cwnd < w.cwnd {
				w.cut = now
			}
			w.cwnd = cwnd
		}
		ack := func(w *window, now unit.Time, delay, target, acked float64) (branch string) {
			switch {
			case delay < target && w.cwnd >= 1:
				branch = "increase"
				w.cwnd += p.Number("ai") * acked / w.cwnd
			case delay < target:
				branch = "below one"
				w.cwnd += p.Number("ai") * acked
			case now.Sub(w.cut) >= rtt:
				branch = "decrease"
				left := 1 - p.Number("beta")*(delay-target)/delay
				if left < 1-p.Number("max_mdf") {
					branch, left = "bounded", 1-p.Number("max_mdf")
				}
				set(w, now, w.cwnd*left)
			default:
				branch = "hold"
			}
			if w.cwnd > most {
				w.cwnd, branch = most, "most"
			}
			if w.cwnd == least {
				branch = "least"
			}
			return branch
		}
		lose := func(w *window, now unit.Time) {
			if now.Sub(w.cut) >= rtt {
				set(w, now, w.cwnd*(1-p.Number("max_mdf")))
			}
		}
		for i := range steps {
			s := &steps[i]
			e := &s.Event
			d := due{Step: s, branch: "nothing"}
			switch e.Kind {
			case cc.EventStart:
				fabric.cut, end.cut = e.Now, e.Now
			case cc.EventAck:
				timeouts = 0
				echoed := e.EchoedRTT()
				if echoed <= 0 {
					break
				}
				rtt = echoed
				remote := float64(e.RemoteDelay)
				d.delay, d.target = max(float64(rtt)-remote, 0), target(p, facts, fabric.cwnd)
				d.branch = ack(&fabric, e.Now, d.delay, d.target, float64(e.Acked)/float64(facts.MTU))
				if p.Switch("endpoint") {
					if !heard {
						heard, smoothed = true, remote
					}
					smoothed += p.Number("endpoint_gain") * (remote - smoothed)
					if branch := ack(&end, e.Now, smoothed, float64(p.Duration("endpoint_target")),
						float64(e.Acked)/float64(facts.MTU)); end.cwnd < fabric.cwnd {
						d.branch = "endpoint " + branch
					}
				}
			case cc.EventNak:
				timeouts = 0
				d.branch = "NAK"
				lose(&fabric, e.Now)
				lose(&end, e.Now)
			case cc.EventTimeout:
				d.branch = "timeout"
				if timeouts++; timeouts >= int(p.Number("retx_reset_threshold")) {
					d.branch = "reset"
					set(&fabric, e.Now, least)
					set(&end, e.Now, least)
				} else {
					lose(&fabric, e.Now)
					lose(&end, e.Now)
				}
			}
			d.cwnd, d.rtt = fabric.cwnd, rtt
			if p.Switch("endpoint") {
				d.cwnd = min(fabric.cwnd, end.cwnd)
			}
			list = append(list, d)
		}
		return list
	}
	does := func(scenario, more string, branch string, atLeast int) (list []due) {
		facts, steps := first(scenario)
		list = follow(facts, steps, params("swift", given(more)))
		n := map[string]int{}
		for i, d := range list {
			if n[d.branch]++; d.branch == branch {
				ExpectWithOffset(1, float64(d.After.Window)).To(BeNumerically("~", d.cwnd*float64(facts.MTU), 1.5),
					"%s, call %d at %v", branch, i, d.Event.Now)
			}
		}
		ExpectWithOffset(1, n[branch]).To(BeNumerically(">=", atLeast), "%v", n)
		return list
	}

	It("begins with a window of one BDP, at line rate", func() {
		facts, steps := first(swiftOver(1, 2, "", "30us"))
		Expect(steps[0].After.Rate).To(Equal(facts.LineRate))
		Expect(float64(steps[0].After.Window)).To(BeNumerically("~",
			float64(facts.LineRate.BytesIn(facts.BaseRTT))*float64(facts.MTU)/float64(facts.PacketBytes), 2))
	})
	It("adds ai packets per RTT below its target", func() { does(swiftOver(1, 4, "", "1ms"), "", "increase", 10) })
	It("adds ai for each packet below a window of one", func() {
		does(swiftOver(1, 120, "fs_range: 0s, initial_cwnd: 1", "600us"), "fs_range: 0s, initial_cwnd: 1",
			"below one", 3)
	})
	It("cuts by beta times the excess over its target",
		func() { does(swiftOver(1, 16, "", "1ms"), "", "decrease", 10) })
	It("cuts by max_mdf at most", func() {
		does(swiftOver(1, 16, "max_mdf: 0.1", "1ms"), "max_mdf: 0.1", "bounded", 3)
	})
	It("cuts once in a round trip", func() { does(swiftOver(1, 16, "", "1ms"), "", "hold", 20) })
	It("keeps its window within max_cwnd", func() {
		does(swiftOver(1, 1, "max_cwnd: 30", "200us"), "max_cwnd: 30", "most", 20)
	})
	It("keeps its window within max_cwnd_bdp", func() { does(swiftOver(1, 1, "", "400us"), "", "most", 20) })
	It("keeps its window above min_cwnd", func() {
		const more = "min_cwnd: 4, base_target: 1us, fs_range: 0s"
		does(swiftOver(1, 16, more, "500us"), more, "least", 20)
	})

	// Section 3.5: between the highest delay that let the window grow and the lowest
	// that did not lies the target.
	DescribeTable("gives way from its target on", func(scenario, more string) {
		w := watch(scenario)
		p := params("swift", given(more))
		highest, lowest := -math.MaxFloat64, math.MaxFloat64 // relative to the target of its moment
		for _, log := range w.senders {
			for _, d := range follow(log.Facts, log.Steps, p) {
				if d.target == 0 {
					continue
				}
				if d.After.Window > d.Before.Window || d.After.Gap < d.Before.Gap {
					highest = max(highest, d.delay/d.target)
				} else if d.After.Window < d.Before.Window {
					lowest = min(lowest, d.delay/d.target)
				}
			}
		}
		Expect(highest).To(BeNumerically("<", 1))
		Expect(lowest).To(BeNumerically(">=", 1))
		Expect(lowest-highest).To(BeNumerically("<", 0.1), "delays on both sides")
	},
		Entry("over one switch", swiftOver(1, 4, "", "1ms"), ""),
		Entry("over three switches", swiftOver(3, 1, "", "1ms"), ""),
		Entry("over three switches with small windows", swiftOver(3, 16, "", "1ms"), ""),
		Entry("by base RTT in place of hops", swiftOver(3, 2, "path_scaling: base_rtt, base_target: 4us", "1ms"),
			"path_scaling: base_rtt, base_target: 4us"),
		Entry("without flow scaling", swiftOver(1, 8, "fs_range: 0s", "1ms"), "fs_range: 0s"),
	)

	DescribeTable("keeps an RTT of about its target", func(scenario string) {
		w := watch(scenario)
		p := params("swift", nil)
		sum, count := 0.0, 0.0
		for _, log := range w.senders {
			list := follow(log.Facts, log.Steps, p)
			for _, d := range list[len(list)/2:] {
				if d.target > 0 {
					sum += d.delay / target(p, log.Facts, float64(d.Before.Window)/float64(log.Facts.MTU))
					count++
				}
			}
		}
		Expect(sum / count).To(BeNumerically("~", 1, 0.1))
	},
		Entry("of one flow over three switches", swiftOver(3, 1, "", "2ms")),
		Entry("of 16 flows over three switches", swiftOver(3, 16, "", "2ms")),
	)

	It("starts packets RTT/cwnd apart below a window of one, and unpaced from one on", func() {
		facts, steps := first(swiftOver(1, 120, "fs_range: 0s, initial_cwnd: 1", "600us"))
		small, large := 0, 0
		for _, d := range follow(facts, steps, params("swift", given("fs_range: 0s, initial_cwnd: 1"))) {
			Expect(d.After.Rate).To(Equal(facts.LineRate))
			switch {
			case d.Event.Kind != cc.EventAck || math.Abs(d.cwnd-1) < 1e-6:
			case d.cwnd < 1:
				small++
				Expect(d.After.Gap).To(BeNumerically("~", unit.Duration(float64(d.rtt)/d.cwnd), d.rtt/1000))
			default:
				large++
				Expect(d.After.Gap).To(BeZero())
			}
		}
		Expect(min(small, large)).To(BeNumerically(">=", 5))
	})

	lossy := func(loss float64, more string) string {
		return swiftOver(1, 2, more, "4ms") +
			fmt.Sprintf("nic: {rto: {floor: 50us}}\nfaults: [{link: h2-s0, loss: %g}]\n", loss)
	}
	It("cuts by max_mdf at a NAK, once in a round trip", func() { does(lossy(0.01, ""), "", "NAK", 10) })
	It("cuts by max_mdf at a timeout", func() { does(lossy(0.25, ""), "", "timeout", 5) })
	It("falls to min_cwnd after retx_reset_threshold timeouts in a row", func() {
		does(lossy(0.3, "retx_reset_threshold: 2, min_cwnd: 0.5"), "retx_reset_threshold: 2, min_cwnd: 0.5",
			"reset", 1)
	})

	// ACKs wait at a receiver that sends large packets on a slow link itself, each for what is left of the one
	// under way, so that delays differ.
	busy := func(n int, more string) string {
		return strings.NewReplacer(fmt.Sprintf("hosts: %d", n+1), fmt.Sprintf("hosts: %d, rate: 25Gbps", n+2),
			"}]", fmt.Sprintf("}, {from: h%d, to: h%d, algorithm: fixed}]", n, n+1)).Replace(swiftOver(1, n, more, "1ms")) +
			"mtu: 4096B\n"
	}
	It("gives way to the endpoint's delay, smoothed, by its own window", func() {
		const more = "endpoint_target: 500ns, initial_cwnd: 6"
		does(busy(1, more), more, "endpoint decrease", 5)
		does(busy(1, more), more, "endpoint hold", 1)
	})
	It("takes no endpoint delay for delay of the fabric", func() {
		does(busy(4, "endpoint: false"), "endpoint: false", "increase", 20)
	})
})
