package recovery

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/specs/internal/lab"
)

// busy is an all-to-all between two leaves, which loads both spines for about 200 us, with settings and faults.
func busy(settings, faults string) string {
	return fmt.Sprintf(`
name: busy
topology: {kind: leaf-spine, leaves: 2, spines: 2, hosts_per_leaf: 4}
traffic: [{kind: all-to-all, size: 300KB}]
nic: {rto: {floor: 500us, initial: 500us}}
run: {limit: 50ms}
algorithm: dcqcn
%s
faults: [%s]
`, settings, faults)
}

// sentBy counts the frames that left a switch.
func sentBy(r *lab.Run, name string) (n uint64) {
	for _, port := range r.Switches[switchOf(r, name)].Ports {
		n += port.TxFrames
	}
	return n
}

var _ = Describe("a switch or a link that is drained", Label("faults", "failover"), func() {
	const reacts = "failover: {detect: 20us, propagate: 10us, restore: 50us}"

	DescribeTable("loses no frame, whether it is switched off after that or not",
		func(faults string) {
			r := lab.Do(lab.Plans(busy(reacts, faults))[0], lab.Options{})
			Expect(r.Summary.Drops).To(BeZero())
			Expect(r.Summary.LinkLost).To(BeZero())
			Expect(r.Summary.Incomplete).To(BeZero())
			whole := lab.Do(lab.Plans(busy(reacts, "{link: h0-leaf0, down: 1s}"))[0], lab.Options{})
			Expect(sentBy(r, "spine1")).To(And(BeNumerically(">", 0), BeNumerically("<", sentBy(whole, "spine1")*8/10)))
		},
		Entry("a switch", "{kind: drain, switch: spine1, from: 40us}"),
		Entry("a switch that goes off and comes back", "{kind: drain, switch: spine1, from: 40us, down: 80us, up: 120us}"),
		Entry("a link that goes off and comes back",
			"{kind: drain, link: leaf0-spine1, from: 40us, down: 90us, up: 120us}"),
	)

	It("loses frames if it is switched off at once, or without the drain", func() {
		r := lab.Do(lab.Plans(busy(reacts, "{kind: switch-reboot, switch: spine1, down: 80us, up: 120us}"))[0],
			lab.Options{Lossy: true})
		Expect(r.Summary.LinkLost).To(BeNumerically(">", 0))
		early := lab.Do(lab.Plans(busy(reacts, "{kind: drain, switch: spine1, from: 79us, down: 80us, up: 120us}"))[0],
			lab.Options{Lossy: true})
		Expect(early.Summary.LinkLost).To(BeNumerically(">", 0))
	})
})

var _ = Describe("a switch that reboots", Label("faults"), func() {
	It("drops what it holds for that reason, and the flows go on when it is up", func() {
		r := lab.Do(lab.Plans(busy("", "{kind: switch-reboot, switch: spine0, down: 60us, up: 100us}"))[0],
			lab.Options{Lossy: true})
		var inside uint64
		for _, port := range r.Switches[switchOf(r, "spine0")].Ports {
			inside += port.Drops[fabric.DropReboot]
		}
		Expect(inside).To(BeNumerically(">", 0))
		Expect(r.Summary.Incomplete).To(BeZero())
	})
})

var _ = Describe("a host that is slow for a time", Label("faults", "nic"), func() {
	It("loses packets for want of room then, and takes all that come before and after", func() {
		r := lab.Do(lab.Plans(busy("", "{kind: slow-host, host: h1, from: 60us, to: 90us, rate: 1Gbps}"))[0],
			lab.Options{Lossy: true})
		var slow, others uint64
		for i := range r.NICs {
			if n := r.NICs[i].Drops[fabric.DropIntake]; r.Plan.NICs[i].Name == "h1" {
				slow = n
			} else {
				others += n
			}
		}
		Expect(slow).To(BeNumerically(">", 0))
		Expect(others).To(BeZero())
		Expect(r.Summary.Incomplete).To(BeZero())
		Expect(r.NICFaults[1]).To(HaveLen(1))
		Expect(r.NICFaults[1][0].Frames).To(BeNumerically(">", 0))
	})
})

// crossed is a flow over a link, and its ACKs in the other direction.
func crossed(faults string) *lab.Run {
	return lab.Do(lab.Plans(fmt.Sprintf(`
name: crossed
topology: {kind: dumbbell, left: 2, right: 2, latency: 10us}
traffic: [{name: right, from: h0, to: h2, stop: 400us}]
algorithm: none
run: {until: 1ms}
faults: [%s]
`, faults))[0], lab.Options{Lossy: true})
}

var _ = Describe("a link whose signal is lost in one direction", Label("faults", "outage"), func() {
	// lost returns the frames from the link that s0 and s1 lost, and the flushed ones.
	lost := func(r *lab.Run) (atLeft, atRight, flushedLeft, flushedRight uint64) {
		left, right := r.Switches[0].Ports[2], r.Switches[1].Ports[2]
		return left.RxLostFrames, right.RxLostFrames, left.Outages[0].Flushed.Frames, right.Outages[0].Flushed.Frames
	}

	It("stops at the other end a flight later, by remote fault", func() {
		r := crossed("{kind: one-way, link: s0-s1, toward: s1, down: 100us, up: 200us}")
		atLeft, atRight, flushedLeft, flushedRight := lost(r)
		// What s0 sends until it hears, and the flight before; what s1 had sent when its signal was lost arrives.
		sent := float64(20*unit.Microsecond) / float64(86560*unit.Picosecond)
		Expect(float64(atRight)).To(BeNumerically("~", sent, 2))
		Expect(atLeft).To(BeNumerically("<=", 1))
		Expect(flushedLeft).To(BeNumerically(">", 0))
		Expect(flushedRight).To(BeNumerically(">", 0))
	})

	It("is not known at the other end without a remote fault, which sends into the void", func() {
		r := crossed("{kind: one-way, link: s0-s1, toward: s1, down: 100us, up: 200us, remote_fault: false}")
		atLeft, atRight, flushedLeft, flushedRight := lost(r)
		// All that s0 sends in the outage, and the flight before.
		sent := float64(110*unit.Microsecond) / float64(86560*unit.Picosecond)
		Expect(float64(atRight)).To(BeNumerically("~", sent, 2))
		Expect(atLeft).To(BeZero())
		Expect(flushedLeft).To(BeZero())
		Expect(flushedRight).To(BeNumerically(">", 0))
	})
})
