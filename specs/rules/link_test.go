package rules

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/specs/internal/lab"
)

var _ = Describe("a link", Label("link", "loss"), func() {
	// Two flows in opposite directions: data and ACKs go both ways at both links.
	lost := func(fault string) (data, acks [2]uint64) {
		r := lab.Do(lab.Plans(`
algorithm: {name: fixed, params: {rate: 40Gbps}}
topology: {kind: star, hosts: 2}
traffic: [{name: there, from: h0, to: h1, size: 2MB}, {name: back, from: h1, to: h0, size: 2MB}]
faults: [` + fault + `]
`)[0], lab.Options{Lossy: true})
		for i := range r.Flows { // there, back
			f := &r.Flows[i]
			data[i] = f.Sender.Packets - f.Receiver.Packets - f.Receiver.OutOfOrder - f.Receiver.Duplicate
			acks[i] = f.Receiver.ACKs + f.Receiver.NAKs - f.Sender.Acks - f.Sender.NAKs
		}
		return data, acks
	}

	It("loses acknowledgements alone, on their way to the end that the fault names", func() {
		data, acks := lost("{link: h0-s0, loss: 0.1, frames: acks, toward: h0}")
		Expect(data).To(Equal([2]uint64{}))
		Expect(acks[0]).To(BeNumerically("~", 200, 60))
		Expect(acks[1]).To(BeZero())
		data, acks = lost("{link: h0-s0, loss: 0.1, frames: acks, toward: s0}")
		Expect(data).To(Equal([2]uint64{}))
		Expect(acks[0]).To(BeZero())
		Expect(acks[1]).To(BeNumerically("~", 200, 60))
	})

	// Two flows into one port, which marks: CNPs by the direction in which a link clears ECN bits, and drops by WRED.
	bleached := func(toward string) (cnps, drops uint64) {
		r := lab.Do(lab.Plans(`
algorithm: dcqcn
topology: {kind: star, hosts: 3}
traffic: [{kind: incast, size: 500KB}]
switch: {pfc: {enabled: false}}
faults: [{link: h*-s0, bleach: true, toward: "` + toward + `"}]
`)[0], lab.Options{Lossy: true})
		for i := range r.Flows {
			cnps += r.Flows[i].Receiver.CNPs
		}
		for i := range r.Switches[0].Ports {
			drops += r.Switches[0].Ports[i].Drops[fabric.DropWRED]
		}
		return cnps, drops
	}

	It("clears ECN bits of packets, towards the end that the fault names", func() {
		cnps, drops := bleached("h*")
		Expect(cnps).To(BeZero())
		Expect(drops).To(BeZero())
	})

	It("lets WRED drop packets whose ECN bits it cleared", func() {
		cnps, drops := bleached("s0")
		Expect(cnps).To(BeZero())
		Expect(drops).To(BeNumerically(">", 0))
	})

	It("loses packets of messages alone, in both directions unless the fault names an end", func() {
		data, acks := lost("{link: h0-s0, loss: 0.01, frames: data}")
		Expect(data).To(HaveEach(BeNumerically(">=", 5)))
		Expect(acks).To(Equal([2]uint64{}))
	})
})
