package why

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/attribution"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/specs/internal/lab"
)

// The victim f shares its NIC's switch, but not the port of the incast, with a flow of it: PFC holds the port between
// the switches for the queue of s1 at h4, and then that of f's NIC. f goes to an idle port of s1. Tier: everyday,
// 0.1 s.
var _ = DescribeTable("a pause leads to the queue for which it was asked", func(right int, buffer string) {
	run := lab.Do(lab.Plans(fmt.Sprintf(`
name: why
topology: {kind: dumbbell, left: 2, right: %d, bottleneck_rate: 400Gbps}
algorithm: none
traffic:
  - {name: f, from: h0, to: h5, size: 4MB}
  - {name: burst, kind: incast, senders: [h1, h2, h3], receiver: h4, size: 4MB}
switch: {buffer: %s, ecn: {enabled: false}, pfc: {enabled: true}, headroom_rule: frames}
`, right, buffer))[0], lab.Options{})
	cause := causeOf(run)
	Expect(cause.Parts[attribution.Paused]).To(BeNumerically(">", cause.Total()/20), "%v", cause.Parts)
	Expect(endName(run.Plan, cause.Root)).To(Equal("s1:2"))
},
	Entry("of a small fabric", 4, "2MB"),
	Entry("of one whose ports have no series of their own", 128, "8MB"),
)

// endName is a port as "node:port", "" for none.
func endName(p *plan.Plan, end *plan.End) string {
	if end == nil {
		return ""
	}
	return fmt.Sprintf("%s:%d", p.Node(end.Node).Name, end.Port)
}
