package convergence

import (
	"fmt"
	"math"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/specs/internal/lab"
	"github.com/rocelab/rocelab/specs/mutant"
)

// many is an incast of flows from fifty hosts onto one port, flows/50 from each, Table II made short: the published
// flows have 1 MB and more.
func many(flows int, size, params string) string {
	return fmt.Sprintf(`
algorithm: {name: pc4, params: {%s}}
topology: {kind: star, hosts: 51}
traffic: [{kind: incast, flows: %d, size: %s}]
nic: {rto: {floor: 100ms, initial: 100ms}}
switch: {ecn: {enabled: false}, pfc: {enabled: false}, buffer: 512MB}
`, params, flows/50, size)
}

// smallest notes the least window of all flows, in packets.
type smallest struct {
	cc.Sender
	least *float64
}

func (s smallest) Handle(e *cc.Event, d *cc.Decision) {
	s.Sender.Handle(e, d)
	*s.least = min(*s.least, float64(d.Window)/float64(unit.KB))
}

// crowd is the result of many flows. Bound is the slowdown of a port that never idles and of flows that all end with
// it.
type crowd struct {
	utilisation, jain, slowdown, bound, window float64
}

func measureCrowd(flows int, size string, bytes float64, params string) (c crowd) {
	c.window = math.Inf(1)
	watching := mutant.Wrap{Sender: func(s cc.Sender) cc.Sender { return smallest{s, &c.window} }}
	run := lab.Do(lab.Plans(many(flows, size, params))[0], lab.Options{Algorithms: watching.In("pc4")})
	c.utilisation, c.jain = lab.Metric("utilisation")(run), lab.Metric("jain")(run)
	c.slowdown = lab.Metric("slowdown_p99")(run)
	const rtt = 4.193 // us
	wire := bytes * 1.098 * 8 / 100e3
	c.bound = (float64(flows)*wire + rtt) / (wire + rtt)
	return c
}

// busy are the criteria of a port that as many flows keep busy as fit.
func (c crowd) busy() (list lab.Criteria) {
	list.Want(c.utilisation >= 0.95, "utilisation %.3f, wanted is 0.95", c.utilisation)
	list.Want(c.jain >= 0.99, "Jain's index %.3f, wanted is 0.99", c.jain)
	list.Want(c.slowdown <= 1.05*c.bound, "p99 slowdown %.0f, allowed is 1.05 of %.0f", c.slowdown, c.bound)
	return list
}

var _ = Describe("so many flows onto one port that windows are parts of a packet",
	Label("T2", "pc4", "incast"), func() {
		// With 5000 flows a window is a hundredth of a packet, and a flow hears of the queue twice in a millisecond.
		// Each mutant shows the purpose of the constant in it.
		DescribeTable("keep it busy in equal shares", func(flows int, size string, bytes, window float64, start string,
			mutants ...string) {
			if flows == 5000 {
				lab.SkipUnlessSlow()
			}
			table := lab.NewTable("constants", "flows", "utilisation", "Jain", "p99 slowdown", "of a busy port", "least window")
			for _, params := range append([]string{""}, mutants...) {
				c := measureCrowd(flows, size, bytes, start+params)
				table.Row("default"+params, flows, c.utilisation, c.jain, c.slowdown, c.bound, c.window)
				list := c.busy()
				if params == "" {
					Expect(list.Missed).To(BeEmpty())
					Expect(c.window).To(BeNumerically("<=", window), "packets")
				} else {
					Expect(list.Missed).NotTo(BeEmpty(), params)
				}
			}
			table.Report("T2, short")
		},
			Entry("100 of them", 100, "1MB", 1e6, 0.53, "first_rtt: line", ", set: earlier"),
			Entry("1000 of them", 1000, "100KB", 1e5, 0.06, "first_rtt: 12pkt", ", set: earlier", ", tq_noise: 0"),
			Entry("5000 of them", Label("slow"), 5000, "60KB", 6e4, 0.02, "first_rtt: 12pkt", ", set: earlier", ", sub_gain: 0"),
		)
	})

// unequal has flows over one switch and over three end at one host.
func unequal(each int, params string) string {
	return fmt.Sprintf(`
algorithm: {name: pc4, params: {%s}}
topology: {kind: leaf-spine, leaves: 2, spines: 1, hosts_per_leaf: 5}
traffic:
  - {name: near, kind: incast, senders: h0..h%d, receiver: h4}
  - {name: far, kind: incast, senders: h5..h%d, receiver: h4}
run: {until: 8ms}
`, params, each-1, 4+each)
}

var _ = Describe("flows over one and over three switches in one queue", Label("F11", "pc4", "fairness"), func() {
	shares := func(each int, params string) (c lab.Criteria) {
		run := lab.Simulate(unequal(each, params))
		jain := lab.Metric("jain")(run)
		c.Want(jain >= 0.95, "Jain's index %.3f, wanted is 0.95", jain)
		return c
	}
	for _, each := range []int{1, 4} {
		It(fmt.Sprintf("share it equally, %d and %d of them, unless the target grows with the path", each, each), func() {
			c := shares(each, "")
			Expect(c.Missed).To(BeEmpty())
			scaled := shares(each, "tq_path: 1")
			Expect(scaled.Missed).NotTo(BeEmpty())
		})
	}
})

// opposed has two flows and, beside their ACKs, two of DCQCN that fill the trunk
// backwards.
func opposed(params, back string) string {
	return fmt.Sprintf(`
topology: {kind: dumbbell, left: 3, right: 3}
traffic:
  - {name: forward, kind: incast, senders: h0..h1, receiver: h5, algorithm: {name: pc4, params: {%s}}}
%s
nic: {ack_class: data}
run: {until: 8ms}
`, params, back)
}

const backwards = "  - {name: back, kind: incast, senders: h3..h4, receiver: h2, algorithm: dcqcn}"

var _ = Describe("two flows whose ACKs share their way with a load", Label("F12", "pc4"), func() {
	// trunk is the share of time during which the forward trunk is busy, including the ACKs of the flows backwards.
	trunk := func(params, back string) float64 {
		run := lab.Do(lab.Plans(opposed(params, back))[0], lab.Options{})
		return run.Switches[0].Ports[3].Busy.Seconds() / run.End.Seconds()
	}
	It("keep the trunk as busy as without, unless windows are made of the base RTT", func() {
		alone, loaded := trunk("", ""), trunk("", backwards)
		old := trunk("cwnd_rtt: base", backwards)
		table := lab.NewTable("window of", "backwards", "trunk busy")
		table.Row("the RTT without the queue", "nothing", alone)
		table.Row("the RTT without the queue", "DCQCN", loaded)
		table.Row("base RTT", "DCQCN", old)
		table.Report("F12, short")
		Expect(loaded).To(BeNumerically(">=", 0.95*alone))
		Expect(old).To(BeNumerically("<", 0.95*alone))
	})
})
