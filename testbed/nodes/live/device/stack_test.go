package device

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/testbed/nodes/internal/packettest"
	"github.com/rocelab/rocelab/testbed/nodes/live/device/offload"
)

// bridge is two hosts with stacks of their own, all offloads on as veth has them, with
// nothing between but two ports and a loop that copies whole frames.
type bridge struct {
	t     *testing.T
	hosts [2]*cable
	ports [2]*Port
	stop  func()
	// untagged is set if this kernel has no interfaces with tags (module 8021q).
	untagged bool
}

func newBridge(t *testing.T) *bridge {
	b := &bridge{t: t, hosts: [2]*cable{newCable(t, 1500), newCable(t, 1500)}}
	for i, h := range b.hosts {
		b.ports[i] = h.port(Default(1500))
		packettest.In(t, h.host, func() error {
			if err := os.WriteFile("/proc/sys/net/ipv6/conf/"+hostEnd+"/disable_ipv6", []byte("0"), 0); err != nil {
				return err
			}
			return address(hostEnd, fmt.Sprintf("10.9.0.%d/24", i+1), fmt.Sprintf("fd09::%d/64", i+1))
		})
	}
	stopped, done := make(chan bool), sync.WaitGroup{}
	done.Go(func() {
		for {
			select {
			case <-stopped:
				return
			default:
				b.copy()
			}
		}
	})
	b.stop = sync.OnceFunc(func() { close(stopped); done.Wait() })
	t.Cleanup(b.stop)
	return b
}

// copy carries frames, and waits a little if there are none.
func (b *bridge) copy() {
	carried := 0
	for i, from := range b.ports {
		to := b.ports[1-i]
		for frame, _, ok := from.Next(); ok; frame, _, ok = from.Next() {
			to.Send(frame)
			from.Release()
			carried++
		}
		to.Flush()
	}
	if carried == 0 {
		poll(b.ports[0], time.Millisecond)
	}
}

// address gives an interface addresses that are at once its own.
func address(name string, addresses ...string) error {
	return packettest.Set(name, func(l netlink.Link) error {
		for _, a := range addresses {
			address, err := netlink.ParseAddr(a)
			if err != nil {
				return err
			}
			address.Flags = unix.IFA_F_NODAD
			if err := netlink.AddrAdd(l, address); err != nil {
				return err
			}
		}
		return nil
	})
}

// tag gives both hosts an interface on top for each tag, with addresses of its own.
func (b *bridge) tag(protocols ...netlink.VlanProtocol) {
	for i, h := range b.hosts {
		packettest.In(b.t, h.host, func() error {
			parent := hostEnd
			for level, p := range protocols {
				l, err := netlink.LinkByName(parent)
				if err != nil {
					return err
				}
				parent = fmt.Sprintf("tag%d", level)
				v := &netlink.Vlan{
					LinkAttrs:    netlink.LinkAttrs{Name: parent, ParentIndex: l.Attrs().Index, MTU: 1500 - 4*level},
					VlanId:       5 + level,
					VlanProtocol: p,
				}
				if err := netlink.LinkAdd(v); errors.Is(err, unix.EOPNOTSUPP) {
					b.untagged = true
					return nil
				} else if err != nil {
					return err
				}
				if err := packettest.Set(parent, netlink.LinkSetUp); err != nil {
					return err
				}
			}
			return address(parent, fmt.Sprintf("10.8.0.%d/24", i+1), fmt.Sprintf("fd08::%d/64", i+1))
		})
	}
}

const transfer = 8 << 20

// transfer sends bytes by TCP from the first host to the second and compares digests.
func (b *bridge) transfer(to string, prepare func(fd int) error) {
	t := b.t
	t.Helper()
	content := numbered(transfer, 7)
	var listener net.Listener
	packettest.In(t, b.hosts[1].host, func() (err error) {
		listener, err = net.Listen("tcp", net.JoinHostPort(to, "0"))
		return err
	})
	defer listener.Close()
	got := make(chan [sha256.Size]byte, 1)
	go func() {
		digest := sha256.New()
		if c, err := listener.Accept(); err == nil {
			_ = c.SetDeadline(time.Now().Add(time.Minute))
			_, _ = io.Copy(digest, c)
			c.Close()
		}
		got <- [sha256.Size]byte(digest.Sum(nil))
	}()
	packettest.In(t, b.hosts[0].host, func() error {
		c, err := net.DialTimeout("tcp", listener.Addr().String(), deadline)
		if err != nil {
			return err
		}
		defer c.Close()
		_ = c.SetDeadline(time.Now().Add(time.Minute))
		if prepare != nil {
			raw, err := c.(*net.TCPConn).SyscallConn()
			if err != nil {
				return err
			}
			if err2 := raw.Control(func(fd uintptr) { err = prepare(int(fd)) }); err != nil || err2 != nil {
				return fmt.Errorf("prepare: %w, %w", err, err2)
			}
		}
		_, err = c.Write(content)
		return err
	})
	if d := <-got; d != sha256.Sum256(content) {
		t.Errorf("TCP to %s: other bytes arrived", to)
	}
}

// finished asks that super-frames were cut, and that no frame was lost or not
// understood.
func (b *bridge) finished(leastSuper uint64) {
	t := b.t
	t.Helper()
	b.stop()
	if c := b.ports[0].Counters(); c.SuperFrames < leastSuper {
		t.Errorf("%d super-frames: the host's offloads are off, which proves nothing", c.SuperFrames)
	}
	for i, p := range b.ports {
		c := p.Counters()
		if c.Malformed+c.Truncated+c.RingFull+c.TooLong+c.NoBuffer+c.WhileDown+c.Refused+c.Spans != 0 {
			t.Errorf("port %d: %+v", i, c)
		}
	}
}

// A host that leaves checksums and segmentation to its device reaches another through
// ports, with every byte right: plain, and with tags of all kinds.
// Tier: everyday, root.
func TestStacksWithAllOffloadsTalkTCP(t *testing.T) {
	for _, test := range []struct {
		name      string
		tags      []netlink.VlanProtocol
		addresses []string
	}{
		{"plain", nil, []string{"10.9.0.2", "fd09::2"}},
		{"802.1Q", []netlink.VlanProtocol{netlink.VLAN_PROTOCOL_8021Q}, []string{"10.8.0.2", "fd08::2"}},
		{"QinQ", []netlink.VlanProtocol{netlink.VLAN_PROTOCOL_8021AD, netlink.VLAN_PROTOCOL_8021Q},
			[]string{"10.8.0.2", "fd08::2"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := newBridge(t)
			if b.tag(test.tags...); b.untagged {
				t.Skip("this kernel has no module 8021q; TestTaggedSuperFramesAreCut stays")
			}
			for _, a := range test.addresses {
				b.transfer(a, nil)
			}
			b.finished(20)
		})
	}
}

// An extension header between IPv6 and TCP is found and kept.
// Tier: everyday, root.
func TestStacksTalkTCPBehindAnExtensionHeader(t *testing.T) {
	b := newBridge(t)
	b.transfer("fd09::2", func(fd int) error {
		const options = "\x00\x00\x01\x04\x00\x00\x00\x00" // one PadN
		return unix.SetsockoptString(fd, unix.SOL_IPV6, unix.IPV6_DSTOPTS, options)
	})
	b.finished(20)
}

// Datagrams that a host hands over in one piece (UDP_SEGMENT) arrive one by one.
// Tier: everyday, root.
func TestStacksWithSegmentationTalkUDP(t *testing.T) {
	b := newBridge(t)
	for _, to := range []string{"10.9.0.2", "fd09::2"} {
		t.Run(to, func(t *testing.T) {
			const size, n, last = 1111, 30, 77
			content := numbered(size*n+last, 3)
			var receiver *net.UDPConn
			packettest.In(t, b.hosts[1].host, func() (err error) {
				receiver, err = net.ListenUDP("udp", &net.UDPAddr{IP: net.ParseIP(to)})
				return err
			})
			defer receiver.Close()
			packettest.In(t, b.hosts[0].host, func() error {
				c, err := net.DialUDP("udp", nil, receiver.LocalAddr().(*net.UDPAddr))
				if err != nil {
					return err
				}
				defer c.Close()
				raw, err := c.SyscallConn()
				if err != nil {
					return err
				}
				if err2 := raw.Control(func(fd uintptr) {
					err = unix.SetsockoptInt(int(fd), unix.SOL_UDP, unix.UDP_SEGMENT, size)
				}); err != nil || err2 != nil {
					return fmt.Errorf("UDP_SEGMENT: %w, %w", err, err2)
				}
				_, err = c.Write(content)
				return err
			})
			_ = receiver.SetReadDeadline(time.Now().Add(deadline))
			datagram := make([]byte, 65536)
			for i := range n + 1 {
				got, _, err := receiver.ReadFromUDP(datagram)
				if err != nil {
					t.Fatalf("to %s: datagram %d of %d: %v", to, i, n+1, err)
				}
				if want := content[size*i : min(size*(i+1), len(content))]; !bytes.Equal(datagram[:got], want) {
					t.Fatalf("to %s: datagram %d: %d B, want %d B", to, i, got, len(want))
				}
			}
		})
	}
	b.finished(2)
}

// Super-frames in a VLAN, whose tag the kernel takes off, are cut into frames that all have it: a large one, and one
// that fits in a slot of the ring, which stays ours until its last piece is read, in spite of later arrivals. They are
// handed over as a virtual machine on a tap does. Tier: everyday, root.
func TestTaggedSuperFramesAreCut(t *testing.T) {
	for _, test := range []struct{ segment, pieces int }{{1000, 20}, {300, 4}} {
		t.Run(fmt.Sprintf("segment=%v", test.segment), func(t *testing.T) {
			c := newCable(t, 1500)
			p, sender := c.port(Geometry{MTU: 1500, Slots: 10}), c.hostPort(Default(1500))
			super := newSuper(test.segment, test.pieces)
			if err := unix.Send(sender.Descriptor(), super.handedOver(), 0); err != nil {
				t.Fatal(err)
			}
			for i := range test.pieces {
				frame, _ := await(t, p)
				if i == 1 {
					for range 100 {
						sender.Send(numbered(1500, 0))
					}
					sender.Flush()
				}
				if problem := super.compare(frame, i); problem != "" {
					t.Fatalf("piece %d: %s", i, problem)
				}
				p.Release()
			}
			if c := p.Counters(); c.SuperFrames != 1 || c.Malformed != 0 {
				t.Errorf("%+v", c)
			}
		})
	}
}

// A super-frame that does not match its header is given as it is if a wire would carry it, and dropped if it is too
// long for any; so is one whose pieces are too long. All is counted, and the port goes on. Tier: everyday, root.
func TestSuperFramesThatDoNotFitAreCounted(t *testing.T) {
	c := newCable(t, 1500)
	p, sender := c.port(Default(1500)), c.hostPort(Default(1500))
	short, long, large := newSuper(100, 5), newSuper(1000, 30), newSuper(1600, 10)
	for _, s := range []super{short, long} {
		s.frame[superNetwork+3]++ // another length of the packet
	}
	for _, s := range []super{short, long, large} {
		if err := unix.Send(sender.Descriptor(), s.handedOver(), 0); err != nil {
			t.Fatal(err)
		}
	}
	sender.Send(numbered(60, 1))
	sender.Flush()
	expect(t, p, short.frame)
	expect(t, p, numbered(60, 1))
	if c := p.Counters(); c.Malformed != 1 || c.WrongLength != 2 || c.SuperFrames != 1 || c.Received != 2 {
		t.Errorf("%+v", c)
	}
}

// super is a TCP super-frame with two tags.
type super struct {
	frame   []byte
	segment int
}

const (
	superNetwork   = 22
	superTransport = 42
	superPayload   = 62
	// superPseudo is the sum of the pseudo-header without the length.
	superPseudo = 2*0x0a09 + 1 + 2 + 6
)

func newSuper(segment, pieces int) super {
	frame := []byte("\x02\x00\x00\x00\x00\x02\x02\x00\x00\x00\x00\x01\x88\xa8\x00\x07\x81\x00\x20\x05\x08\x00" +
		"\x45\x00\x00\x00\x00\x09\x40\x00\x40\x06\x00\x00\x0a\x09\x00\x01\x0a\x09\x00\x02" +
		"\x0f\xa0\x13\x89\x00\x00\x00\x01\x00\x00\x00\x01\x50\x18\x10\x00\x00\x00\x00\x00")
	frame = append(frame, numbered(segment*pieces, 1)...)
	binary.BigEndian.PutUint16(frame[superNetwork+2:], uint16(len(frame)-superNetwork))
	binary.BigEndian.PutUint16(frame[superTransport+16:], uint16(superPseudo+len(frame)-superTransport))
	return super{frame, segment}
}

// handedOver returns the frame behind the header that describes the open work.
func (s super) handedOver() []byte {
	b := make([]byte, offload.HeaderLen)
	b[0], b[1] = unix.VIRTIO_NET_HDR_F_NEEDS_CSUM, unix.VIRTIO_NET_HDR_GSO_TCPV4
	for i, v := range []int{superPayload, s.segment, superTransport, 16} {
		binary.NativeEndian.PutUint16(b[2+2*i:], uint16(v))
	}
	return append(b, s.frame...)
}

// compare describes the fault of a piece.
func (s super) compare(piece []byte, i int) string {
	if !bytes.Equal(piece[:superNetwork], s.frame[:superNetwork]) {
		return fmt.Sprintf("begins with %x", piece[:superNetwork])
	}
	want := s.frame[superPayload:][s.segment*i : s.segment*(i+1)]
	if !bytes.Equal(piece[superPayload:], want) {
		return fmt.Sprintf("other bytes: %d, want %d", len(piece[superPayload:]), len(want))
	}
	sum := superPseudo + len(piece) - superTransport
	for at := superTransport; at < len(piece); at += 2 {
		sum += int(binary.BigEndian.Uint16(piece[at:]))
	}
	if sum%0xffff != 0 {
		return fmt.Sprintf("its checksum leaves %#x", sum%0xffff)
	}
	return ""
}
