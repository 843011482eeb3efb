package veth

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math/bits"
	"sync/atomic"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/specs/internal/lab"
	"github.com/rocelab/rocelab/testbed/nodes/netns"
	"github.com/rocelab/rocelab/testbed/nodes/packet"
	"github.com/rocelab/rocelab/testbed/nodes/veth"
)

// single is one flow alone, which nothing marks, delays or loses.
const single = `
name: single
algorithm: dcqcn
topology: {kind: star, hosts: 2}
nic: {rto: {floor: 100us, initial: 200us}}
traffic: [{from: h0, to: h1, size: 100KB}]
`

// meddler is a man in the middle of the link to h1: it does something with one
// of the data frames to h1, and lets everything else pass.
type meddler struct {
	// with is done with data frame number at; nil lets it pass.
	with     func(frame []byte) (copies int)
	at, data int
}

// The data frames of the flow, and one from their midst, counted from 1.
const (
	frames  = 100
	halfway = 20
)

func (m *meddler) tamper(_ int, frame []byte) int {
	var f wire.Frame
	if wire.Decode(frame, &f) != nil || !f.IsData() {
		return 1
	}
	if m.data++; m.data == m.at && m.with != nil {
		return m.with(frame)
	}
	return 1
}

// linkOf is the number of a NIC's link, and its name.
func linkOf(p *plan.Plan, nic int) (number int, name string) {
	number = p.NICs[nic].Link
	l := &p.Links[number]
	return number, p.NodeName(l.A.Node) + "-" + p.NodeName(l.B.Node)
}

// Positions of fields in an untagged frame of RoCEv2 over IPv4: after 14 B of Ethernet 20 B of IP, 8 B of UDP and 12 B
// of BTH, which ends in the PSN.
const (
	ipAt    = 14
	tosAt   = ipAt + 1
	sumAt   = ipAt + 10
	becnAt  = ipAt + 20 + 8 + 4
	psnAt   = ipAt + 20 + 8 + 9
	icrcLen = 4
)

// congested sets the lower bit of ECN in a frame that is ECT(0), which makes
// it CE, and mends the header's checksum.
func congested(frame []byte) int {
	frame[tosAt] |= 1
	header := frame[ipAt : ipAt+20]
	binary.BigEndian.PutUint16(frame[sumAt:], 0)
	sum := uint32(0)
	for i := 0; i < len(header); i += 2 {
		sum += uint32(binary.BigEndian.Uint16(header[i:]))
	}
	sum = sum>>16 + sum&0xFFFF
	binary.BigEndian.PutUint16(frame[sumAt:], ^uint16(sum+sum>>16))
	return 1
}

// renumbered changes one bit of the PSN, and mends the ICRC.
func renumbered(frame []byte) int {
	frame[psnAt+2] ^= 0x40
	end := len(frame) - icrcLen
	binary.LittleEndian.PutUint32(frame[end:], wire.ICRC(frame[ipAt:end]))
	return 1
}

// changedBits counts the bits, beside those of checksums, that differ.
func changedBits(before, after []byte) (n int) {
	for i := range before {
		if i != sumAt && i != sumAt+1 && i < len(before)-icrcLen {
			n += bits.OnesCount8(before[i] ^ after[i])
		}
	}
	return n
}

var _ = Describe("a frame on its way over a veth", Label("veth"), Ordered, func() {
	var p *plan.Plan
	var want *lab.Run
	var m *meddler
	var b *veth.Testbed
	var wireName string

	BeforeAll(func() {
		p = lab.Plans(single)[0]
		want = inMemory(p)
		Expect([]uint64{want.Summary.CNPs, want.Summary.NAKs, want.Summary.Marks}).To(HaveEach(BeZero()))
		var number int
		number, wireName = linkOf(p, 1)
		// The hook is called on another goroutine, but only during runs.
		b = deploy(p, veth.Config{})
		tamperWith(b, number, func(direction int, frame []byte) int { return m.tamper(direction, frame) })
	})
	BeforeEach(func() { m = &meddler{at: halfway} })

	// changing has one frame changed, by one bit.
	changing := func(change func([]byte) int) *lab.Run {
		GinkgoHelper()
		differ, valid := -1, false
		m.with = func(frame []byte) int {
			before := bytes.Clone(frame)
			copies := change(frame)
			differ = changedBits(before, frame)
			var f wire.Frame
			valid = wire.Decode(frame, &f) == nil
			return copies
		}
		r := runOn(b, p, veth.Options{})
		Expect(differ).To(Equal(1))
		Expect(valid).To(BeTrue())
		Expect(r.Trace).NotTo(Equal(want.Trace))
		Expect(r.Summary.Incomplete).To(BeZero())
		return r
	}

	It("may be read, and the run is that in memory", func() {
		expectSame(want, runOn(b, p, veth.Options{}), "read")
		Expect(m.data).To(Equal(frames))
	})

	It("makes the receiver send a CNP when one bit of its ECN changes", func() {
		r := changing(congested)
		Expect(r.Summary.CNPs).To(Equal(uint64(1)))
		Expect(r.Summary.Marks + r.Summary.NAKs).To(BeZero())
	})

	It("makes the receiver send a NAK when one bit of its PSN changes", func() {
		r := changing(renumbered)
		Expect(r.Summary.NAKs).To(Equal(uint64(1)))
		Expect(r.Summary.CNPs + r.Summary.Drops).To(BeZero())
		Expect(r.Summary.Retransmits).To(BeNumerically(">", 0))
	})

	It("ends the run when a bit changes that no checksum was mended for", func() {
		m.with = func(frame []byte) int { frame[psnAt] ^= 1; return 1 }
		_, err := b.Run(context.Background(), p, veth.Options{})
		Expect(err).To(MatchError(And(ContainSubstring("link "+wireName), ContainSubstring("ICRC"))))
	})

	DescribeTable("ends the run with the link's name when it comes twice", func(at int) {
		m.at, m.with = at, func([]byte) int { return 2 }
		_, err := b.Run(context.Background(), p, veth.Options{})
		Expect(err).To(MatchError(And(ContainSubstring("link "+wireName+": frame"), ContainSubstring("came twice"),
			ContainSubstring(b.Name))))
	}, Entry("among others", halfway), Entry("the last of all", frames))

	It("ends the run with the link's name when it is lost", func() {
		m.with = func([]byte) int { return 0 }
		_, err := b.Run(context.Background(), p, veth.Options{})
		Expect(err).To(MatchError(And(ContainSubstring("link "+wireName+": of "),
			ContainSubstring("lost between the daemons"))))
	})

	It("leaves no trace in the next run", func() {
		expectSame(want, runOn(b, p, veth.Options{}), "after runs that failed")
	})
})

// stranger is a raw socket at an interface.
type stranger struct{ fd int }

// enterAs is a stranger at an interface of a node.
func enterAs(s *veth.Testbed, node string, port int) *stranger {
	GinkgoHelper()
	n, ok := s.Node(node)
	Expect(ok).To(BeTrue())
	return enter(netns.End{Namespace: s.Containers[n.Container].NetNS, Interface: n.Interfaces[port]})
}

func enter(e netns.End) *stranger {
	GinkgoHelper()
	x := new(stranger)
	Expect(netns.In(e.Namespace, func() (err error) {
		if x.fd, err = unix.Socket(unix.AF_PACKET, unix.SOCK_RAW|unix.SOCK_CLOEXEC, 0); err != nil {
			return err
		}
		var request *unix.Ifreq
		if request, err = unix.NewIfreq(e.Interface); err != nil {
			return err
		}
		if err = unix.IoctlIfreq(x.fd, unix.SIOCGIFINDEX, request); err != nil {
			return err
		}
		return unix.Bind(x.fd, &unix.SockaddrLinklayer{Ifindex: int(request.Uint32())})
	})).To(Succeed())
	DeferCleanup(unix.Close, x.fd)
	return x
}

func (x *stranger) send(frame []byte) error {
	_, err := unix.Write(x.fd, frame)
	return err
}

var _ = Describe("frames that others send on a link", Label("veth"), func() {
	It("are counted and shown, and reach no model", func() {
		p := lab.Plans(single)[0]
		number, name := linkOf(p, 0)
		var strangers []*stranger
		var failed atomic.Pointer[error]
		var sent atomic.Int64
		foreign := foreignFrames(p)
		b := deploy(p, veth.Config{})
		tamperWith(b, number, func(int, []byte) int {
			if sent.Add(1) != halfway {
				return 1
			}
			for _, x := range strangers { // at both ends of the link
				for _, frame := range foreign {
					if err := x.send(frame); err != nil {
						failed.Store(&err)
					}
				}
			}
			return 1
		})
		strangers = []*stranger{enterAs(b, "h0", 0), enterAs(b, "s0", 0)}
		r := runOn(b, p, veth.Options{})
		Expect(failed.Load()).To(BeNil())
		expectSame(inMemory(p), r, "among foreign frames")
		count := fmt.Sprintf("%d foreign frames at ", len(foreign))
		Expect(r.Remarks).To(ConsistOf(
			And(HavePrefix(count+"h0:0"), ContainSubstring("link "+name)),
			And(HavePrefix(count+"s0:0"), ContainSubstring("link "+name))))
	})
})

// foreignFrames are frames of all kinds that are not of the run: an ARP request,
// the shortest, the longest that the link carries, without and with a tag, and
// one of RoCEv2 with the trailer of another run.
func foreignFrames(p *plan.Plan) [][]byte {
	broadcast := append(bytes.Repeat([]byte{0xFF}, 6), 2, 0, 0, 0, 0, 9)
	frame := func(etherType uint16, payload int) []byte {
		b := binary.BigEndian.AppendUint16(bytes.Clone(broadcast), etherType)
		return append(b, make([]byte, payload)...)
	}
	mtu := int(p.MaxFrame()) + 64
	f := wire.Frame{
		EtherType: wire.EtherTypeIPv4,
		Opcode:    wire.Acknowledge,
		SrcIP:     p.NICs[1].IP,
		DstIP:     p.NICs[0].IP,
		PKey:      0xFFFF,
		TTL:       64,
		Fragment:  0x4000,
	}
	late := f.AppendTo(nil)
	other := packet.Trailer{Run: 1, Sequence: 5}
	late = append(late, make([]byte, packet.TrailerLen)...)
	other.Put(late[len(late)-packet.TrailerLen:])
	return [][]byte{frame(unix.ETH_P_ARP, 46), frame(0x88B5, 0), frame(0x88B5, mtu), frame(unix.ETH_P_8021Q, mtu+4), late}
}
