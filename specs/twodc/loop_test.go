package twodc

import (
	"encoding/json"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/specs/internal/lab"
	"github.com/rocelab/rocelab/testbed/model"
)

// onePacket is a message of one packet across the fibre, or within a site, through
// switches that take their time.
const onePacket = `
topology: {kind: two-dc, scale: "1/64", dci_wan: {length: 120km}}
mtu: 4096B
algorithm: dcqcn
switch: {latency: 700ns, proximal: {enabled: true}}
switches: {a-leaf0: {latency: 1100ns}, a-leaf1: {latency: 1300ns}}
traffic: [{from: a-h0, to: PEER, size: 4096B}]
`

// A device knows the loop of a flow from its receiver by heart: it is the time from the first bit of a packet
// to the end of its answer, whichever switch of the path is asked. Mutant: the latency of a switch, of the
// receiver's own link or of the way back is left out.
var _ = Describe("the end-to-end loop that a switch knows of a flow", Label("short", "proximal"), func() {
	DescribeTable("is the time that a packet and its answer take on empty queues", func(peer string, switches ...string) {
		plans := lab.Plans(strings.ReplaceAll(onePacket, "PEER", peer))
		run := lab.Do(plans[0], lab.Options{})
		flow := &run.Plan.Flows[0]
		taken := run.Flows[0].Sender.Completed.Sub(flow.Start)
		// The packet is the first of its message and has 16 B more, and the answer is an ACK.
		serial := func(path fabric.Path, opcode wire.Opcode, payload unit.Bytes) (sum unit.Duration) {
			frame := wire.Frame{EtherType: wire.EtherTypeIPv4, Opcode: opcode, PayloadLen: uint16(payload)}
			for i := range path {
				sum += run.Plan.Accounting.SerialTime(&frame, path[i].Rate)
			}
			return sum
		}
		mtu := run.Plan.MTU
		taken += serial(flow.Path, wire.WriteMiddle, mtu) - serial(flow.Path, wire.WriteOnly, mtu)
		taken += serial(flow.Back, wire.CNP, 0) - serial(flow.Back, wire.Acknowledge, 0)
		fabric, err := model.Blueprints(run.Plan)
		Expect(err).NotTo(HaveOccurred())
		asked := 0
		for i := range run.Plan.Switches {
			if !slices.Contains(switches, run.Plan.Switches[i].Name) {
				continue
			}
			order, err := json.Marshal(fabric.Nodes[i]) // what a daemon is told
			Expect(err).NotTo(HaveOccurred())
			var told model.Blueprint
			Expect(json.Unmarshal(order, &told)).To(Succeed())
			known := told.Design.(*model.Switch).Proximity
			Expect(known.EndToEnd(uint32(i), uint32(flow.Src), uint32(flow.Dst))).To(Equal(taken), told.Name)
			asked++
		}
		Expect(asked).To(Equal(len(switches)))
	},
		Entry("across the fibre", "b-h7", "a-leaf0", "a-spine0", "b-spine0", "b-leaf3"),
		Entry("across the site", "a-h3", "a-leaf0", "a-spine0", "a-leaf1"),
		Entry("at one switch", "a-h1", "a-leaf0"),
	)
})
