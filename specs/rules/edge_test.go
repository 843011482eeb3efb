package rules

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/edge"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/trace"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/nicd"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

var _ = Describe("an edge", Label("edge"), func() {
	It("drops what its NIC queue has no room for, and no more", func() {
		h := hosts{}
		h.send("h2", millisecond, arp(all, station(1), 60))
		for range 100 { // one is sent at once, 40 have room
			h.send("h0", 2*millisecond, arp(station(1), station(0), 1500))
		}
		for range 40 { // once they are out there is room again
			h.send("h0", 4*millisecond, arp(station(1), station(0), 1500))
		}
		r, heard := h.run(strings.Replace(mesh, "interface: a", "interface: a, queue: 60KB", 1))
		Expect(r.Summary.ByReason[fabric.DropNICQueue]).To(BeEquivalentTo(59))
		Expect(heard["h2"]).To(HaveLen(41 + 40))
	})

	// Fifty CNPs for the sender of the flow from h1, station 0, to h4, station 2.
	DescribeTable("has a neighbour's CNPs", func(option string, source int, taken, wrongPeer, acl uint64) {
		h := hosts{}
		cnp := wire.Frame{
			EtherType: wire.EtherTypeIPv4,
			SrcIP:     plan.StationIP(source),
			DstIP:     plan.StationIP(0),
			TTL:       64,
			Opcode:    wire.CNP,
			PKey:      wire.DefaultPKey,
			DestQP:    nicd.FirstQP,
		}
		for range 50 {
			h.send("h2", millisecond, cnp.AppendTo(nil))
		}
		r, _ := h.run(strings.Replace(mesh, "interface: b", "interface: b"+option, 1))
		Expect(r.Flows[0].Sender.CNPs).To(Equal(taken + r.Flows[0].Receiver.CNPs))
		Expect(r.Summary.ByReason[fabric.DropWrongPeer]).To(Equal(wrongPeer))
		Expect(r.Summary.ByReason[fabric.DropACL]).To(Equal(acl))
		Expect(r.Devices[1].Foreign.Kinds[record.ForeignCNP]).To(BeEquivalentTo(50))
	},
		Entry("obeyed that have the address of the flow's receiver", "", 2, uint64(50), uint64(0), uint64(0)),
		Entry("refused by the QP that have another", "", 4, uint64(0), uint64(50), uint64(0)),
		Entry("ended at the edge with cnp: drop", ", cnp: drop", 2, uint64(0), uint64(0), uint64(50)),
	)

	// Two edges of 10 Gb/s send to one for 5 ms: the fabric pauses both.
	DescribeTable("hears the fabric's pauses, and", func(obeys string, here bool) {
		h := hosts{}
		h.send("h2", millisecond, arp(all, station(1), 60))
		for i := range 4000 {
			for from, edge := range []string{"h0", "h5"} {
				at := 2*millisecond + unit.Time(i)*5*microsecond/4
				h.send(edge, at, datagram(station(1), station(2*from), 26<<2|2, 1500))
			}
		}
		yaml := strings.ReplaceAll(mesh, ", interface", ", queue: 20MB, pfc: "+obeys+", interface")
		r, _ := h.run(yaml + "switch: {buffer: 2MB}\n")
		for _, at := range []int{0, 2} {
			port := &r.Devices[at].Ports[0]
			Expect(port.PausesReceived().XOFF[3]).To(BeNumerically(">", 0))
			Expect(port.Classes.At(3).Paused > unit.Millisecond).To(Equal(here))
		}
		Expect(r.Summary.ByReason[fabric.DropHeadroom] == 0).To(Equal(here))
	},
		Entry("obeys them with pfc: here, so that nothing is lost", "here", true),
		Entry("leaves them to its host otherwise", "host", false),
	)

	It("takes nothing before what it did, out of turn, or too late for the fabric", func() {
		ch := fabric.Channel{Rate: unit.Gbps, Latency: 100 * unit.Microsecond}
		e, err := edge.New(edge.Config{Name: "e", Queue: unit.MB, Attachment: fabric.Attachment{Tx: ch, Rx: ch}})
		Expect(err).NotTo(HaveOccurred())
		out := fabric.NewOutbox(1, make([]uint8, 2))
		out.Begin(0, new(trace.Hash))
		frame := func() *wire.Frame {
			f := out.New()
			f.SetOpaque(make([]byte, 1000))
			return f
		}
		Expect(e.Inject(10*microsecond, 0, frame())).To(Equal(10*microsecond), "its own time")
		Expect(e.Inject(9*microsecond, 0, frame())).To(Equal(10*microsecond), "its turn")
		e.Advance(50*microsecond, out)
		e.Deliver(0, 0, 1000, frame())
		// The link was free, and the second one's turn, 8.192 us after the first.
		Expect(e.Inject(11*microsecond, 0, frame())).To(Equal(18_192*unit.Time(unit.Nanosecond)), "after what it did")
		Expect(e.Inject(20*microsecond, 150*microsecond, frame())).To(Equal(50*microsecond), "after the window")
	})
})
