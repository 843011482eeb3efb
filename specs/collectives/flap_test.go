package collectives

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/specs/internal/lab"
)

// overWAN is an all-reduce of four ranks on either side of a long-haul path with further
// keys, which all of them cross. Its flows run from 50 us on; the fibre is
// needed from about 60 us on.
func overWAN(method, keys, limit string) string {
	return fmt.Sprintf(`
topology: {kind: dumbbell, left: 4, right: 4, bottleneck_wan: {length: 120km%s}}
switch: {buffer: 1GB, pfc: {enabled: false}, ecn: {enabled: false}}
nic: {rto: {floor: 5ms, initial: 5ms}}
controller: {latency: 2ms}
run: {limit: %s}
algorithm: none
traffic: [{operation: all-reduce, method: %s, size: 800KB, iterations: 3, compute: 50us}]
`, keys, limit, method)
}

var _ = Describe("an all-reduce over a path that goes dark", Label("wan", "loss"), func() {
	for _, method := range []string{"hierarchical", "ring"} {
		It("by "+method+" completes by retransmission, later by the outage and a timeout or two", func() {
			clear := lab.Simulate(overWAN(method, "", "1s"))
			Expect(clear.Summary.LinkLost + clear.Summary.Retransmits).To(BeZero())
			dark := lab.Do(lab.Plans(overWAN(method, ", timeline: [{at: 100us, flap: 3ms}]", "1s"))[0], lab.Options{Lossy: true})
			s := dark.Summary
			t := lab.NewTable("path", "end/us", "lost", "resent", "timeouts")
			t.Row("clear", clear.Summary.DurationUS, clear.Summary.LinkLost, clear.Summary.Retransmits, clear.Summary.Timeouts)
			t.Row("dark for 3 ms", s.DurationUS, s.LinkLost, s.Retransmits, s.Timeouts)
			t.Report(method)
			Expect(s.LinkLost).NotTo(BeZero())
			Expect(s.Retransmits).NotTo(BeZero())
			Expect(s.IterationsDone).To(BeEquivalentTo(3))
			Expect(s.Incomplete).To(BeZero())
			Expect(s.DurationUS - clear.Summary.DurationUS).To(And(BeNumerically(">", 3000-100-50), BeNumerically("<", 3*5000)))
		})

		It("by "+method+" ends at the limit where light stays away, and names a message that could not go over", func() {
			r := lab.Do(lab.Plans(overWAN(method, ", timeline: [{at: 100us, flap: 500ms}]", "60ms"))[0],
				lab.Options{Lossy: true})
			Expect(r.Exhausted).To(BeTrue())
			Expect(r.End).To(BeNumerically("<=", unit.Time(60*unit.Millisecond)))
			Expect(r.Summary.IterationsDone).To(BeZero())
			Expect(r.Verdict.Findings).To(ContainElement(HaveField("Text",
				MatchRegexp(`message \d+ of \d+ of collective/h[0-7]-h[0-7], which could be sent from .* on, `+
					`was not acknowledged`))))
		})
	}
})
