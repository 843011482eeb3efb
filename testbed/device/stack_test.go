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

	"github.com/rocelab/rocelab/testbed/device/offload"
)

// bridge is two hosts with stacks of their own, all offloads on as veth has them, with
// nothing between but two ports and a loop that copies whole frames.
type bridge struct {
	t     *testing.T
	hosts [2]*cable
	ports [2]*Port
	stop  func()
	// untagged says that this kernel has no interfaces with tags (module 8021q).
	untagged bool
}

func newBridge(t *testing.T) *bridge {
	b := &bridge{t: t, hosts: [2]*cable{newCable(t, 1500), newCable(t, 1500)}}
	for i, h := range b.hosts {
		b.ports[i] = h.port(Default(1500))
		in(t, h.host, func() error {
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

// copy carries what is there, and waits a little where nothing is.
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
	return set(name, func(l netlink.Link) error {
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
		in(b.t, h.host, func() error {
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
				if err := set(parent, netlink.LinkSetUp); err != nil {
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
	in(t, b.hosts[1].host, func() (err error) {
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
	in(t, b.hosts[0].host, func() error {
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
		const size, n, last = 1111, 30, 77
		content := numbered(size*n+last, 3)
		var receiver *net.UDPConn
		in(t, b.hosts[1].host, func() (err error) {
			receiver, err = net.ListenUDP("udp", &net.UDPAddr{IP: net.ParseIP(to)})
			return err
		})
		defer receiver.Close()
		in(t, b.hosts[0].host, func() error {
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
	}
	b.finished(2)
}

// A super-frame in a VLAN, whose tag the kernel takes off, is cut into frames that all have it. It
// is handed over as a virtual machine on a tap does.
// Tier: everyday, root.
func TestTaggedSuperFramesAreCut(t *testing.T) {
	c := newCable(t, 1500)
	p, sender := c.port(Default(1500)), c.hostPort(Default(1500))
	const segment, pieces = 1000, 20
	headers := []byte("\x02\x00\x00\x00\x00\x02\x02\x00\x00\x00\x00\x01\x88\xa8\x00\x07\x81\x00\x20\x05\x08\x00" +
		"\x45\x00\x00\x00\x00\x09\x40\x00\x40\x06\x00\x00\x0a\x09\x00\x01\x0a\x09\x00\x02" +
		"\x0f\xa0\x13\x89\x00\x00\x00\x01\x00\x00\x00\x01\x50\x18\x10\x00\x00\x00\x00\x00")
	const network, transport = 22, 42
	payload := numbered(segment*pieces, 1)
	super := append(bytes.Clone(headers), payload...)
	binary.BigEndian.PutUint16(super[network+2:], uint16(len(super)-network))
	// The sum of the pseudo-header, but for what is above 16 bits.
	total := 2*0x0a09 + 1 + 2 + 6 + len(super) - transport
	binary.BigEndian.PutUint16(super[transport+16:], uint16(total))

	header := make([]byte, offload.HeaderLen)
	header[0], header[1] = unix.VIRTIO_NET_HDR_F_NEEDS_CSUM, unix.VIRTIO_NET_HDR_GSO_TCPV4
	for i, v := range []uint16{transport + 20, segment, transport, 16} {
		binary.NativeEndian.PutUint16(header[2+2*i:], v)
	}
	if err := unix.Send(sender.Descriptor(), append(header, super...), 0); err != nil {
		t.Fatal(err)
	}
	for i := range pieces {
		frame, _ := await(t, p)
		if !bytes.Equal(frame[:network], headers[:network]) {
			t.Fatalf("piece %d begins with %x", i, frame[:network])
		}
		if got, want := frame[transport+20:], payload[segment*i:segment*(i+1)]; !bytes.Equal(got, want) {
			t.Fatalf("piece %d has other bytes: %d, want %d", i, len(got), len(want))
		}
		packet, sum := frame[transport:], 2*0x0a09+1+2+6+len(frame)-transport
		for at := 0; at < len(packet); at += 2 {
			sum += int(binary.BigEndian.Uint16(packet[at:]))
		}
		if sum%0xffff != 0 {
			t.Errorf("piece %d: checksum leaves %#x", i, sum%0xffff)
		}
		p.Release()
	}
	if c := p.Counters(); c.SuperFrames != 1 || c.Malformed != 0 {
		t.Errorf("%+v", c)
	}
}
