package live

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/vishvananda/netlink"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/specs/tier"
	"github.com/rocelab/rocelab/testbed/nodes/live/bump"
	"github.com/rocelab/rocelab/testbed/nodes/live/device"
	"github.com/rocelab/rocelab/testbed/nodes/live/iface/ifacetest"
	"github.com/rocelab/rocelab/testbed/nodes/live/pace"
	"github.com/rocelab/rocelab/testbed/nodes/veth"
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

// pair is a veth pair, up, for as long as the spec lasts. Its peer, in the place of the host, is without IPv6: an idle
// interface talks.
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
		w.out, w.err = bump.Run(ctx, veth.Root(), &w.options, func(bump.Reading) {})
	}()
	DeferCleanup(w.stop)
	Eventually(func() int {
		w.send(0, ethernet(0xFFFF, nil))
		return len(w.receive(1, 50*time.Millisecond))
	}).WithTimeout(20 * time.Second).ShouldNot(BeZero())
	for got := w.receive(1, 200*time.Millisecond); got != nil; got = w.receive(1, 200*time.Millisecond) {
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

// receive returns the next frame of these specs that a host gets, nil if none comes.
func (w *bumped) receive(at int, patience time.Duration) []byte {
	return receive(w.hosts[at], sender, patience)
}

var _ = Describe("A bump in the wire", func() {
	// Mutant: switchd with Config.Wire that forwards as a bridge does.
	It("passes on every frame as it is, both ways, no earlier than 120 km allow", func() {
		tier.Everyday(GinkgoT())
		w := newWire(func(o *bump.Options) { o.MTU = 9000 })
		for _, odd := range oddFrames(plan.StationIP(0), plan.StationIP(1)) {
			for from := range w.hosts {
				sent := pace.Now()
				w.send(from, odd.frame)
				got := w.receive(1-from, 10*time.Second)
				Expect(got).To(Equal(padded(odd.frame)), "%s from host %d", odd.name, from)
				// The fibre's 600 us and the interfaces' links of 100 us each.
				Expect(time.Duration(pace.Now()-sent)).To(BeNumerically(">=", 800*time.Microsecond), odd.name)
			}
		}
		out := w.stop()
		Expect(out.Violations).To(BeEmpty())
		for i := range out.Total.Ways {
			Expect(out.Total.Ways[i].Dropped()).To(BeZero())
			Expect(out.Total.Ways[i].Outside).To(BeZero())
			Expect(out.Timing.Edges[i].LostOutside()).To(BeZero())
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
				for got := w.receive(1, 20*time.Millisecond); got != nil; got = w.receive(1, 20*time.Millisecond) {
					received++
				}
			}
		}
		for got := w.receive(1, 500*time.Millisecond); got != nil; got = w.receive(1, 500*time.Millisecond) {
			received++
		}
		out := w.stop()
		Expect(out.Violations).To(BeEmpty())
		way := out.Total.Ways[0]
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
		// Addresses of IPv6 and their routes come and go by themselves; others' settings are not ours.
		changes := func() []string {
			now, err := ifacetest.Take()
			Expect(err).NotTo(HaveOccurred())
			return slices.DeleteFunc(now.Since(w.before), func(line string) bool {
				own := strings.Contains(line, w.options.Interfaces[0]) || strings.Contains(line, w.options.Interfaces[1])
				return !own || strings.Contains(line, "fe80") || strings.HasPrefix(line, "route")
			})
		}
		Expect(changes()).To(ContainElement(ContainSubstring("disable_ipv6")))
		_, err := bump.Run(context.Background(), veth.Root(), &w.options, nil)
		Expect(err).To(MatchError(ContainSubstring(w.options.Interfaces[0])))
		missing := w.options
		missing.Interfaces[1] = "no-such-if"
		missing.Interfaces[0] = w.options.Interfaces[0] + "h"
		_, err = bump.Run(context.Background(), veth.Root(), &missing, nil)
		Expect(err).To(MatchError(ContainSubstring("no-such-if")))
		w.stop()
		Expect(changes()).To(BeEmpty())
	})
})
