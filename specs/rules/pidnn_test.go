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
	"github.com/rocelab/rocelab/plugins/pidnn/lstm"
	"github.com/rocelab/rocelab/plugins/pidnn/weights"
)

// steered is n flows under LSTM+PIDNN into one port.
func steered(n int, params, until string) string {
	return fmt.Sprintf(`
algorithm: {name: pidnn, params: {%s}}
topology: {kind: star, hosts: %d}
traffic: [{kind: incast}]
run: {until: %s}
`, params, n+1, until)
}

// sampled is a step that took an RTT sample, and the rate that follows from it.
type sampled struct {
	*eventlog.Step
	rtt, predicted, target, delta float64 // us, us, us, a share
	rate                          float64 // bit/s
	flips                         int     // how often the target has moved
}

// steer follows the thesis's equations over a flow's samples.
func steer(facts cc.Facts, steps []eventlog.Step, p cc.Params, network *lstm.Network) (list []sampled) {
	var acked, marked unit.Bytes
	base := facts.BaseRTT.Microseconds()
	first := max(p.Duration("target").Microseconds(), p.Number("target_rtts")*base)
	target, low, high := first, first, max(10*base, first)
	if p.Choice("rttch") == "literal" {
		low = base
	}
	gains := [3]float64{p.Number("kp"), p.Number("ki"), p.Number("kd")}
	var s, sum, n, p1, i1, d1, lastE float64
	var k [3]float64
	count, flips, learned := 0, 0, 0.0
	var before float64
	for j := range steps {
		st := &steps[j]
		e := &st.Event
		acked += e.Acked
		if e.Kind != cc.EventAck || acked <= marked {
			continue
		}
		marked = acked + e.Inflight
		if e.RTT <= 0 {
			continue
		}
		rtt := e.RTT.Microseconds()
		if p.Switch("learn") && n > 0 { // equations 21 to 26
			common := (rtt - target) * before / 1e9
			mu := 0.01 / math.Sqrt(learned+1)
			for g, out := range [3]float64{p1, i1, d1} {
				gains[g] -= mu * min(max(common*out, -0.1), 0.1)
			}
			learned++
		}
		n++
		if n == 1 { // equations 2 and 3
			s = rtt
		} else {
			s = p.Number("sigma")*rtt + (1-p.Number("sigma"))*s
		}
		k = [3]float64{k[1], k[2], (rtt - s) / s}
		sum += rtt
		if p.Choice("rttch") != "off" { // equations 27 and 28, Table 2
			side := -1
			if rtt > target {
				side = 1
			}
			switch {
			case count*side < 0:
				count = 0
			case p.Choice("rttch") == "literal":
				count++
			default:
				count += side
			}
			if many := int(p.Number("rttch_num")); count > many || -count > many {
				target, count = min(max(sum/n, low), high), 0
				flips++
			}
		}
		predicted := rtt // equation 12
		switch {
		case p.Choice("predictor") == "smoothed":
			predicted = s
		case p.Choice("predictor") == "on" && n >= 3:
			predicted = (1 + network.Predict(k)) * s
		}
		err := (predicted - target) / target // equation 14
		if p.Choice("e_norm") == "off" {
			err = predicted - target
		}
		d1 = 0 // equations 16 to 18
		if n > 1 {
			d1 = err - lastE
		}
		p1, lastE = err, err
		i1 += (err - i1) / n
		// Equations 15 and 20, and 19.
		delta := min(max(gains[0]*p1+gains[1]*i1+gains[2]*d1, p.Number("delta_min")), p.Number("delta_max"))
		before = bits(st.Before.Rate)
		rate := min(max(before*(1+delta), bits(p.Rate("min_rate"))), bits(facts.LineRate))
		if p.Given("max_rate") {
			rate = min(rate, bits(p.Rate("max_rate")))
		}
		list = append(list, sampled{
			Step:      st,
			rtt:       rtt,
			predicted: predicted,
			target:    target,
			delta:     delta,
			rate:      rate,
			flips:     flips,
		})
	}
	return list
}

var _ = Describe("LSTM+PIDNN", Label("pidnn"), func() {
	var network *lstm.Network
	BeforeEach(func() {
		var err error
		network, _, err = weights.Load(weights.Shipped)
		Expect(err).NotTo(HaveOccurred())
	})
	run := func(more string) (cc.Facts, []sampled) {
		g := map[string]string{}
		for pair := range strings.SplitSeq(more, ", ") {
			if name, value, ok := strings.Cut(pair, ": "); ok {
				g[name] = value
			}
		}
		facts, steps := first(steered(6, more, "1ms"))
		return facts, steer(facts, steps, params("pidnn", g), network)
	}
	holds := func(list []sampled) {
		changed := 0
		for i, s := range list {
			ExpectWithOffset(2, bits(s.After.Rate)).To(BeNumerically("~", s.rate, 2000), "sample %d at %v", i,
				s.Event.Now)
			if s.After.Rate != s.Before.Rate {
				changed++
			}
		}
		ExpectWithOffset(2, changed).To(BeNumerically(">=", 20))
	}
	check := func(more string) []sampled {
		_, list := run(more)
		holds(list)
		return list
	}

	It("begins at initial_rate", func() {
		_, steps := first(steered(2, "initial_rate: 25Gbps", "20us"))
		Expect(steps[0].After.Rate).To(Equal(25 * unit.Gbps))
	})
	It("decides once in a round trip", func() {
		facts, steps := first(steered(6, "", "1ms"))
		list := steer(facts, steps, params("pidnn", nil), network)
		changes := 0
		for _, s := range steps[1:] {
			if s.After.Rate != s.Before.Rate {
				changes++
			}
		}
		Expect(changes).To(BeNumerically("<=", len(list)))
		Expect(len(of(cc.EventAck, steps))).To(BeNumerically(">", 2*len(list)))
		for i := range list[1:] {
			Expect(gap(list[i].Step, list[i+1].Step)).To(BeNumerically(">=", facts.BaseRTT))
		}
	})

	DescribeTable("answers", func(more string) { check(more) },
		Entry("the error in proportion", "predictor: off, ki: 0, kd: 0"),
		Entry("the mean error", "predictor: off, kp: 0, ki: -0.3, kd: 0"),
		Entry("the error's change", "predictor: off, kp: -0.1, ki: 0, kd: -0.3"),
		Entry("the RTT that the network predicts", ""),
		Entry("the smoothed RTT with predictor smoothed", "predictor: smoothed"),
		Entry("the error in us with e_norm off", "predictor: off, e_norm: off, kp: -0.05"),
	)

	It("predicts by three samples, and takes the sample itself before", func() {
		_, list := run("")
		for i, s := range list[:3] {
			Expect(bits(s.After.Rate)).To(BeNumerically("~", s.rate, 20), "sample %d", i)
		}
		off := 0
		for _, s := range list[3:] {
			if math.Abs(s.predicted/s.rtt-1) > 0.02 {
				off++
			}
		}
		Expect(off).To(BeNumerically(">=", 5), "predictions that differ from the sample")
		holds(list)
	})

	It("bounds what one decision takes and adds", func() {
		least, most := 0, 0
		for _, s := range check("delta_min: -0.1, delta_max: 0.05") {
			switch s.delta {
			case -0.1:
				least++
			case 0.05:
				most++
			}
		}
		Expect(least).To(BeNumerically(">=", 1))
		Expect(most).To(BeNumerically(">=", 1))
	})
	It("keeps its rate from min_rate to max_rate", func() {
		least, most := 0, 0
		for _, s := range check("min_rate: 16500Mbps, max_rate: 18Gbps") {
			switch s.After.Rate {
			case 16500 * unit.Mbps:
				least++
			case 18 * unit.Gbps:
				most++
			}
		}
		Expect(least).To(BeNumerically(">=", 1))
		Expect(most).To(BeNumerically(">=", 1))
	})

	It("takes no target below target_rtts base RTTs", func() {
		list := check("target: 1us")
		Expect(list[0].target).To(BeNumerically(">", 4.9))
	})
	DescribeTable("moves its target to the mean RTT after many samples on one side with rttch",
		func(word string, falls int) {
			list := check("initial_rate: 40Gbps, rttch_num: 2, rttch: " + word)
			Expect(list[len(list)-1].flips).To(BeNumerically(">=", 2))
			fell := 0
			for i := range list[1:] {
				if list[i+1].target < list[i].target {
					fell++
				}
			}
			Expect(fell).To(BeNumerically(">=", falls))
		},
		Entry("on", "on", 1),
		Entry("literal", "literal", 0),
	)

	DescribeTable("keeps a window of", func(more string, winit func(cc.Facts) float64) {
		facts, list := run("window: on" + more)
		for _, s := range list {
			Expect(float64(s.After.Window)).To(BeNumerically("~",
				winit(facts)*bits(s.After.Rate)/bits(facts.LineRate), 1))
		}
		Expect(len(list)).To(BeNumerically(">", 20))
	},
		Entry("a BDP times its share of the line rate", "",
			func(f cc.Facts) float64 { return float64(f.LineRate.BytesIn(f.BaseRTT)) }),
		Entry("winit times its share of the line rate", ", winit: 30KB", func(cc.Facts) float64 { return 30_000 }),
	)

	It("tunes its gains against the gradient of the squared error with learn", func() {
		check("learn: true, kp: -0.2, ki: -0.05, kd: 0.1")
	})

	// Equations 4 to 12, worked out here from the weights: the network that flows run.
	It("runs the network of the equations", func() {
		sigmoid := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
		predict := func(k [3]float64) float64 {
			var h, c [lstm.Hidden]float64
			for _, x := range k {
				var next [lstm.Hidden]float64
				for u := range lstm.Hidden {
					var z [lstm.Gates]float64
					for gate := range lstm.Gates {
						row := network.W[lstm.Index(gate, u):]
						z[gate] = row[lstm.Hidden]*x + row[lstm.Hidden+1]
						for j := range lstm.Hidden {
							z[gate] += row[j] * h[j]
						}
					}
					c[u] = sigmoid(z[lstm.Forget])*c[u] + sigmoid(z[lstm.Input])*math.Tanh(z[lstm.Candidate])
					next[u] = sigmoid(z[lstm.Out]) * math.Tanh(c[u])
				}
				h = next
			}
			out := network.W[lstm.Output+lstm.Hidden]
			for j := range lstm.Hidden {
				out += network.W[lstm.Output+j] * h[j]
			}
			return out
		}
		// With only kp the prediction is read back from each decision.
		facts, steps := first(steered(6, "ki: 0, kd: 0, delta_min: -0.9, delta_max: 5", "1ms"))
		p := params("pidnn", map[string]string{"ki": "0", "kd": "0", "delta_min": "-0.9", "delta_max": "5"})
		list := steer(facts, steps, p, network)
		smooth, k, seen := 0.0, [3]float64{}, 0
		for i, s := range list {
			if i == 0 {
				smooth = s.rtt
			} else {
				smooth = 0.2*s.rtt + 0.8*smooth
			}
			k = [3]float64{k[1], k[2], (s.rtt - smooth) / smooth}
			if i < 2 || s.After.Rate == facts.LineRate || s.After.Rate == unit.Gbps {
				continue
			}
			seen++
			told := (share(s.Step)-1)/p.Number("kp")*s.target + s.target
			Expect(told).To(BeNumerically("~", (1+predict(k))*smooth, 1e-4), "sample %d", i)
		}
		Expect(seen).To(BeNumerically(">=", 20))
	})
})
