package recovery

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/specs/internal/lab"
)

// incast is the two-to-one incast of a public study of a ConnectX-5 at 100 Gb/s (openfabric-systems/simllm, the table
// of its incasts): four QPs a sender, WRITEs of 1 MiB, a leaf of 5.2 MB that drops its tail, and neither marks nor
// sends pauses.
func incast(senders int, until, nic, params string) string {
	traffic := ""
	for i := range senders {
		traffic += fmt.Sprintf("  - {name: %c, from: h%d, to: h%d, flows: 4, message: 1MiB}\n", 'a'+i, i, senders)
	}
	return fmt.Sprintf(`
name: lossy-incast
mtu: 4096B
topology: {kind: star, hosts: %d, rate: 100Gbps, latency: 515ns}
switch: {buffer: 5.2MB, alpha: 64, alpha_rate: 0bps, ecn: {enabled: false}, pfc: {enabled: false}, drop_not_ect: false}
nic: %s
algorithm: {name: dcqcn, params: %s}
traffic:
%srecord: {off: true}
run: {until: %s}
`, senders+1, nic, params, traffic, until)
}

// steady is the state of an incast between two instants.
type steady struct {
	goodput float64   // Gb/s
	shares  []float64 // of the senders
	lost    float64   // of packets
	cnps    float64   // a second and QP
	wire    float64   // share of the line at the receiver
}

func steadyOf(senders int, nic, params string) steady {
	acked, lost, sent, cnps, wire, took := 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
	of := make([]float64, senders)
	for _, part := range []struct {
		until string
		sign  float64
	}{{"100ms", -1}, {"250ms", 1}} {
		run := lab.Do(lab.Plans(incast(senders, part.until, nic, params))[0], lab.Options{Lossy: true})
		took += part.sign * run.End.Seconds()
		for i := range run.Flows {
			sender := run.Flows[i].Sender
			acked += part.sign * float64(sender.Acked)
			of[i/4] += part.sign * float64(sender.Acked)
			sent += part.sign * float64(sender.Packets)
			cnps += part.sign * float64(run.Flows[i].Receiver.CNPs)
		}
		lost += part.sign * float64(run.Summary.Drops)
		wire += part.sign * run.Switches[0].Ports[senders].Busy.Seconds()
	}
	for i := range of {
		of[i] /= acked
	}
	return steady{acked * 8 / took / 1e9, of, lost / sent, cnps / took / float64(4*senders), wire / took}
}

var _ = Describe("A lossy incast of a ConnectX-5", func() {
	// The study: 73.89 Gb/s of goodput, 1.65 % of packets lost, senders with 50.39 and 49.61 %, 99.5 % of the wire, 283
	// CNPs a second and QP without a mark. The least timeout was chosen by the loss, which is printed for that, as is the
	// goodput. Tier: everyday.
	It("shares, fills the wire and notifies as it did", func() {
		s := steadyOf(2, "{profile: connectx5}", "{loss: both, loss_alpha: true}")
		AddReportEntry("goodput, Gb/s", s.goodput)
		AddReportEntry("lost, of packets; not scored", s.lost)
		Expect(s.shares[0]).To(BeNumerically("~", 0.5039, 0.02))
		Expect(s.wire).To(BeNumerically("~", 0.9952, 0.01))
		Expect(s.cnps).To(BeNumerically("~", 283, 0.3*283))
	})

	// No study has figures of three senders: the wire is as full, they share alike, and less than a tenth is lost.
	// Tier: everyday.
	It("holds with three senders", func() {
		s := steadyOf(3, "{profile: connectx5}", "{loss: both, loss_alpha: true}")
		AddReportEntry("goodput, Gb/s", s.goodput)
		Expect(s.wire).To(BeNumerically("~", 0.9952, 0.01))
		Expect(s.shares).To(HaveEach(BeNumerically("~", 1.0/3, 0.05)))
		Expect(s.lost).To(BeNumerically("<", 0.1))
	})

	// What public records have too: two clients of one server fall to a fifth of the line or less.
	It("collapses when nothing reacts", func() {
		s := steadyOf(2, "{profile: connectx5}", "{}")
		Expect(s.lost).To(BeNumerically(">", 0.1))
		Expect(s.goodput).To(BeNumerically("<", 73.89*0.85))
	})
})

// A link that is dead for 40 ms: a ConnectX-5 repeats a request after 2, 4, 8 and 16 ms (linux-rdma/perftest, issue
// 251).
var _ = It("repeats what nobody answers as a ConnectX-5 does", func() {
	run := lab.Do(lab.Plans(`
name: black-hole
mtu: 1024B
topology: {kind: star, hosts: 2, rate: 25Gbps, latency: 1us}
nic: {rto: {mode: adaptive}}
traffic: [{name: f, from: h0, to: h1, size: 1KB}]
faults: [{link: h1-s0, loss: 1}]
algorithm: dcqcn
run: {until: 40ms}
`)[0], lab.Options{Lossy: true})
	sender := run.Flows[0].Sender
	Expect(sender.Timeouts).To(BeNumerically("==", 4))
	Expect(sender.Resent).To(BeNumerically("==", 4))
	Expect(sender.Failed).To(Equal(unit.Time(0)))
})
