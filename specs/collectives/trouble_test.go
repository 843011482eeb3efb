package collectives

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/specs/internal/lab"
)

// job is an all-reduce of four ranks by a ring, with further lines and keys.
func job(lines, keys string) string {
	return fmt.Sprintf(`
topology: {kind: star, hosts: 4}
nic: {rto: {floor: 100us, initial: 200us}}
%s
traffic: [{operation: all-reduce, size: 400KB, iterations: 3, compute: 100us%s}]
`, lines, keys)
}

var _ = Describe("a training", func() {
	It("waits for its straggler in every iteration", func() {
		even := lab.Simulate(job("algorithm: none", "")).Summary
		late := lab.Simulate(job("algorithm: none", ", stragglers: {h2: 4}")).Summary
		Expect(late.Iteration.P50 - even.Iteration.P50).To(BeNumerically("~", 300, 15))
		Expect(late.Collective.P50).To(BeNumerically(">", even.Collective.P50+200),
			"who waits for it, waits in the operation")
	})

	It("goes on by retransmission after losses and an outage", func() {
		r := lab.Do(lab.Plans(job(
			"algorithm: dcqcn\nfaults: [{link: h*-s0, loss: 0.01}, {link: h1-s0, down: 150us, up: 450us}]", ""))[0],
			lab.Options{Lossy: true})
		s := r.Summary
		Expect(s.LinkLost).NotTo(BeZero())
		Expect(s.Retransmits).NotTo(BeZero())
		Expect(s.IterationsDone).To(BeEquivalentTo(3))
		Expect(s.Incomplete).To(BeZero())
	})

	It("ends at the limit and names who waits where a link stays down", func() {
		r := lab.Do(lab.Plans(job("algorithm: none\nrun: {limit: 5ms}\nfaults: [{link: h1-s0, down: 150us, up: 1s}]",
			""))[0], lab.Options{Lossy: true})
		Expect(r.Exhausted).To(BeTrue())
		Expect(r.Summary.IterationsDone).To(BeZero())
		Expect(r.Summary.Incomplete).NotTo(BeZero())
		Expect(r.Verdict.Findings).To(
			ContainElement(HaveField("Text",
				MatchRegexp(`message \d+ of 18 of collective/h\d-h\d, which could be sent from .* on, was not acknowledged`))))
		rows := strings.Split(r.Files()["collectives.csv"], "\n")
		Expect(rows[0]).To(HaveSuffix(",all_ready_us,ranks_done,stuck"), "nothing that comes with an end")
		Expect(rows[1]).To(HaveSuffix(",0,h0"))
	})

	It("shares the fabric with another, each with its own start", func() {
		r := lab.Simulate(`
algorithm: none
topology: {kind: star, hosts: 8}
traffic:
  - {name: a, operation: all-reduce, hosts: h0..h3, size: 400KB, iterations: 2}
  - {name: b, operation: all-to-all, hosts: h2..h7, size: 60KB, iterations: 3, compute: 10us, start: 20us}
`)
		Expect(r.Summary.IterationsDone).To(BeEquivalentTo(5))
		Expect(r.Files()["collectives.csv"]).To(
			ContainSubstring(",b,all-to-all,direct,6,60000,0,20.000000,30.000000,30.000000,"))
	})

	for _, a := range shipped.All() {
		name := a.Describe().Name
		It("completes with "+name, func() {
			for _, method := range []string{"ring", "halving-doubling", "tree", "parameter-server", "hierarchical"} {
				s := lab.Simulate(job("algorithm: "+name, ", method: "+method)).Summary
				Expect(s.IterationsDone).To(BeEquivalentTo(3), method)
				Expect(s.Drops).To(BeZero(), method)
			}
		})
	}
})
