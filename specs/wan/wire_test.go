package wan

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/specs/internal/lab"
	"github.com/rocelab/rocelab/testbed/model"
)

// pair is two hosts with one packet to send over a path.
const pair = `
algorithm: fixed
topology:
  nodes: [{name: a}, {name: b}]
  links: [{endpoints: [a, b], %s}]
nic: {rto: {floor: 1s, initial: 1s}}
controller: {latency: 1s}
traffic: [{from: a, to: b, size: 1000B}]
`

// completion is the time of the packet and its ACK.
func completion(link string) unit.Duration {
	r := lab.Simulate(fmt.Sprintf(pair, link))
	Expect(r.Flows[0].Sender.Completed).NotTo(Equal(unit.Never))
	return r.Flows[0].Sender.Completed.Sub(r.Flows[0].Sender.Started)
}

var _ = Describe("a long-haul path", Label("wan"), func() {
	// A packet's way and its ACK's take the two delays and the time of both on
	// the wire, once: what they take over a link of that latency.
	DescribeTable("is a wire of its length's latency, to the picosecond",
		func(wan, forward, backward string) {
			there, err := unit.ParseDuration(forward)
			Expect(err).NotTo(HaveOccurred())
			back, err := unit.ParseDuration(backward)
			Expect(err).NotTo(HaveOccurred())
			plain := completion("latency: 1us") - 2*unit.Microsecond
			Expect(completion("wan: " + wan)).To(Equal(plain + there + back))
		},
		Entry("120 km at 5 ns/m", "{length: 120km}", "600us", "600us"),
		Entry("120 km at a group index of 1.468", "{length: 120km, delay_per_km: 4.897us}", "587.64us", "587.64us"),
		Entry("100 km with equipment, as measured in the field", "{length: 100km, equipment: 65us}", "565us", "565us"),
		Entry("40 m, where the attachments take less", "{length: 40m}", "200ns", "200ns"),
		Entry("ways of unequal length", "{length: 80km, backward_length: 140km}", "400us", "700us"),
		Entry("half round the world", "{length: 20000km}", "100ms", "100ms"),
		Entry("a bundle of wavelengths at the link's rate", "{length: 1km, wavelengths: 4, wavelength_rate: 25Gbps}", "5us",
			"5us"),
		Entry("a path that was switched before", "{length: 1km, timeline: [{at: 1ps, length: 3km}]}", "5us", "15us"),
	)

	It("is in the base RTT that validate prints and algorithms are told", func() {
		for _, p := range lab.Load("../scenarios/wan-120km.yaml", map[string]string{"traffic.size": "1MB"}) {
			report := scenario.Analyse(p, model.Extensions(shipped.Find))
			r := lab.Do(p, lab.Options{})
			Expect(report.Paths).To(HaveLen(1))
			Expect(report.Paths[0].Hops).To(Equal(2))
			Expect(report.Paths[0].BaseRTT).To(Equal(r.Flows[0].BaseRTT))
			Expect(r.Flows[0].BaseRTT).To(BeNumerically("~", 1204*unit.Microsecond, unit.Microsecond))
			Expect(r.Summary.RTT.P50).To(BeNumerically("~", r.Flows[0].BaseRTT.Microseconds(), 0.1))
			Expect(report.LongHauls[0].Fill).To(Equal(15 * unit.MB)) // 2 x 600 us at 100 Gb/s
		}
	})

	It("is filled by a transfer over 120 km, and drops nothing", func() {
		t := lab.NewTable("algorithm", "FCT / ideal", "held", "of rate x delay")
		for _, p := range lab.Load("../scenarios/wan-120km.yaml", map[string]string{"traffic.size": "30MB"}) {
			r := lab.Do(p, lab.Options{})
			held := r.WANs[0].InTransit[0]
			Expect(r.Summary.Drops).To(BeZero())
			Expect(r.Summary.Timeouts).To(BeZero())
			Expect(r.Summary.Incomplete).To(BeZero())
			slowdown := float64(r.Flows[0].Sender.Completed.Sub(r.Flows[0].Sender.Started)) / float64(r.Flows[0].Ideal)
			Expect(slowdown).To(BeNumerically("<", 1.001))
			share := float64(held.Max) / float64(held.Bound)
			Expect(share).To(And(BeNumerically(">", 0.999), BeNumerically("<=", 1)))
			t.Row(p.Name, fmt.Sprintf("%.4f", slowdown), held.BytesMax, fmt.Sprintf("%.4f", share))
		}
		t.Report("100 Gb/s over 120 km")
	})
})

// overload has two senders of 100 Gb/s for one receiver across 20 km, which
// takes nothing for a while: s1 stops s0 across the path, and all that is under way
// goes into the headroom of its DCI port.
const overload = `
algorithm: none
topology: {kind: dumbbell, left: 2, right: 1, bottleneck_rate: 200Gbps, bottleneck_wan: {length: 20km%s}}
switch: {ecn: {enabled: false}, dci: {pfc: {enabled: true%s}}}
nic: {rto: {floor: 50ms, initial: 50ms}}
traffic: [{kind: incast, size: 20MB}]
faults: [{host: h2, from: 50us, to: 1500us}]
`

var _ = Describe("pauses across a long-haul path", Label("wan", "pfc"), func() {
	It("stop the far switch, and the headroom that follows from the length loses nothing", func() {
		r := lab.Simulate(fmt.Sprintf(overload, "", ""))
		path, far := r.WANs[0].Ports, r.Switches[1].Ports[1]
		Expect(far.Classes.At(3).SentXOFF).To(BeNumerically(">", 0))
		Expect(path[0].TxPFCFrames).To(BeNumerically(">", 0))
		Expect(r.Switches[0].Ports[2].Classes.At(3).Paused).To(BeNumerically(">", 0))
		Expect(r.Summary.Drops).To(BeZero())
		// 200 Gb/s for 2 x 100 us, and what a short link needs.
		Expect(far.Classes.At(3).HeadroomMax).To(BeNumerically(">", 4.5*1e6))
		Expect(far.Classes.At(3).HeadroomMax).To(BeNumerically("<", 5.2*1e6))
	})

	It("come too late where the headroom is that of a short link", func() {
		r := lab.Do(lab.Plans(fmt.Sprintf(overload, "", ", headroom: 60KB"))[0], lab.Options{Lossy: true})
		Expect(r.Summary.ByReason[fabric.DropHeadroom]).To(BeNumerically(">", 0))
	})

	It("come later by the jitter, for which the headroom allows too", func() {
		r := lab.Simulate(fmt.Sprintf(overload, ", jitter: 20us", ""))
		Expect(r.Summary.Drops).To(BeZero())
		Expect(r.WANs[0].Ports[0].TxPFCFrames).To(BeNumerically(">", 0))
	})
})

var _ = Describe("a long-haul path on which everything happens", Label("wan", "loss"), func() {
	It("loses its input to lose, accounts for all, and the flows complete", func() {
		for _, p := range lab.Plans(lab.LongHaul) {
			r := lab.Do(p, lab.Options{}) // which demands conservation
			lost := r.WANs[0].Ports[0].RxLostFrames + r.WANs[0].Ports[1].RxLostFrames
			Expect(lost).To(BeNumerically(">", 0))
			Expect(r.Summary.Drops).To(Equal(lost))
			Expect(r.Summary.LinkLost).To(Equal(lost))
			Expect(r.Summary.Retransmits).To(BeNumerically(">", 0))
			Expect(r.Summary.Incomplete).To(BeZero())
		}
	})

	It("comes through a flap in the middle of a transfer by timeouts, at the latest", func() {
		const flap = `
algorithm: dcqcn
topology: {kind: dumbbell, left: 1, right: 1, bottleneck_wan: {length: 120km, timeline: [{at: 1ms, flap: 5ms}]}}
nic: {rto: {floor: 20ms, initial: 20ms}}
controller: {latency: 2ms}
traffic: [{from: h0, to: h1, size: 20MB}]
`
		r := lab.Simulate(flap)
		Expect(r.Summary.Incomplete).To(BeZero())
		// Light is back when the first timer expires: the bytes sent in the first millisecond less the way are there,
		// the rest was lost.
		Expect(r.Summary.LinkLost).To(BeNumerically(">", 0))
		Expect(r.Summary.Timeouts).To(BeNumerically(">=", 1))
		Expect(unit.Duration(r.End)).To(BeNumerically("<", 100*unit.Millisecond))
	})
})
