package live

import (
	"fmt"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/nicd"
	"github.com/rocelab/rocelab/specs/internal/lab"
	"github.com/rocelab/rocelab/testbed/nodes/veth"
)

// neighbours are two hosts of others beside a flow of ours from h1 to h4.
const neighbours = `
name: neighbours
algorithm: dcqcn
run: {until: 600ms}
topology:
  kind: explicit
  rate: 100Mbps
  nodes:
    - {name: s0, kind: switch}
    - {name: h1, kind: host}
    - {name: h4, kind: host}
    - {name: a, kind: edge, interface: out0, namespace: %[1]s%[2]s}
    - {name: b, kind: edge, interface: out1, namespace: %[1]s}
  links:
    - {endpoints: [h1, s0], latency: 100us}
    - {endpoints: [h4, s0], latency: 100us}
    - {endpoints: [a, s0]}
    - {endpoints: [b, s0]}
traffic: [{kind: flow, from: h1, to: h4, size: 3MB}]
`

// cnpFrom is a CNP to the sender of that flow, from an address.
func cnpFrom(source uint32) []byte {
	frame := wire.Frame{
		EtherType: wire.EtherTypeIPv4,
		Src:       wire.MAC(sender),
		Dst:       wire.MAC{2, 0x46, 0, 0, 0, 1},
		SrcIP:     source,
		DstIP:     plan.StationIP(0),
		TOS:       48 << 2,
		TTL:       64,
		SrcPort:   0xC000,
		Opcode:    wire.CNP,
		Notify:    wire.BECN,
		PKey:      wire.DefaultPKey,
		DestQP:    nicd.FirstQP,
	}
	return frame.AppendTo(nil)
}

// Controls: a QP that ignores addresses; conservation that knows only the receivers' CNPs; an edge without its ACL.
var _ = Describe("a neighbour's CNPs", Label("live"), func() {
	// forged runs with fifty CNPs of the neighbour's own address and fifty of the receiver's.
	forged := func(option string) *lab.Run {
		GinkgoHelper()
		hosts, middle := pairFrom(1500, 2)
		p := lab.Plans(fmt.Sprintf(neighbours, middle, option))[0]
		b := deploy(p, veth.Pool)
		at := port(hosts[0])
		got, folder := recorded(b, p, veth.Options{Dilation: 1, Progress: onceBegun(func() {
			go func() {
				defer GinkgoRecover()
				for i := range 100 {
					at.Send(cnpFrom(plan.StationIP(1 + i%2))) // h4's address, and that of a
					at.Flush()
					time.Sleep(time.Millisecond)
				}
			}()
		})})
		Expect(got.Devices[0].Foreign.Kinds[record.ForeignCNP]).To(BeEquivalentTo(100))
		Expect(got.Violations()).To(BeEmpty())
		Expect(got.Flows[0].Receiver.CNPs).To(BeZero())
		again := replayed(p, folder)
		Expect(fmt.Sprintf("%016x", again.Trace)).To(Equal(fmt.Sprintf("%016x", got.Trace)))
		Expect(again.Files()["edges.csv"]).To(Equal(got.Files()["edges.csv"]))
		return got
	}
	note := func(text string) OmegaMatcher {
		return ContainElement(result.Finding{Status: result.Pass, Subject: result.Conservation, Text: text})
	}

	It("are obeyed if they have the receiver's address, end at the NIC if not, and are no broken invariant", func() {
		got := forged("")
		Expect(got.Flows[0].Sender.CNPs).To(BeEquivalentTo(50))
		Expect(got.Summary.ByReason[fabric.DropWrongPeer]).To(BeEquivalentTo(50))
		Expect(got.Verdict.Findings).To(note("100 foreign CNPs came in at edge a: 50 with the address of the " +
			"receiver of flow/h1-h4, whose sender took 50 CNPs while the receiver sent 0; a sender cannot tell " +
			"them from its receiver's, and obeys them"))
	})

	It("end at the edge with cnp: drop", func() {
		got := forged(", cnp: drop")
		Expect(got.Flows[0].Sender.CNPs).To(BeZero())
		Expect(got.Summary.ByReason[fabric.DropACL]).To(BeEquivalentTo(100))
		Expect(got.Summary.Drops).To(BeZero())
		Expect(got.Verdict.Findings).To(note(
			"100 foreign CNPs came in at edge a, which dropped all of them (cnp: drop)"))
	})
})
