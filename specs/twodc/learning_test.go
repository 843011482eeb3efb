package twodc

import (
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/specs/internal/lab"
)

// Learning, over ten iterations of one job and of two jobs whose paths ECMP draws: from
// the third on there is hardly a message between switches, with two jobs, whose N changes as
// they drift, fewer than in the first, queues are less than half as long, an iteration is as
// short as without learning, and nothing is lost.
//
// Tier: slow. Mutant: flows that are learned and not held to their shares, by messages. The rules behind it are in the
// tests of switchd and in specs/rules; row R4 of the draft has more mutants.
const learned, notLearned = "proximal: {enabled: true, learning: {enabled: true}}",
	"proximal: {enabled: true, learning: {enabled: false}}"

// period has the switches' messages to each other in one, and the longest queue.
type period struct {
	messages int
	queue    unit.Bytes
}

// periodsOf are the periods of a run, each from the instant on at which the first rank of the first job has done
// computing. Messages about the number of flows that share a port count as others do; queues are those of spines.
func periodsOf(r *lab.Run) []period {
	job := r.Plan.Collectives[0]
	begins := make([]unit.Time, job.Iterations)
	for k := range begins {
		begins[k] = unit.Never
		for _, p := range job.Places {
			begins[k] = min(begins[k], r.Phases[p.NIC][p.Rank][k*p.PhasesPerIteration])
		}
	}
	periods := make([]period, len(begins))
	at := func(t unit.Time) *period {
		n, _ := slices.BinarySearch(begins, t+1)
		return &periods[max(n-1, 0)]
	}
	for i := range r.Switches {
		if !strings.Contains(r.Plan.Switches[i].Name, "spine") {
			continue
		}
		Expect(r.Switches[i].Proximal.Omitted).To(BeZero())
		for _, a := range r.Switches[i].Proximal.Actions {
			if a.Kind == record.ProximalCongested || a.Kind == record.ProximalShare {
				at(a.At).messages++
			}
		}
		for j := range r.Switches[i].Ports {
			depth := r.Switches[i].Ports[j].Queues.At(3).Depth
			if depth == nil {
				continue
			}
			for bin := range depth.Len() {
				p := at(unit.Time(bin) * unit.Time(r.Plan.Record.Interval))
				p.queue = max(p.queue, unit.Bytes(depth.At(bin)))
			}
		}
	}
	return periods
}

// worst are the most messages and the longest queue from the third period on, of those
// of the first.
func worst(r *lab.Run) (messages, queue float64) {
	periods := periodsOf(r)
	for _, p := range periods[2:] {
		messages = max(messages, float64(p.messages)/float64(periods[0].messages))
		queue = max(queue, float64(p.queue)/float64(periods[0].queue))
	}
	return messages, queue
}

var _ = Describe("switches that learn which flows meet congestion", Label("R4", "dci", "proximal", "slow"), func() {
	hold := func(yaml string, most float64, seeds ...uint64) {
		lab.SkipUnlessSlow()
		options := lab.Options{Seeds: seeds}
		with := lab.OverSeeds(yaml+"switch: {"+learned+"}\n", options)
		without := lab.OverSeeds(yaml+"switch: {"+notLearned+"}\n", options)
		table := lab.NewTable("seed", "messages, of the first period's", "longest queue", "iteration, ms", "without learning")
		iteration := lab.Metric("iteration_mean_us")
		var ratios []float64
		for i, run := range with {
			messages, queue := worst(run)
			table.Row(seeds[i], messages, queue, iteration(run)/1e3, iteration(without[i])/1e3)
			Expect(messages).To(BeNumerically("<=", most), "messages, seed %d", seeds[i])
			Expect(queue).To(BeNumerically("<=", 0.5), "queue, seed %d", seeds[i])
			Expect(lab.Metric("drops")(run)).To(BeZero(), "lost, seed %d", seeds[i])
			ratios = append(ratios, iteration(run)/iteration(without[i]))
		}
		table.Report("Learning, ten iterations")
		slices.Sort(ratios)
		Expect(ratios[len(ratios)/2]).To(BeNumerically("<=", 1.01), "the median iteration, of that without learning")
	}
	DescribeTable("hold them to their shares, and have nothing more to tell", hold,
		Entry("of one job", strings.Replace(lab.OneJob, "iterations: 4", "iterations: 10", 1), 0.05, uint64(1)),
		Entry("of two jobs under ECMP", twoJobs, 1.0, uint64(1), uint64(2), uint64(3)),
	)
})

// Tier: everyday. Mutants: a ceiling of 40 times the threshold, so that the queue grows to 9.5 MB; no ceiling and no
// mark of the memory, so that it fills all of it and 4697 frames are lost.
var _ = Describe("a switch that was asked to be silent about flows", Label("dci", "proximal"), func() {
	It("speaks above four times its threshold, so that a flow that listens to nobody fills no queue", func() {
		// Marks are off, so that receivers do not say what the switch leaves out. The job's third burst begins at 85 ms.
		r := lab.Simulate(strings.Replace(lab.OneJob, "iterations: 4", "iterations: 3", 1) + `
  - {name: deaf, from: a-h1, to: b-h1, size: 100MB, start: 80ms, algorithm: {name: fixed, params: {rate: 25Gbps}}}
switch: {dci: {ecn: {enabled: false}}, ` + learned + `}
`)
		all := r.Proximal()
		Expect(all.Learned).To(BeNumerically(">", 0))
		Expect(all.Preemptive).To(BeNumerically(">", 0))
		Expect(lab.Metric("queue_max_bytes")(r)).To(BeNumerically("<=", 4e6))
		Expect(lab.Metric("drops")(r)).To(BeZero())
	})
})

// twoJobs is two-dc.yaml over ten iterations.
const twoJobs = `
topology: {kind: two-dc, scale: "1/64", uplink_rate: 200Gbps, dci_links: 1, dci_rate: 50Gbps}
mtu: 4096B
nic: {rto: {floor: 20ms, initial: 20ms}}
algorithm: dcqcn
traffic:
  - {name: job0, operation: all-reduce, method: hierarchical, groups: 2, size: 64MB, compute: 10ms, iterations: 10,
     hosts: [a-h0, a-h2, a-h4, a-h6, b-h0, b-h2, b-h4, b-h6]}
  - {name: job1, operation: all-reduce, method: hierarchical, groups: 2, size: 64MB, compute: 10ms, iterations: 10,
     hosts: [a-h1, a-h3, a-h5, a-h7, b-h1, b-h3, b-h5, b-h7]}
`
