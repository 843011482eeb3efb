package lossless

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/specs/internal/lab"
)

// A burst of four onto one port of a switch, the ports back to the senders busy with full frames, so that a pause waits
// for one. Everything is at line rate.
const answered = `
name: answered
algorithm: fixed
mtu: %s
topology: {kind: star, hosts: 9, rate: %s, latency: %s}
switch: {ecn: {enabled: false}, buffer: %s, headroom_rule: %s, cell: %s%s}
nic: {pause_response: %s}
traffic:
  - {name: burst, kind: incast, senders: h0..h3, receiver: h8}
  - {name: back, from: h4..h7, to: h0..h3}
run: {until: %s}
`

var _ = Describe("a port with computed headroom", Label("lossless"), func() {
	// Tier: everyday.
	DescribeTable("loses nothing to peers that take their time to obey", func(rate, response, buffer string) {
		full := 0.0
		for _, mtu := range []string{"256B", "1024B", "4096B"} {
			for _, latency := range []string{"10ns", "1500ns"} {
				for _, rule := range []string{"cells", "frames"} {
					cell := map[string]string{"256B": "96B", "1024B": "144B", "4096B": "254B"}[mtu]
					r := lab.Simulate(fmt.Sprintf(answered, mtu, rate, latency, buffer, rule, cell, "", response, "300us"))
					Expect(r.Summary.Drops).To(BeZero(), "MTU %s, %s, %s", mtu, latency, rule)
					Expect(headroomUsed(r)).To(BeNumerically(">", 0), "MTU %s, %s, %s", mtu, latency, rule)
					if rule == "frames" {
						full = max(full, float64(headroomUsed(r))/float64(headroomOf(r)))
					}
				}
			}
		}
		Expect(full).To(BeNumerically(">", 0.6)) // the bound is near: a case that fills no headroom shows nothing
	},
		Entry("at 25 Gb/s", "25Gbps", "1638.4ns", "1.5MB"),
		Entry("at 100 Gb/s", "100Gbps", "2017.28ns", "2MB"),
		Entry("at 400 Gb/s", "400Gbps", "1158.4ns", "8MB"),
		Entry("at 400 Gb/s, longer than the standard allows", "400Gbps", "3us", "8MB"),
		Entry("at 800 Gb/s", "800Gbps", "579.2ns", "8MB"),
	)

	// Control: the response of 60 quanta, 3840 B, is overrun at 400 Gb/s. Tier: everyday.
	It("overflows at 400 Gb/s if it counts on 3840 B", func() {
		r := lab.Do(lab.Plans(fmt.Sprintf(answered, "1024B", "400Gbps", "10ns", "8MB", "frames", "144B",
			", peer_response: 3840B", "1158.4ns", "300us"))[0], lab.Options{Lossy: true})
		Expect(r.Summary.Drops).To(BeNumerically(">", 0))
	})
})

// headroomOf returns the headroom of a port of the switch for its lossless class.
func headroomOf(r *lab.Run) unit.Bytes {
	p := r.Plan
	node := p.Node(p.SwitchNode(0))
	a := p.AttachmentAt(&node, 0)
	return p.Switches[0].Profile.HeadroomFor(&a, p.MaxFrame())
}
