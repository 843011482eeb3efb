package rules

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/specs/internal/lab"
)

// Mutant: the lifetime ends with the last packet that came.
var _ = Describe("the goodput of a flow", Label("short"), func() {
	DescribeTable("is over all the time until its stop or the end of the run, though nothing comes any more",
		func(ends string, lifetime unit.Duration) {
			run := lab.Do(lab.Plans(`
topology: {kind: star, hosts: 2}
algorithm: {name: fixed, params: {rate: 10Gbps}}
traffic: [{kind: flow, from: h0, to: h1` + ends + `}]
faults: [{link: h1-s0, down: 20us}]
run: {until: 400us}
expect: {completed: any}
`)[0], lab.Options{Lossy: true})
			acked := run.Flows[0].Sender.Acked
			Expect(acked).To(BeNumerically(">", 0))
			Expect(run.Files()).To(HaveKeyWithValue("flows.csv", ContainSubstring(
				fmt.Sprintf("%.3f", unit.RateOf(acked, lifetime).Gbps()))))
		},
		Entry("stopped", ", stop: 100us", 100*unit.Microsecond),
		Entry("incomplete", ", size: 10MB", 400*unit.Microsecond))
})
