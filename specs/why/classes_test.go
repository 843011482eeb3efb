package why

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/attribution"
	"github.com/rocelab/rocelab/specs/internal/lab"
)

// A flow that sends at 20 Gb/s beside one that fills the rest of the port takes five times as long as by itself. If its
// queue may have more, that is unfair; if the other one's comes first, it is its share. Tier: everyday, 0.1 s.
var _ = DescribeTable("a share is what the scheduler gives", func(scheduling string, shared, unfair float64) {
	run := lab.Do(lab.Plans(fmt.Sprintf(`
name: why
topology: {kind: star, hosts: 3}
algorithm: {name: fixed, params: {rate: 20Gbps}}
traffic:
  - {name: f, from: h0, to: h2, size: 500KB}
  - {name: other, from: h1, to: h2, size: 3MB, dscp: 10, algorithm: {name: fixed, params: {rate: 80Gbps}}}
switch: {buffer: 64MB, classes: {dscp: {10: 4, 26: 3}}, scheduling: %s}
`, scheduling))[0], lab.Options{Lossy: true})
	cause := causeOf(run)
	part := func(part attribution.Part) float64 { return float64(cause.Parts[part]) / float64(cause.Total()) }
	Expect(part(attribution.Alone)).To(BeNumerically("~", 0.2, 0.02), "alone")
	Expect(part(attribution.Shared)).To(BeNumerically("~", shared, 0.02), "shared")
	Expect(part(attribution.Unfair)).To(BeNumerically("~", unfair, 0.02), "unfair")
},
	// Of one queue it may have half: 20 of own bits, 20 of the other's, and 60 beyond. With weights 3 to 7 it may have 30.
	Entry("equal weights", "{}", 0.2, 0.6),
	Entry("3 to 7", "{weights: {3: 3, 4: 7}}", 0.2*7/3, 0.8-0.2*7/3),
	Entry("the other is strict", "{strict: [4]}", 0.8, 0.0),
)
