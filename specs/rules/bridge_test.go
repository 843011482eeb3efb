package rules

import (
	"bytes"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

const (
	microsecond = unit.Time(unit.Microsecond)
	millisecond = unit.Time(unit.Millisecond)
)

// Frames of others that are for no address of the fabric.
var _ = Describe("a switch that bridges", Label("switch", "edge"), func() {
	It("sends what is for a station that it heard to that alone", func() {
		h := hosts{}
		question, answer, thanks := arp(all, station(0), 60), arp(station(0), station(1), 61), arp(station(1), station(0), 62)
		h.send("h0", millisecond, question)
		h.send("h2", 3*millisecond, answer)
		h.send("h0", 5*millisecond, thanks)
		_, heard := h.run(mesh)
		Expect(heard).To(Equal(map[string][][]byte{"h0": {answer}, "h2": {question, thanks}, "h5": {question}}))
	})

	It("learns no more stations behind a port than its share, so that others are heard of", func() {
		h := hosts{}
		h.send("h2", millisecond, arp(all, station(1), 60))
		for i := range 5000 {
			h.send("h0", 2*millisecond+unit.Time(i)*microsecond, arp(station(1), station(1000+i), 60))
		}
		h.send("h5", 8*millisecond, arp(station(1), station(2), 60))
		h.send("h2", 9*millisecond, arp(station(2), station(1), 60))
		r, heard := h.run(mesh)
		most := uint64(0)
		for i := range r.Switches {
			known := uint64(0)
			for _, port := range r.Switches[i].Ports {
				known += port.Bridge.Stations
			}
			most = max(most, known)
		}
		Expect(most).To(And(BeNumerically(">", 1000), BeNumerically("<=", 4096)))
		Expect(heard["h0"]).To(HaveLen(1)) // the first broadcast
		Expect(heard["h5"]).To(HaveLen(2))
		Expect(heard["h2"]).To(HaveLen(5001))
	})

	It("learns nothing from a flood above its bound", func() {
		h := hosts{}
		for i := range 200 { // of which 64 pass
			h.send("h0", millisecond+unit.Time(i), arp(all, station(i), 1000))
		}
		r, heard := h.run(mesh)
		Expect(len(heard["h5"])).To(BeNumerically("~", 64, 5))
		for i := range r.Switches {
			for _, port := range r.Switches[i].Ports {
				Expect(port.Bridge.Stations).To(Or(BeZero(), BeEquivalentTo(len(heard["h5"]))))
			}
		}
	})

	It("floods 64 KB and then 1 % of what a port may bring, each frame once to each edge", func() {
		h := hosts{}
		for i := range 4000 { // 1.6 Gb/s for 20 ms
			h.send("h0", millisecond+unit.Time(i)*5*microsecond, arp(all, station(0), 1000))
		}
		r, heard := h.run(mesh)
		for _, edge := range []string{"h2", "h5"} {
			Expect(len(heard[edge])).To(BeNumerically("~", 64+250, 2))
		}
		Expect(heard["h0"]).To(BeEmpty())
		Expect(r.Summary.ByReason[fabric.DropNoRoute]).To(BeZero(), "outside the tree")
		Expect(r.Summary.ByReason[fabric.DropFlood]).To(BeEquivalentTo(4000 - len(heard["h2"])))
	})

	It("ends what is for a link-local group, and passes on what is for the next", func() {
		h := hosts{}
		for i := range 17 {
			group := []byte{1, 0x80, 0xC2, 0, 0, byte(i)}
			h.send("h0", millisecond+unit.Time(i)*microsecond, ethernet(group, station(0), 0x88, 0xCC))
		}
		r, heard := h.run(mesh)
		Expect(r.Summary.ByReason[fabric.DropLinkLocal]).To(BeEquivalentTo(16))
		Expect(heard["h2"]).To(HaveLen(1))
		Expect(heard["h2"][0][5]).To(BeEquivalentTo(16))
	})

	It("carries any frame byte for byte", func() {
		rest := func(first string, n int) []byte { return append([]byte(first), bytes.Repeat([]byte{0x5A}, n)...) }
		odd := [][]byte{
			rest("\x86\xDD\x6A\xBC\xDE\xF1", 80),                        // IPv6 with a traffic class
			rest("\x81\x00\x60\x05\x86\xDD\x6F\x31", 80),                // the same in 802.1Q
			rest("\x88\xA8\x00\x05\x81\x00\x00\x06\x08\x06", 60),        // QinQ
			rest("\x08\x00\x4F\x00\xFF\xFF", 90),                        // a lie of IPv4
			rest("\x08\x06", 8900),                                      // jumbo
			rest("\x00\x28", 60),                                        // 802.3
			[]byte("\x09" + strings.Repeat("\x00", 47)),                 // a runt
			append([]byte{8, 0}, datagram(all, all, 0x2A, 500)[14:]...), // UDP
		}
		h := hosts{}
		h.send("h5", millisecond, arp(all, station(2), 60))
		var want [][]byte
		for i, b := range odd {
			frame := ethernet(station(2), station(0), b...)
			want = append(want, frame)
			h.send("h0", 2*millisecond+unit.Time(i)*100*microsecond, frame)
		}
		_, heard := h.run(strings.Replace(mesh, "interface: a", "interface: a, mtu: 9000B", 1))
		Expect(heard["h5"]).To(Equal(want))
	})

	// Two edges of 10 Gb/s send to one: its queue grows without end. The class is lossy.
	DescribeTable("at a queue that is too long", func(tos byte, profile string, check func(sent, marked, dropped int)) {
		h := hosts{}
		h.send("h2", millisecond, arp(all, station(1), 60))
		const each = 1000
		for i := range each {
			for from, edge := range []string{"h0", "h5"} {
				at := 2*millisecond + unit.Time(i)*5*microsecond/4
				h.send(edge, at, datagram(station(1), station(2*from), tos, 1500))
			}
		}
		r, heard := h.run(mesh + "switch: {pfc: {lossless: []}" + profile + "}\n")
		marked := 0
		for _, b := range heard["h2"] {
			want := datagram(b[:6], b[6:12], b[15], 1500)
			Expect(b).To(Equal(want), "but for ECN, whose checksum is right")
			Expect(b[15] | 3).To(Equal(tos | 3))
			if b[15] != tos {
				Expect(b[15] & 3).To(BeEquivalentTo(3))
				marked++
			}
		}
		Expect(r.Summary.Drops).To(Equal(r.Summary.ByReason[fabric.DropWRED]))
		Expect(len(heard["h2"])).To(BeNumerically(">", each))
		check(2*each, marked, int(r.Summary.Drops))
	},
		Entry("it marks what is ECN-capable", byte(2), "", func(sent, marked, dropped int) {
			Expect(marked).To(BeNumerically(">", sent/10))
			Expect(dropped).To(BeZero())
		}),
		Entry("it drops what is not with drop_not_ect", byte(0), ", drop_not_ect: true", func(sent, marked, dropped int) {
			Expect(marked).To(BeZero())
			Expect(dropped).To(BeNumerically(">", sent/10))
		}),
		Entry("it drops nothing without", byte(0), ", drop_not_ect: false", func(_, marked, dropped int) {
			Expect(marked + dropped).To(BeZero())
		}),
	)
})
