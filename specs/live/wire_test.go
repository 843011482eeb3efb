package live

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/specs/tier"
	"github.com/rocelab/rocelab/testbed/device"
	"github.com/rocelab/rocelab/testbed/iface/ifacetest"
	"github.com/rocelab/rocelab/testbed/pace"
	"github.com/rocelab/rocelab/testbed/tools/bump"
	testbed "github.com/rocelab/rocelab/testbed/veth"
)

// bumped is a wire between two veth pairs, and what a host at either end would have.
type bumped struct {
	options bump.Options
	hosts   [2]*device.Port
	end     context.CancelFunc
	ended   chan struct{}
	out     *bump.Outcome
	err     error
	before  ifacetest.Snapshot
}

// pair is a veth pair, up, for as long as the spec lasts. Its peer, where the host would be, is without
// IPv6: an idle interface talks.
func pair(name, peer string, mtu int) {
	GinkgoHelper()
	attributes := netlink.NewLinkAttrs()
	attributes.Name, attributes.MTU = name, mtu
	Expect(netlink.LinkAdd(&netlink.Veth{LinkAttrs: attributes, PeerName: peer, PeerMTU: uint32(mtu)})).To(Succeed())
	DeferCleanup(func() {
		l, err := netlink.LinkByName(name)
		if err == nil {
			Expect(netlink.LinkDel(l)).To(Succeed())
		}
	})
	Expect(os.WriteFile("/proc/sys/net/ipv6/conf/"+peer+"/disable_ipv6", []byte("1"), 0)).To(Succeed())
	for _, end := range []string{name, peer} {
		l, err := netlink.LinkByName(end)
		Expect(err).NotTo(HaveOccurred())
		Expect(netlink.LinkSetUp(l)).To(Succeed())
	}
}

// wires counts the wires, which have names by it.
var wires int

// newWire puts a wire between two veth pairs and waits until a frame has crossed it.
func newWire(change func(*bump.Options)) *bumped {
	GinkgoHelper()
	w := &bumped{options: bump.Default(), ended: make(chan struct{})}
	w.options.Length = 120 * unit.Kilometre
	change(&w.options)
	wires++
	geometry := device.Default(int(w.options.MTU))
	for i := range w.hosts {
		name := fmt.Sprintf("w%d-%d%c", os.Getpid(), wires, 'a'+i)
		w.options.Interfaces[i] = name
		pair(name, name+"h", int(w.options.MTU))
		fd, err := device.Open(name+"h", geometry)
		Expect(err).NotTo(HaveOccurred())
		w.hosts[i], err = device.Map(fd, geometry)
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(w.hosts[i].Close)
	}
	var err error
	w.before, err = ifacetest.Take()
	Expect(err).NotTo(HaveOccurred())
	ctx, end := context.WithCancel(context.Background())
	w.end = end
	go func() {
		defer close(w.ended)
		w.out, w.err = bump.Run(ctx, testbed.Root(), &w.options, func(bump.Reading) {})
	}()
	DeferCleanup(w.stop)
	Eventually(func() int {
		w.send(0, ethernet(0xFFFF, nil))
		got, _ := w.receive(1, 50*time.Millisecond)
		return len(got)
	}).WithTimeout(20 * time.Second).ShouldNot(BeZero())
	for got, _ := w.receive(1, 200*time.Millisecond); got != nil; got, _ = w.receive(1, 200*time.Millisecond) {
	}
	return w
}

// stop ends the wire and returns what it brought.
func (w *bumped) stop() *bump.Outcome {
	GinkgoHelper()
	w.end()
	Eventually(w.ended).WithTimeout(20 * time.Second).Should(BeClosed())
	Expect(w.err).NotTo(HaveOccurred())
	return w.out
}

func (w *bumped) send(from int, frame []byte) {
	w.hosts[from].Send(frame)
	w.hosts[from].Flush()
}

// receive returns the next frame of these specs that a host gets, and its stamp; nil if none
// comes.
func (w *bumped) receive(at int, patience time.Duration) (frame []byte, stamp int64) {
	until := pace.Now() + int64(patience)
	for pace.Now() < until {
		b, stamp, ok := w.hosts[at].Next()
		if !ok {
			pace.Wait(until, []unix.PollFd{{Fd: int32(w.hosts[at].Descriptor()), Events: unix.POLLIN}})
			continue
		}
		frame = bytes.Clone(b)
		w.hosts[at].Release()
		if bytes.Equal(frame[6:12], sender) {
			return frame, stamp
		}
	}
	return nil, 0
}

// sender is the address that the frames of these specs come from.
var sender = []byte{2, 0x57, 0x49, 0x52, 0x45, 1}

// ethernet is a frame of a type to a group that no bridge knows, padded as a wire does.
func ethernet(kind uint16, payload []byte) []byte {
	b := append([]byte{3, 0, 0, 0, 0, 9}, sender...)
	b = binary.BigEndian.AppendUint16(b, kind)
	b = append(b, payload...)
	return append(b, make([]byte, max(0, 60-len(b)))...)
}

// ipv4 is a packet with options or without, of a protocol and with a time to live.
func ipv4(options []byte, protocol, ttl byte, payload []byte) []byte {
	header := 20 + len(options)
	p := make([]byte, 20, header+len(payload))
	p[0], p[8], p[9] = 0x40|byte(header/4), ttl, protocol
	binary.BigEndian.PutUint16(p[2:], uint16(header+len(payload)))
	copy(p[12:], []byte{10, 0, 0, 1, 10, 0, 0, 2})
	p = append(p, options...)
	sum := uint32(0)
	for i := 0; i < header; i += 2 {
		sum += uint32(binary.BigEndian.Uint16(p[i:]))
	}
	sum = sum>>16 + sum&0xFFFF
	binary.BigEndian.PutUint16(p[10:], ^uint16(sum>>16+sum))
	return append(p, payload...)
}

// udp is a datagram to a port, without a checksum.
func udp(port uint16, payload []byte) []byte {
	b := binary.BigEndian.AppendUint16(nil, 4000)
	b = binary.BigEndian.AppendUint16(b, port)
	b = binary.BigEndian.AppendUint16(b, uint16(8+len(payload)))
	return append(append(b, 0, 0), payload...)
}

// to changes a frame's destination.
func to(address []byte, frame []byte) []byte {
	copy(frame, address)
	return frame
}

// oddFrames are what a wire must pass on as it is, by what they are.
func oddFrames() map[string][]byte {
	garbage := make([]byte, 200)
	for i := range garbage {
		garbage[i] = byte(i * 37)
	}
	arp := append([]byte{0, 1, 8, 0, 6, 4, 0, 1}, sender...)
	solicitation := append([]byte{0x60, 0, 0, 0, 0, 24, 58, 255}, make([]byte, 32)...)
	solicitation = append(solicitation, 135, 0, 0x12, 0x34)
	return map[string][]byte{
		"802.1Q":             ethernet(0x8100, append([]byte{0x60, 0x0A, 8, 0}, ipv4(nil, 17, 64, udp(7, garbage))...)),
		"a priority tag":     ethernet(0x8100, append([]byte{0xA0, 0, 8, 0}, ipv4(nil, 17, 64, udp(7, nil))...)),
		"QinQ":               ethernet(0x88A8, append([]byte{0, 5, 0x81, 0, 0, 6, 8, 0}, ipv4(nil, 17, 64, udp(7, nil))...)),
		"a jumbo of 9014 B":  ethernet(0x0800, ipv4(nil, 17, 64, udp(7, make([]byte, 9000-28)))),
		"IP options":         ethernet(0x0800, ipv4([]byte{7, 7, 4, 1, 2, 3, 4, 0}, 17, 64, udp(7, garbage))),
		"TTL 1":              ethernet(0x0800, ipv4(nil, 17, 1, udp(7, garbage))),
		"TTL 0":              ethernet(0x0800, ipv4(nil, 17, 0, udp(7, garbage))),
		"garbage on 4791":    ethernet(0x0800, ipv4(nil, 17, 64, udp(4791, garbage))),
		"a wrong checksum":   ethernet(0x0800, append([]byte{0x45, 1, 2, 3}, garbage...)),
		"ARP":                to([]byte{255, 255, 255, 255, 255, 255}, ethernet(0x0806, arp)),
		"IPv6 discovery":     to([]byte{0x33, 0x33, 255, 0, 0, 1}, ethernet(0x86DD, solicitation)),
		"LLDP":               to([]byte{1, 0x80, 0xC2, 0, 0, 0x0E}, ethernet(0x88CC, garbage)),
		"STP":                to([]byte{1, 0x80, 0xC2, 0, 0, 0}, ethernet(38, garbage[:38])),
		"a pause of 802.3x":  to([]byte{1, 0x80, 0xC2, 0, 0, 1}, ethernet(0x8808, []byte{0, 1, 255, 255})),
		"a pause of a class": to([]byte{1, 0x80, 0xC2, 0, 0, 1}, ethernet(0x8808, []byte{1, 1, 0, 8, 0, 0, 0, 0, 0, 9})),
		"an unknown type":    ethernet(0xBEEF, garbage),
		"nothing but zeros":  ethernet(0, nil),
	}
}

var _ = Describe("A bump in the wire", func() {
	// Mutant: switchd with Config.Wire that forwards as a bridge does.
	It("passes on every frame as it is, both ways, no earlier than 120 km allow", func() {
		tier.Everyday(GinkgoT())
		w := newWire(func(o *bump.Options) { o.MTU = 9000 })
		for what, frame := range oddFrames() {
			for from := range w.hosts {
				sent := pace.Now()
				w.send(from, frame)
				got, _ := w.receive(1-from, 10*time.Second)
				Expect(got).To(Equal(frame), "%s from host %d", what, from)
				// The fibre's 600 us and the interfaces' links of 100 us each.
				Expect(time.Duration(pace.Now()-sent)).To(BeNumerically(">=", 800*time.Microsecond), what)
			}
		}
		runt := []byte("\x03\x00\x00\x00\x00\x09" + string(sender) + "\xBE\xEFrunt")
		w.send(0, runt)
		got, _ := w.receive(1, 10*time.Second)
		Expect(got).To(Equal(append(runt, make([]byte, 60-len(runt))...)))
		out := w.stop()
		for i := range out.Total.Ways {
			Expect(out.Total.Ways[i].Dropped()).To(BeZero())
			Expect(out.Total.Ways[i].Outside).To(BeZero())
			Expect(out.Total.Ways[i].Out).To(Equal(out.Total.Ways[i].In))
		}
	})

	// Mutant: Reading without what the long haul lost.
	It("counts what it loses, and each frame is counted once", func() {
		tier.Everyday(GinkgoT())
		w := newWire(func(o *bump.Options) { o.Loss = 0.2 })
		const frames = 2000
		received := 0
		for n := range frames {
			w.send(0, ethernet(0xBEEF, make([]byte, 500)))
			if n%50 == 49 {
				for got, _ := w.receive(1, 20*time.Millisecond); got != nil; got, _ = w.receive(1, 20*time.Millisecond) {
					received++
				}
			}
		}
		for got, _ := w.receive(1, 500*time.Millisecond); got != nil; got, _ = w.receive(1, 500*time.Millisecond) {
			received++
		}
		way := w.stop().Total.Ways[0]
		lost := way.Drops[fabric.DropLinkLoss]
		Expect(way.Dropped()).To(Equal(lost))
		Expect(way.In.Frames).To(Equal(way.Out.Frames + lost + way.Outside))
		Expect(lost).To(BeNumerically("~", frames/5, 150))
		Expect(way.In.Frames).To(BeNumerically(">=", frames))
		Expect(received).To(BeNumerically("<=", frames-150))
	})

	// Mutant: loop.close without Release.
	It("leaves the interfaces as they were, and takes no interface that is not there or in use", func() {
		tier.Everyday(GinkgoT())
		w := newWire(func(*bump.Options) {})
		// Addresses of IPv6 and their routes come and go by themselves; what is others' is not ours.
		changes := func() []string {
			now, err := ifacetest.Take()
			Expect(err).NotTo(HaveOccurred())
			return slices.DeleteFunc(now.Since(w.before), func(line string) bool {
				own := strings.Contains(line, w.options.Interfaces[0]) || strings.Contains(line, w.options.Interfaces[1])
				return !own || strings.Contains(line, "fe80") || strings.HasPrefix(line, "route")
			})
		}
		Expect(changes()).To(ContainElement(ContainSubstring("disable_ipv6")))
		_, err := bump.Run(context.Background(), testbed.Root(), &w.options, nil)
		Expect(err).To(MatchError(ContainSubstring(w.options.Interfaces[0])))
		missing := w.options
		missing.Interfaces[1] = "no-such-if"
		missing.Interfaces[0] = w.options.Interfaces[0] + "h"
		_, err = bump.Run(context.Background(), testbed.Root(), &missing, nil)
		Expect(err).To(MatchError(ContainSubstring("no-such-if")))
		w.stop()
		Expect(changes()).To(BeEmpty())
	})
})
