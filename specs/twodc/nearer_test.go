package twodc

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/specs/internal/lab"
)

// servers are jobs whose ranks send across the fibre to one of them, a parameter server, and
// get the sum back: the congestion is beyond the fibre.
func servers(fabric, jobs string) string {
	return `
topology: {kind: two-dc, scale: "1/64", ` + fabric + `}
mtu: 4096B
nic: {rto: {floor: 20ms, initial: 20ms}}
algorithm: dcqcn
traffic:` + jobs
}

const parameterServer = "operation: all-reduce, method: parameter-server, size: 16MB, compute: 10ms, iterations: 2"

// Tier: everyday. Mutant: a switch notifies every device, however far. Then an iteration takes 3 to 4 % longer.
var _ = Describe("congestion beyond the fibre", Label("dci", "proximal"), func() {
	DescribeTable("is the receivers' alone: the trace is that of end-to-end ECN", func(place string) {
		ecn := lab.Simulate(place)
		Expect(lab.Metric("cnps")(ecn)).To(BeNumerically(">", 0), "nothing to notify of")
		for _, settings := range []string{scheme, unlearned} {
			r := lab.Simulate(place + "\nswitch: {" + settings + "}\n")
			Expect(r.Trace).To(Equal(ecn.Trace))
			Expect(lab.Metric("notifications")(r)).To(BeZero())
		}
	},
		// Two servers at one leaf, to which each spine has 50 Gb/s; and one, with wide links to it.
		Entry("at the far spine", servers("uplink_rate: 50Gbps", `
  - {name: job0, hosts: [b-h0, a-h0, a-h2], `+parameterServer+`}
  - {name: job1, hosts: [b-h1, a-h4, a-h6], `+parameterServer+`}`)),
		Entry("at the far leaf", servers("uplink_rate: 200Gbps", `
  - {name: job0, hosts: [b-h0, a-h0, a-h2, a-h4, a-h6], `+parameterServer+`}`)),
	)
})
