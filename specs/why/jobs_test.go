package why

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/attribution"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/specs/internal/lab"
)

// jobCausesOf explain the times of the iterations of a run's first collective. The parts of every iteration add up to
// the time from the first rank's computation until the last rank was done, and none is negative.
func jobCausesOf(run *lab.Run) []result.JobCause {
	GinkgoHelper()
	causeOf(run)
	collective := &run.Plan.Collectives[0]
	Expect(run.JobWhy).To(HaveLen(collective.Iterations))
	for k := range run.JobWhy {
		begun, done := unit.Never, unit.Time(0)
		for _, place := range collective.Places {
			ends, phases := run.Phases[place.NIC][place.Rank], place.PhasesPerIteration
			first := collective.Start
			if k > 0 {
				first = ends[k*phases-1]
			}
			begun, done = min(begun, first), max(done, ends[(k+1)*phases-1])
		}
		why := &run.JobWhy[k]
		Expect(why.Total()).To(Equal(done.Sub(begun)), "iteration %d", k)
		for part, time := range why.Parts {
			Expect(time).To(BeNumerically(">=", 0), "iteration %d: %v", k, attribution.Part(part))
		}
	}
	return run.JobWhy
}

// jobIntervention is a scenario with a collective and a part that is most of its loss, and the change that removes its
// cause.
type jobIntervention struct {
	part          attribution.Part
	with, without string // what stands for CAUSE in the scenario
	// flow and bottleneck are named as the costliest.
	flow, bottleneck string
	scenario         string
}

// Tier: everyday.
var _ = DescribeTable("a part is most of what a job loses, and goes with its cause", func(i jobIntervention) {
	run := func(cause string) (*lab.Run, *result.JobCause) {
		GinkgoHelper()
		text := strings.ReplaceAll(i.scenario, "CAUSE", cause)
		run := lab.Do(lab.Plans("name: why\n" + text)[0], lab.Options{Lossy: true})
		return run, &jobCausesOf(run)[0]
	}
	lossOf := func(cause *result.JobCause) unit.Duration { return cause.Total() - cause.Parts[attribution.Alone] }
	of, with := run(i.with)
	_, without := run(i.without)
	loss := lossOf(with)
	GinkgoWriter.Println(with.Parts, without.Parts)
	Expect(with.Parts[i.part]).To(BeNumerically(">=", loss*6/10), "with its cause: %v", with.Parts)
	Expect(without.Parts[i.part]).To(BeNumerically("<", with.Parts[i.part]/50), "without its cause: %v", without.Parts)
	// The time falls by the part, but for what other parts make of it.
	Expect(with.Total() - without.Total()).To(BeNumerically("~", loss-lossOf(without), loss/20))
	flow, bottleneck := "", ""
	if with.Flow >= 0 {
		flow = of.Plan.Flows[with.Flow].Name
	}
	if with.Bottleneck != nil {
		bottleneck = of.Plan.PortName(*with.Bottleneck)
	}
	Expect(flow).To(Equal(i.flow))
	Expect(bottleneck).To(Equal(i.bottleneck))
},
	Entry("collision: a flow on the spine of one of the ring's flows, then on the other", jobIntervention{
		part:       attribution.Collision,
		with:       "path: 1",
		without:    "path: 0",
		flow:       "job/h1-h3",
		bottleneck: "leaf0:4",
		scenario: `
topology: {kind: leaf-spine, leaves: 2, spines: 2, hosts_per_leaf: 3}
algorithm: swift
traffic:
  - {name: job, kind: collective, operation: all-reduce, hosts: [h0, h1, h3, h4], size: 8MB, iterations: 2}
  - {name: g, from: h2, to: h5, size: 50MB, CAUSE}
`}),
	Entry("paused: a NIC of the ring storms for 400 us", jobIntervention{
		part:       attribution.Paused,
		with:       "faults: [{kind: pfc-storm, host: h1, class: 3, from: 20us, to: 420us}]",
		flow:       "job/h0-h1",
		bottleneck: "h0:0",
		scenario: `
topology: {kind: star, hosts: 4}
algorithm: none
switch: {buffer: 400KB}
traffic: [{name: job, kind: collective, operation: all-reduce, hosts: h0..h3, size: 4MB}]
CAUSE
`}),
	Entry("repair: a link that loses one frame of a hundred", jobIntervention{
		part:       attribution.Repair,
		with:       "faults: [{link: h0-s0, loss: 0.01}]",
		flow:       "job/h3-h0",
		bottleneck: "h3:0",
		scenario: `
topology: {kind: star, hosts: 4}
algorithm: none
traffic: [{name: job, kind: collective, operation: all-reduce, hosts: h0..h3, size: 4MB}]
CAUSE
`}),
	Entry("host: ranks that compute", jobIntervention{
		part:       attribution.Host,
		with:       "500us",
		without:    "0us",
		flow:       "job/h0-h1",
		bottleneck: "h0:0",
		scenario: `
topology: {kind: star, hosts: 4}
algorithm: none
traffic: [{name: job, kind: collective, operation: all-reduce, hosts: h0..h3, size: 1MB, iterations: 2, compute: CAUSE}]
`}),
)
