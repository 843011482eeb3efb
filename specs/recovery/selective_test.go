package recovery

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/specs/internal/lab"
)

// far is one flow over a base RTT of 1.2 ms that repairs selectively.
func far(size string) string {
	return fmt.Sprintf(`
name: far
algorithm: fixed
topology: {kind: star, hosts: 2, latency: 300us}
mtu: 4096B
traffic: [{name: write, from: h0, to: h1, size: %s}]
nic: {receiver: selective}
record: {off: true}
`, size)
}

// without runs a plan whose last link is down for an instant at which one packet arrives, and returns how much later
// the flow completes than with the link up, in base RTTs.
func without(yaml string, at func(clean *lab.Run) unit.Time) (late float64, faulty *lab.Run) {
	GinkgoHelper()
	clean := lab.Simulate(yaml)
	p := lab.Plans(yaml)[0]
	middle := at(clean)
	p.Links[1].Outages = append(p.Links[1].Outages, fabric.Outage{From: middle - 100_000, To: middle + 100_000})
	faulty = lab.Do(p, lab.Options{Lossy: true})
	Expect(faulty.NICs[1].RxLostFrames).To(BeEquivalentTo(1))
	Expect(faulty.Flows[0].Sender.Resent).To(BeEquivalentTo(1))
	Expect(faulty.Flows[0].Sender.Timeouts).To(BeZero())
	took := faulty.Flows[0].Sender.Completed.Sub(clean.Flows[0].Sender.Completed)
	return float64(took) / float64(clean.Flows[0].BaseRTT), faulty
}

// Tier: everyday.
var _ = Describe("selective repeat", Label("loss"), func() {
	It("completes 64 MB over 1.2 ms with one loss no more than 0.1 RTT later", func() {
		late, _ := without(far("64MB"), func(clean *lab.Run) unit.Time {
			// In the middle; packets arrive 334.24 ns apart, the last one at Last.
			return clean.Flows[0].Receiver.Last - unit.Time(8000*334_240)
		})
		AddReportEntry("later, in RTTs", late)
		Expect(late).To(BeNumerically("<=", 0.1))
	})

	It("completes no more than 2.5 RTTs later if the last packet is lost", func() {
		late, _ := without(far("4MB"), func(clean *lab.Run) unit.Time { return clean.Flows[0].Receiver.Last })
		AddReportEntry("later, in RTTs", late)
		Expect(late).To(BeNumerically("<=", 2.5))
	})

	It("sends nothing again of packets that are reordered and not lost", func() {
		// Flows over spines, one of which is 2 us longer, are sprayed by packet: each overtakes some.
		run := lab.Simulate(`
name: reordered
algorithm: {name: fixed, params: {rate: 40Gbps}}
topology:
  rate: 100Gbps
  nodes: [{name: a}, {name: b}, {name: s, kind: switch}, {name: t, kind: switch}, {name: u, kind: switch},
    {name: v, kind: switch}]
  links:
    - {endpoints: [a, s], latency: 1us}
    - {endpoints: [s, t], latency: 1us}
    - {endpoints: [s, u], latency: 4us}
    - {endpoints: [t, v], latency: 1us}
    - {endpoints: [u, v], latency: 1us}
    - {endpoints: [v, b], latency: 1us}
mtu: 4096B
switch: {forwarding: spray}
traffic: [{name: write, from: a, to: b, size: 20MB}]
nic: {receiver: selective}
`)
		f := &run.Flows[0]
		AddReportEntry("reordered", float64(f.Receiver.Reordered)/float64(f.Receiver.Packets))
		Expect(float64(f.Receiver.Reordered)).To(BeNumerically(">", 0.01*float64(f.Receiver.Packets)))
		Expect(f.Sender.Resent + f.Sender.Timeouts + f.Receiver.Duplicate).To(BeZero())
	})

	// As a switch that drops its tail and marks nothing has it, two senders into one port.
	lossy := func(params string) (gbps, lost, resent float64) {
		yaml := incast(2, "150ms", "{receiver: selective, window: 16384}", params)
		run := lab.Do(lab.Plans(yaml)[0], lab.Options{Lossy: true})
		sent, again, arrived := 0., 0., 0.
		for i := range run.Flows {
			sent += float64(run.Flows[i].Sender.Packets)
			again += float64(run.Flows[i].Sender.Resent)
			arrived += float64(run.Flows[i].Receiver.Bytes)
		}
		return arrived * 8 / run.End.Seconds() / 1e9, float64(run.Summary.Drops) / sent, again / sent
	}
	// A loss is known a full queue's round trip after its packet left, 416 us here: an algorithm that cuts each 4 us, as
	// the parameter set does, falls and comes back in step with that, and loses some 15 %; one cut a round trip is enough.
	It("hides congestion from an algorithm that hears nothing, and not from one that hears losses", func() {
		deaf, lost, again := lossy("{}")
		AddReportEntry("deaf", fmt.Sprintf("%.1f Gb/s, %.1f %% lost, %.1f %% sent again", deaf, 100*lost, 100*again))
		hears, less, resent := lossy("{loss: both, loss_alpha: true, rate_reduce_monitor_period: 500us}")
		AddReportEntry("hears", fmt.Sprintf("%.1f Gb/s, %.1f %% lost, %.1f %% sent again", hears, 100*less, 100*resent))
		Expect(lost).To(BeNumerically(">", 0.4))
		Expect(less).To(BeNumerically("<", 0.05))
	})

	DescribeTable("has the counters of both ends agree, packet by packet", func(nic string) {
		for _, r := range lab.OverSeeds(stretch(0.003, nic), lab.Options{}) {
			f := &r.Flows[0]
			Expect(f.Sender.Acked).To(BeEquivalentTo(40_000_000))
			Expect(f.Receiver.Bytes).To(Equal(f.Sender.Acked))
			lost := r.NICs[1].RxLostFrames
			Expect(f.Sender.Packets).To(Equal(40_000 + f.Sender.Resent))
			Expect(f.Sender.Packets).To(Equal(f.Receiver.Packets + f.Receiver.Duplicate + lost))
			Expect(f.Sender.Resent).To(Equal(f.Receiver.Duplicate + lost))
			Expect(f.Receiver.NAKs + f.Receiver.OutOfOrder).To(BeZero())
			// Lost ACKs can have a packet sent again that had arrived, few of them.
			Expect(f.Receiver.Duplicate).To(BeNumerically("<", lost/5+5))
		}
	},
		Entry("an ACK for each packet", "{receiver: selective}"),
		Entry("an ACK for every eighth", "{receiver: selective, ack_every: 8}"),
	)
})
