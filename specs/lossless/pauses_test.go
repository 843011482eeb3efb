package lossless

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/specs/internal/lab"
)

// paused are the contents of a run's PFC frames, over all ports of switches and NICs.
type paused struct {
	sent, received, lost, air record.Pauses
	// hosts received what NICs did.
	hosts record.Pauses
}

func pausesOf(r *lab.Run) (p paused) {
	add := func(port *record.Port) {
		p.sent = p.sent.Plus(port.PausesSent())
		p.received = p.received.Plus(port.PausesReceived())
		p.lost = p.lost.Plus(port.PausesLost.All())
	}
	for i := range r.Switches {
		for j := range r.Switches[i].Ports {
			add(&r.Switches[i].Ports[j])
		}
	}
	for i := range r.NICs {
		add(&r.NICs[i])
		p.hosts = p.hosts.Plus(r.NICs[i].PausesReceived())
	}
	for i := range r.WANs {
		for j := range r.WANs[i].Ports {
			add(&r.WANs[i].Ports[j])
		}
	}
	for i := range r.InFlight {
		p.air = p.air.Plus(r.InFlight[i].Pauses)
	}
	return p
}

// total is the number of pauses and resumes of all classes.
func total(p record.Pauses) (n uint64) {
	for c := range profile.Classes {
		n += p.XOFF[c] + p.XON[c]
	}
	return n
}

// eightToOne pauses its senders; the queue is never as long as to lose a frame.
const eightToOne = `
name: eight-to-one
algorithm: none
topology: {kind: star, hosts: 9}
switch: {buffer: 4MB}
traffic: [{kind: incast, senders: 8, receiver: h8, size: 2MB}]
`

// long is the same on links of 1 km.
var long = strings.Replace(eightToOne, "hosts: 9", "hosts: 9, latency: 5us", 1)

// overlong has a storm of h2, which stops s1, which stops s0 across 20 km.
const overlong = `
name: overlong
algorithm: none
topology: {kind: dumbbell, left: 2, right: 1, bottleneck_rate: 200Gbps, bottleneck_wan: {length: 20km, %s}}
switch: {ecn: {enabled: false}, watchdog: {enabled: false}, dci: {pfc: {enabled: true}}}
nic: {rto: {floor: 5ms, initial: 5ms}}
traffic: [{kind: incast, size: 20MB}]
run: {until: 5ms}
faults: [{kind: pfc-storm, host: h2, class: 3, from: 50us, to: 1500us}]
`

var _ = Describe("every pause that was sent", Label("pfc"), func() {
	It("is counted by a NIC that does not obey it", func() {
		r := lab.Do(lab.Plans(eightToOne + "nic: {pfc: false}\n")[0], lab.Options{Lossy: true})
		p := pausesOf(r)
		Expect(r.Summary.Pauses).To(BeNumerically(">", 100))
		Expect(p.hosts.XOFF[3]).To(Equal(r.Summary.Pauses), "XOFF that hosts received")
		Expect(p.hosts).To(Equal(p.sent))
		Expect(r.Summary.PausedUS).To(BeZero())
		Expect(conserved(r)).To(BeEmpty())
	})

	DescribeTable("arrives, is lost or is on its way", func(scenario string, lost, air bool) {
		for _, plan := range lab.Plans(scenario) {
			r := lab.Do(plan, lab.Options{Lossy: true})
			p := pausesOf(r)
			Expect(total(p.sent)).To(BeNumerically(">", 0))
			Expect(p.received.Plus(p.lost).Plus(p.air)).To(Equal(p.sent))
			Expect(total(p.lost) > 0).To(Equal(lost), "%d lost", total(p.lost))
			Expect(total(p.air) > 0).To(Equal(air), "%d in flight", total(p.air))
			Expect(conserved(r)).To(BeEmpty())
		}
	},
		Entry("on a sound link", eightToOne, false, false),
		Entry("on links that lose frames",
			eightToOne+"faults: [{link: h0-s0, loss: 0.05}, {link: h1-s0, loss: 0.05}]\n", true, false),
		Entry("in an outage", long+"faults: [{link: h0-s0, down: 24us, up: 400us}]\n", true, false),
		Entry("in a storm of a host", stormy+broken, false, false),
		Entry("in a storm of a host whose link loses frames",
			stormy+strings.Replace(broken, "}]", "}, {link: h3-leaf0, loss: 0.3}]", 1), true, false),
		Entry("on links so long that some are under way at the end",
			long+"run: {until: 24us}\n", false, true),
		Entry("in a storm and behind it, across a long-haul path that loses frames",
			fmt.Sprintf(overlong, "loss: 0.2"), true, false),
	)
})

// conserved returns a verdict's findings against conservation.
func conserved(r *lab.Run) (against []string) {
	for _, f := range r.Verdict.Findings {
		if f.Subject == result.Conservation && f.Status != result.Pass {
			against = append(against, f.Text)
		}
	}
	return against
}
