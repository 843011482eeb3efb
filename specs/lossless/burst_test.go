package lossless

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/specs/internal/lab"
)

const senders = 64

// burst starts 64 flows of 1 MB at line rate towards one port. Marking is off: in a class that has lost PFC it would
// drop frames that are not ECN-capable.
const burst = `
name: burst
algorithm: fixed
topology: {kind: star, hosts: 65}
switch: {ecn: {enabled: false}}
traffic: [{kind: incast, size: 1MB}]
`

// criteria are the criteria of a lossless burst. Every switch drops nothing, every sender is stopped, nothing needs to
// be sent again, and the port under attack is never idle for want of resumed senders.
func criteria(r *lab.Run) (c lab.Criteria) {
	s := r.Summary
	c.Want(s.Drops == 0, "%d frames dropped", s.Drops)
	c.Want(s.Incomplete == 0, "%d flows incomplete", s.Incomplete)
	c.Want(s.Retransmits+s.NAKs+s.Timeouts == 0, "%d packets sent again, %d NAKs, %d timeouts", s.Retransmits,
		s.NAKs, s.Timeouts)
	paused := 0
	for port := range senders {
		if r.Switches[0].Ports[port].Classes.At(3).SentXOFF > 0 && r.NICs[port].Classes.At(3).Paused > 0 {
			paused++
		}
	}
	c.Want(paused == senders, "%d of %d senders paused", paused, senders)
	c.Want(s.Utilisation >= 0.99, "bottleneck busy for %.4f of the time", s.Utilisation)
	c.Want(r.Verdict.Status == result.Pass, "verdict %v", r.Verdict.Status)
	return c
}

// headroomUsed is the fullest headroom of any ingress of class 3.
func headroomUsed(r *lab.Run) (most unit.Bytes) {
	for i := range r.Switches[0].Ports {
		most = max(most, r.Switches[0].Ports[i].Classes.At(3).HeadroomMax)
	}
	return most
}

// losslessness returns the verdict's findings on loss.
func losslessness(r *lab.Run) (texts []string) {
	for _, f := range r.Verdict.Findings {
		if f.Subject == result.Losslessness {
			texts = append(texts, f.Status.String()+": "+f.Text)
		}
	}
	return texts
}

// tabulate adds a row with the figures of a run.
func tabulate(t *lab.Table, name string, r *lab.Run) {
	s, c := r.Summary, criteria(r)
	t.Row(name, s.Drops, int(lab.Metric("drops_no_buffer")(r)), int(lab.Metric("drops_headroom")(r)),
		s.Pauses, s.Retransmits,
		unit.Bytes(s.BufferMaxBytes), headroomUsed(r), s.Utilisation, s.DurationUS, c.String())
}

var columns = []string{"variant", "drops", "no buffer", "no headroom", "XOFF", "resent", "fullest buffer",
	"fullest headroom",
	"utilisation", "us", "criteria"}

var _ = Describe("a burst of 64 senders at line rate onto one port", Label("pfc", "incast"), func() {
	It("loses nothing under PFC alone and keeps the port busy", func() {
		t := lab.NewTable(columns...)
		for _, r := range lab.OverSeeds(burst, lab.Options{}) {
			tabulate(t, fmt.Sprint("seed ", r.Plan.Seed), r)
			Expect(criteria(r).Missed).To(BeEmpty())
			Expect(losslessness(r)).To(BeEmpty())
		}
		t.Report("64-to-1, 1 MB each, no congestion control")
	})

	DescribeTable("misses these criteria when a part of PFC is taken away", Label("mutant"),
		func(change, lost string, red bool, finding string) {
			r := lab.Do(lab.Plans(burst + change)[0], lab.Options{Lossy: true})
			t := lab.NewTable(columns...)
			tabulate(t, "mutant", r)
			t.Report("64-to-1, 1 MB each, " + change)
			Expect(criteria(r).Missed).NotTo(BeEmpty())
			Expect(lab.Metric(lost)(r)).To(Equal(float64(r.Summary.Drops)))
			Expect(r.Summary.Drops).To(BeNumerically(">", 0))
			Expect(r.Verdict.Status == result.Red).To(Equal(red), "%v", r.Verdict)
			if finding != "" {
				Expect(losslessness(r)).To(ContainElement(ContainSubstring(finding)))
			}
		},
		// The class is lossy then: no promise is broken.
		Entry("no PFC at all", "nic: {pfc: false}\nswitches: {s0: {pfc: {enabled: false}}}\n", "drops_no_buffer", false, ""),
		// The switch did all that it could.
		Entry("NICs that ignore pauses", "nic: {pfc: false}\n", "drops_headroom", true, "red: not lossless: s0:"),
		// A headroom below need is the scenario's own doing: the verdict names
		// both sizes, and only a check such as "drops == 0" fails the run.
		Entry("headroom far too small", "switches: {s0: {headroom: 2KB}}\nexpect: {checks: [drops == 0]}\n",
			"drops_headroom", false,
			"the scenario sets 2KB, the link needs 69.369KB"),
	)
})

var _ = Describe("a burst from another rack", Label("pfc", "incast", "leaf-spine"), func() {
	// Sixteen hosts of leaf0 overwhelm h16 at leaf1 across two spines.
	const remote = `
name: remote-burst
algorithm: fixed
topology: {kind: leaf-spine, leaves: 2, spines: 2, hosts_per_leaf: 16, uplink_rate: 400Gbps}
switch: {buffer: 8MB, ecn: {enabled: false}}
traffic: [{kind: incast, senders: h0..h15, receiver: h16, size: 2MB}]
`
	It("is paused hop by hop back to its senders and loses nothing", func() {
		r := lab.Simulate(remote)
		sent := func(node, peer string) (xoff uint64) {
			for i := range r.Plan.Switches {
				for port, link := range r.Plan.Switches[i].Links {
					l := &r.Plan.Links[link]
					far := l.A
					if far == (plan.End{Node: plan.NodeID(i), Port: port}) {
						far = l.B
					}
					if strings.HasPrefix(r.Plan.Switches[i].Name, node) && strings.HasPrefix(r.Plan.NodeName(far.Node), peer) {
						xoff += r.Switches[i].Ports[port].Classes.At(3).SentXOFF
					}
				}
			}
			return xoff
		}
		t := lab.NewTable("from", "to", "XOFF")
		for _, hop := range [][2]string{{"leaf1", "spine"}, {"spine", "leaf0"}, {"leaf0", "h"}} {
			t.Row(hop[0], hop[1], sent(hop[0], hop[1]))
			Expect(sent(hop[0], hop[1])).To(BeNumerically(">", 0), "from %s to %s", hop[0], hop[1])
		}
		t.Report("16 senders of one rack to one host of another")
		Expect(sent("spine", "leaf1")+sent("leaf1", "h")).To(BeZero(), "pauses in the direction of the traffic")
		Expect(r.Summary.Drops + r.Summary.Retransmits + r.Summary.Incomplete + r.Summary.Deadlocks).To(BeZero())
	})
})
