package recovery

import (
	"fmt"
	"math"
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/specs/internal/lab"
	"github.com/rocelab/rocelab/switchd"
)

// The times of a frame of 1082 B with FCS, preamble and gap: at the hosts' rate, which is the rate of a flow, and on
// the links between switches.
const (
	every   = 86560 * unit.Picosecond
	lastBit = 21640 * unit.Picosecond
	latency = unit.Microsecond
)

// through is four flows between two leaves, two of them through spine0, whose link to the receivers' leaf goes down.
func through(detect, propagate string) string {
	return fmt.Sprintf(`
name: through
topology: {kind: leaf-spine, leaves: 2, spines: 2, hosts_per_leaf: 4, rate: 100Gbps, uplink_rate: 400Gbps}
algorithm: none
traffic:
  - {name: a, kind: flow, from: h4, to: h0, stop: 2ms}
  - {name: b, kind: flow, from: h5, to: h1, stop: 2ms}
  - {name: c, kind: flow, from: h6, to: h2, stop: 2ms}
  - {name: d, kind: flow, from: h7, to: h3, stop: 2ms}
faults: [{link: leaf0-spine0, down: 500us, up: 1500us}]
failover: {detect: %s, propagate: %s, restore: 200us}
run: {until: 2ms}
`, detect, propagate)
}

// switchOf returns the record of a switch.
func switchOf(r *lab.Run, name string) int {
	return slices.IndexFunc(r.Plan.Switches, func(s plan.Switch) bool { return s.Name == name })
}

// frames returns the number of frames that flows send in a time.
func frames(flows int, d unit.Duration) float64 { return float64(flows) * float64(d) / float64(every) }

var _ = Describe("two flows on a link that goes down, with failover", Label("loss", "outage", "failover"), func() {
	const flows = 2
	DescribeTable("lose what they send until the link's end knows, and upstream until the news is there, to the frame",
		func(detect, propagate unit.Duration) {
			r := lab.Do(lab.Plans(through(detect.String(), propagate.String()))[0], lab.Options{Lossy: true})
			leaf, spine := switchOf(r, "leaf0"), switchOf(r, "spine0")
			lost := r.Switches[leaf].Ports[4].RxLostFrames
			Expect(float64(lost)).To(BeNumerically("~", frames(flows, detect+latency+lastBit), flows), "lost on the link")
			var upstream, flushed uint64
			for i := range r.Switches[spine].Ports {
				upstream += r.Switches[spine].Ports[i].Drops[fabric.DropNoRoute]
				flushed += r.Switches[spine].Ports[i].Drops[fabric.DropPortDown]
			}
			Expect(flushed).To(BeNumerically("<=", flows), "for the port, which is in no group any more")
			Expect(float64(upstream)).To(BeNumerically("~", frames(flows, propagate+latency+lastBit), flows), "upstream")
			Expect(lab.Metric("drops_watchdog")(r)).To(BeZero())
		},
		Entry("at once", 0*unit.Microsecond, 200*unit.Microsecond),
		Entry("after 25 us", 25*unit.Microsecond, 200*unit.Microsecond),
		Entry("after 50 us", 50*unit.Microsecond, 200*unit.Microsecond),
		Entry("after 100 us", 100*unit.Microsecond, 200*unit.Microsecond),
		Entry("after 400 us", 400*unit.Microsecond, 200*unit.Microsecond),
		Entry("with neighbours that follow sooner", 50*unit.Microsecond, 20*unit.Microsecond),
	)

	It("use it again once it was up for restore and the news is there", func() {
		r := lab.Do(lab.Plans(through("20us", "20us"))[0], lab.Options{Lossy: true})
		port := &r.Switches[switchOf(r, "spine0")].Ports[0]
		const until, again = 520 * unit.Microsecond, 1720 * unit.Microsecond
		sent := frames(flows, until+2*unit.Millisecond-again)
		Expect(float64(port.TxFrames)).To(BeNumerically("~", sent, 0.01*frames(flows, 2*unit.Millisecond)))
	})
})

// moved returns the share of 65 536 flows that take another of n ports when the last one is lost; table gives the
// set of next hops with and without it.
func moved(n, buckets int) float64 {
	p := lab.Plans(fmt.Sprintf(`
name: moved
topology: {kind: leaf-spine, leaves: 2, spines: %d, hosts_per_leaf: 1}
algorithm: none
traffic: [{from: h0, to: h1, size: 1KB}]
faults: [{link: leaf0-spine%d, down: 1ms}]
failover: {detect: 0s, buckets: %d}
`, n, n-1, buckets))[0]
	sw := &p.Switches[0]
	before := sw.NextHops[sw.Routes[1]]
	Expect(sw.Epochs).To(HaveLen(1))
	after := sw.NextHops[sw.Epochs[0].Changes[0].Set]
	const flows = 1 << 16
	moved := 0
	for i := range uint32(flows) {
		f := wire.Frame{EtherType: wire.EtherTypeIPv4, SrcIP: plan.FirstIP + i>>8, DstIP: plan.FirstIP + 1,
			SrcPort: 0xC000 | uint16(i)}
		if switchd.Onward(0, profile.ECMP, before, &f)[0] != switchd.Onward(0, profile.ECMP, after, &f)[0] {
			moved++
		}
	}
	return float64(moved) / flows
}

var _ = Describe("flows over n ports of which one is lost", Label("failover"), func() {
	for _, n := range []int{4, 8, 16} {
		dead := 1 / float64(n)
		It(fmt.Sprintf("move, of %d ports, if they were on it, with buckets", n), func() {
			Expect(moved(n, 64)).To(BeNumerically("<=", dead+0.005))
			Expect(moved(n, 64)).To(BeNumerically(">=", dead-0.005))
		})
		It(fmt.Sprintf("move, of %d ports, nearly all without buckets", n), func() {
			Expect(math.Abs(moved(n, 0) - (1 - dead))).To(BeNumerically("<=", 0.01))
		})
	}
})

// unequal is a fat tree of 128 hosts whose agg0 has lost two of its four cores.
func unequal(size, failover, faults string) string {
	return fmt.Sprintf(`
name: unequal
topology: {kind: fat-tree, hosts: 128, rate: 100Gbps}
algorithm: none
switch: {forwarding: round_robin}
nic: {receiver: ooo}
traffic: [{kind: permutation, size: %s}]
failover: {detect: 0s, propagate: 0s%s}
%s
`, size, failover, faults)
}

// cores are the links that are lost.
const cores = `faults: [{link: "agg0-core[0-1]", down: 0s}]`

// sharesOf returns how many entries each port of a set has.
func sharesOf(set []uint16) map[uint16]int {
	shares := map[uint16]int{}
	for _, port := range set {
		shares[port]++
	}
	return shares
}

var _ = Describe("a fat tree whose pod has lost capacity", Label("failover"), func() {
	It("has groups that weigh a port by what is left beyond it, on the way up and on the way down", func() {
		p := lab.Plans(unequal("8MB", ", weighted: true", cores))[0]
		last := len(p.NICs) - 1
		tableAt := func(name string, nic int) []uint16 { // once all has settled
			sw := &p.Switches[slices.IndexFunc(p.Switches, func(s plan.Switch) bool { return s.Name == name })]
			set := sw.Routes[nic]
			for _, epoch := range sw.Epochs {
				for _, r := range epoch.Changes {
					if r.First <= nic && nic < r.First+r.Count {
						set = r.Set
					}
				}
			}
			return sw.NextHops[set]
		}
		half := func(shares map[uint16]int) bool { // one port has half as much as each of the three others
			var list []int
			for _, n := range shares {
				list = append(list, n)
			}
			slices.Sort(list)
			return slices.Equal(list, []int{1, 2, 2, 2})
		}
		Expect(half(sharesOf(tableAt("edge0", last)))).To(BeTrue(), "up: %v", tableAt("edge0", last))
		Expect(half(sharesOf(tableAt("edge31", 0)))).To(BeTrue(), "down: %v", tableAt("edge31", 0))
		Expect(tableAt("agg0", last)).To(HaveLen(2))
	})

	It("is used by what is left if groups are weighted, and not if they are equal", Label("slow"), func() {
		lab.SkipUnlessSlow()
		longest := func(failover, faults string) float64 {
			p := lab.Plans(unequal("8MB", failover, faults))[0]
			return lab.Metric("fct_max_us")(lab.Do(p, lab.Options{Lossy: true}))
		}
		healthy := longest("", "")
		Expect(longest(", weighted: true", cores) / healthy).To(BeNumerically("<=", 1.10))
		Expect(longest("", cores) / healthy).To(BeNumerically(">=", 1.4))
	})
})
