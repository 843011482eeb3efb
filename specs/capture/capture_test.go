package capture

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/pcapng"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/emulator/wire/layers"
	"github.com/rocelab/rocelab/specs/internal/lab"
)

// scenario is a run with all ports of its switch captured.
type scenario struct {
	name, yaml string
	ports      int
}

var scenarios = []scenario{
	{"an incast with PC4", `
name: pc4
algorithm: pc4
topology: {kind: star, hosts: 17}
traffic: [{kind: incast, size: 50500B, message: 20KB}]
`, 17},
	{"an incast with DCQCN, CNPs and PFC over links that lose frames", `
name: dcqcn
algorithm: dcqcn
topology: {kind: star, hosts: 17}
switch: {buffer: 1500KB, ecn: {kmin: 20KB, kmax: 100KB}, pfc: {quanta: 1000}}
traffic: [{kind: incast, size: 100KB, message: 10501B}]
nic: {rto: {floor: 100us, initial: 200us}}
faults: [{link: h*-s0, loss: 0.005}]
`, 17},
}

// run captures all ports of s0.
func (s *scenario) run(o lab.Options) (*lab.Run, []byte) {
	var ports []string
	for i := range s.ports {
		ports = append(ports, fmt.Sprintf("s0:%d", i))
	}
	return lab.Capture(lab.Plans(s.yaml)[0], o, ports...)
}

// count is the content of a capture by kind.
type count struct {
	sent, received, lost, sentBytes          uint64 // frames, PFC included
	data, acks, naks, cnps, xoffs, xons, ces uint64 // sent by the switch
}

// read counts the frames of a port, each decoded by gopacket.
func read(frames []lab.Captured, port string) (n count) {
	for i := range frames {
		f := &frames[i]
		if f.Port != port {
			continue
		}
		p := f.Decode()
		switch {
		case f.Direction == pcapng.Inbound && strings.Contains(f.Comment, "dropped: link"):
			n.lost++
			continue
		case f.Direction == pcapng.Inbound:
			n.received++
			continue
		}
		n.sent++
		n.sentBytes += uint64(len(f.Bytes))
		if pause := lab.PFC(p); pause != nil {
			if pause.Pause[3] != 0 {
				n.xoffs++
			} else {
				n.xons++
			}
			continue
		}
		bth := lab.BTH(p)
		switch aeth, _ := p.Layer(layers.LayerTypeAETH).(*layers.AETH); {
		case lab.IsData(bth):
			n.data++
		case bth.Opcode == wire.CNP:
			n.cnps++
		case aeth.Syndrome == wire.SyndromeNAKSequence:
			n.naks++
		default:
			n.acks++
		}
		if lab.IPv4(p).TOS&3 == wire.CE {
			n.ces++
		}
	}
	return n
}

// criteria hold a port's capture against its counters.
func criteria(n *count, p *record.Port) (c lab.Criteria) {
	same := func(what string, captured, counted uint64) {
		c.Want(captured == counted, "%s: %d captured, %d counted", what, captured, counted)
	}
	same("frames sent", n.sent, p.TxFrames)
	same("bytes sent", n.sentBytes, p.TxBytes)
	same("frames received", n.received, p.RxFrames)
	same("frames lost", n.lost, p.RxLostFrames)
	same("XOFF", n.xoffs, p.Classes.At(3).SentXOFF)
	same("XON", n.xons, p.Classes.At(3).SentXON)
	same("data", n.data, p.Queues.At(3).Frames)
	same("ACKs, NAKs and CNPs", n.acks+n.naks+n.cnps, p.Queues.At(6).Frames)
	same("CE", n.ces, p.Queues.At(3).Marked)
	return c
}

var _ = Describe("a captured run", Label("capture"), func() {
	for i := range scenarios {
		s := &scenarios[i]
		Describe("of "+s.name, Label(lab.Plans(s.yaml)[0].Name), func() {
			It("is read by gopacket, and holds the frames that the counters count", func() {
				r, file := s.run(lab.Options{})
				frames := lab.Frames(file)
				t := lab.NewTable("port", "sent", "data", "ACK", "NAK", "CNP", "XOFF", "XON", "CE", "received", "lost")
				var total count
				for port := range s.ports {
					name := fmt.Sprintf("s0:%d", port)
					n := read(frames, name)
					if port == 0 || port == s.ports-1 {
						t.Row(name, n.sent, n.data, n.acks, n.naks, n.cnps, n.xoffs, n.xons, n.ces, n.received, n.lost)
					}
					c := criteria(&n, &r.Switches[0].Ports[port])
					Expect(c.Missed).To(BeEmpty(), name)
					total.cnps += n.cnps
					total.xoffs += n.xoffs
					total.lost += n.lost
				}
				t.Report(s.name)
				if s == &scenarios[1] {
					Expect([]uint64{total.cnps, total.xoffs, total.lost}).To(HaveEach(BeNumerically(">", 0)))
				}
			})

			It("carries a right ICRC and survives the codec in every frame", func() {
				_, file := s.run(lab.Options{})
				for _, f := range lab.Frames(file) {
					var g wire.Frame
					Expect(wire.Decode(f.Bytes, &g)).To(Succeed())
					Expect(g.AppendTo(nil)).To(Equal(f.Bytes))
					if g.IsPFC() {
						continue
					}
					bth := lab.BTH(f.Decode())
					end := len(f.Bytes) - 4
					Expect(binary.LittleEndian.Uint32(f.Bytes[end:])).To(Equal(lab.ICRC(f.Bytes[14:end])),
						"%v at %v", bth.Opcode, f.At)
				}
			})

			It("is RoCEv2 or MAC control to tshark, and nothing is malformed", Label("tshark"), func() {
				r, file := s.run(lab.Options{})
				lines := lab.Tshark(file, "-T", "fields", "-E", "separator=|", "-e", "frame.protocols", "-e",
					"infiniband.bth.opcode", "-e", "_ws.malformed",
					"-e", "infiniband.invariant.crc")
				kinds, unseen := map[string]int{}, map[wire.Opcode]int{}
				for i, f := range lab.Frames(file) {
					field := strings.Split(lines[i], "|")
					protocols := strings.TrimSuffix(field[0], ":data")
					kinds[protocols]++
					Expect(protocols).To(BeElementOf("eth:ethertype:ip:udp:infiniband", "eth:ethertype:macc"), "frame %d", i+1)
					Expect(field[2]).To(BeEmpty(), "frame %d is malformed", i+1)
					bth := lab.BTH(f.Decode())
					if bth == nil {
						continue
					}
					Expect(field[1]).To(Equal(strconv.Itoa(int(bth.Opcode))), "opcode of frame %d", i+1)
					if field[3] == "" {
						unseen[bth.Opcode]++
						continue
					}
					// tshark reads the ICRC's four bytes in network order.
					trailer := bth.Trailer()
					Expect(field[3]).To(Equal(fmt.Sprintf("0x%08x", binary.BigEndian.Uint32(trailer[len(trailer)-4:]))),
						"ICRC of frame %d", i+1)
				}
				AddReportEntry("frames to tshark", fmt.Sprint(kinds, ", without ICRC ", unseen),
					ReportEntryVisibilityFailureOrVerbose)
				// To tshark 4.0 a CNP is vendor specific, and an ACK has no extension.
				for opcode := range unseen {
					Expect(opcode).To(BeElementOf(wire.CNP, wire.Acknowledge))
				}
				Expect(kinds["eth:ethertype:macc"] > 0).To(Equal(r.Summary.Pauses > 0))
			})

			It("gives the same bytes with frames carried as bytes, and the same trace as a run without a capture", func() {
				r, pointers := s.run(lab.Options{})
				o := lab.Options{}
				o.Codec = true
				_, coded := s.run(o)
				Expect(bytes.Equal(pointers, coded)).To(BeTrue())
				Expect(lab.Do(r.Plan, lab.Options{}).Trace).To(Equal(r.Trace))
			})
		})
	}
})
