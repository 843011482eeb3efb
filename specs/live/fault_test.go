package live

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/specs/internal/lab"
	"github.com/rocelab/rocelab/testbed/nodes/live/device"
	"github.com/rocelab/rocelab/testbed/nodes/live/iface/ifacetest"
	"github.com/rocelab/rocelab/testbed/nodes/live/stack"
	"github.com/rocelab/rocelab/testbed/nodes/netns"
	"github.com/rocelab/rocelab/testbed/nodes/veth"
)

// network returns a namespace's network settings, field by field.
func network(path string) (found ifacetest.Snapshot) {
	GinkgoHelper()
	Expect(netns.In(path, func() (err error) {
		found, err = ifacetest.Take()
		return err
	})).To(Succeed())
	return found
}

// change changes an interface of the namespace that has the devices.
func change(path, name string, do func(netlink.Link) error) {
	defer GinkgoRecover()
	Expect(netns.In(path, func() error {
		l, err := netlink.LinkByName(name)
		if err != nil {
			return err
		}
		return do(l)
	})).To(Succeed())
}

// packets returns the packet counts of the interfaces of the namespace that has the devices, each in and out.
func packets(path string, names ...string) (counts []uint64) {
	GinkgoHelper()
	Expect(netns.In(path, func() error {
		for _, name := range names {
			l, err := netlink.LinkByName(name)
			if err != nil {
				return err
			}
			counts = append(counts, l.Attrs().Statistics.RxPackets, l.Attrs().Statistics.TxPackets)
		}
		return nil
	})).To(Succeed())
	return counts
}

// rubbish is a frame of a host that is out of its mind: RoCEv2 by its port, from addresses of all
// kinds, with lengths and bytes of chance.
func rubbish(chance *rand.Rand) []byte {
	b := make([]byte, 14+chance.IntN(1500))
	for i := range b {
		b[i] = byte(chance.Uint32())
	}
	copy(b, "\x02\x00\x00\x07\x07\x01\x02\x00\x00\x07\x07\x00\x08\x00")
	if len(b) < 60 {
		return b
	}
	to := plan.StationIP(chance.IntN(4))
	ip := b[14:]
	copy(ip, []byte{0x45, byte(chance.Uint32())})
	binary.BigEndian.PutUint16(ip[2:], uint16(len(ip)+chance.IntN(3)*chance.IntN(100)))
	binary.BigEndian.PutUint16(ip[6:], 0x4000)
	ip[8], ip[9] = byte(chance.Uint32()), unix.IPPROTO_UDP
	binary.BigEndian.PutUint32(ip[12:], plan.StationIP(chance.IntN(4)))
	binary.BigEndian.PutUint32(ip[16:], to)
	clear(ip[10:12])
	sum := uint32(0)
	for i := 0; i < 20; i += 2 {
		sum += uint32(binary.BigEndian.Uint16(ip[i:]))
	}
	sum = sum>>16 + sum&0xffff
	binary.BigEndian.PutUint16(ip[10:], ^uint16(sum>>16+sum))
	binary.BigEndian.PutUint16(ip[22:], 4791)
	binary.BigEndian.PutUint16(ip[24:], uint16(len(ip)-20+chance.IntN(2)*chance.IntN(100)))
	return b
}

// flood sends frames from a host's interface, past its stack, and returns how many left.
func flood(h *stack.Host, frames int, next func() []byte) (sent uint64) {
	defer GinkgoRecover()
	Expect(netns.In(h.Namespace, func() error {
		g := device.Default(1500)
		fd, err := device.Open(stack.Interface, g)
		if err != nil {
			return err
		}
		p, err := device.Map(fd, g)
		if err != nil {
			return err
		}
		defer p.Close()
		for range frames {
			p.Send(next())
		}
		p.Flush()
		sent = p.Counters().Sent
		return nil
	})).To(Succeed())
	return sent
}

// droppedFor names the reasons for which frames were dropped; the verdict checks that each frame was counted once.
func droppedFor(r *lab.Run) (names []string) {
	var list []string
	for reason, frames := range r.Summary.ByReason {
		if frames > 0 {
			names = append(names, fabric.DropReason(reason).String())
			list = append(list, fmt.Sprintf("%d %v", frames, fabric.DropReason(reason)))
		}
	}
	AddReportEntry("dropped: " + strings.Join(list, ", "))
	return names
}

// peakMemory is the most that a process had in memory so far, in MB: VmHWM of proc(5).
func peakMemory(pid int) (mb int) {
	GinkgoHelper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	Expect(err).NotTo(HaveOccurred())
	_, rest, _ := strings.Cut(string(b), "VmHWM:")
	_, err = fmt.Sscan(rest, &mb)
	Expect(err).NotTo(HaveOccurred())
	return mb / 1000
}

var _ = Describe("a device that fails", Label("live", "slow"), func() {
	BeforeEach(func() {
		lab.SkipUnlessSlow()
		lab.Tool("ping")
	})

	// Control: a device.Flush that gives up at its first error does not answer any more. Frames sent as the link goes
	// down and comes up may be lost at the interface.
	It("is set down and up by the scenario: the hosts go on, and the models have what was lost", func() {
		hosts, middle := pairOfHosts(1500)
		p := twoEdges(middle, 59*time.Second, "\nfaults: [{link: a-s0, down: 600ms, up: 1100ms}]")
		b := deploy(p, veth.Pool)
		before, were := network(middle), packets(middle, "out0", "out1")
		var answers string
		got := meanwhile(b, p, func() {
			answers = start(hosts[1], "ping -n -i 0.02 -c 100 -W 1 "+hosts[0].IP.String()).said(30 * time.Second)
		})
		Expect(answers).To(ContainSubstring("icmp_seq=100 "), "no answer after the device was up again")
		Expect(got.Summary.LinkLost).To(BeNumerically(">", 5))
		Expect(got.Time.Edges[0].LostOutside()).To(BeNumerically("<=", 2))
		Expect(got.Time.Edges[1].Lost).To(BeZero())
		Expect(got.Remarks).To(ContainElement(HavePrefix("edge a: out0 was set down 1 time by faults of the scenario")))
		// The kernel's counts at the interfaces equal the edges'.
		for i, now := range packets(middle, "out0", "out1") {
			e := &got.Time.Edges[i/2]
			Expect(now-were[i]).To(Equal([]uint64{e.Received, e.Sent}[i%2]), "packets in and out: %d", i)
		}
		Expect(network(middle).Since(before)).To(BeEmpty())
		report("a device set down for half a second", got)
	})

	// Control: if edges take only known frames (wire.DecodeKnown), the daemon ends.
	It("floods with malformed RoCE of all lengths from spoofed addresses: the fabric goes on", func() {
		hosts, middle := pairOfHosts(1500)
		p := twoEdges(middle, 59*time.Second, "")
		b := deploy(p, veth.Pool)
		before := network(middle)
		chance := rand.New(rand.NewPCG(14, 1))
		sent, missing := uint64(0), 0
		got := meanwhile(b, p, func() {
			sent = flood(hosts[0], 20_000, func() []byte { return rubbish(chance) })
			missing = unanswered(start(hosts[1], "ping -n -i 0.1 -c 5 -W 10 "+hosts[0].IP.String()).said(30 * time.Second))
		})
		at := got.Time.Edges[0]
		Expect(at.Received+at.Lost[result.RingFull]).To(BeNumerically(">=", sent), "%+v", at.Lost)
		Expect(at.Unfit + at.Lost[result.Truncated]).To(BeZero())
		Expect(missing).To(BeNumerically("<=", lostOutside(got)))
		// Some are routed, from any address; most are for a station that was not heard of. A machine that sends faster
		// than the link of 1 Gb/s fills the queue before it.
		Expect(droppedFor(got)).To(And(ContainElement("flood"),
			HaveEach(BeElementOf("flood", "ttl", "same_port", "nic_queue"))))
		Expect(strings.Join(network(middle).Since(before), "\n")).To(BeEmpty())
		report("a flood of rubbish", got)
	})

	// Control: a NIC queue that is always said to have room.
	It("floods beyond what its link carries: the rest is dropped there, by name, and no memory is taken for it", func() {
		hosts, middle := pairOfHosts(1500)
		p := twoEdges(middle, 59*time.Second, "", "10Mbps", "1Gbps")
		b := deploy(p, veth.Pool)
		pid, before := poolOf(b), 0
		from := port(hosts[0])
		sent, answers := uint64(0), ""
		got := meanwhile(b, p, func() {
			before = peakMemory(pid)
			sent = steadily(from, bulk(0, 1), 40_000, 80_000) // 120 MB
			time.Sleep(900 * time.Millisecond)                // that of the queue takes 0.8 s
			answers = start(hosts[1], "ping -n -c 5 -i 0.1 -W 10 "+hosts[0].IP.String()).said(30 * time.Second)
		})
		report("a flood of 0.5 Gb/s into 10 Mb/s", got)
		Expect(answers).To(ContainSubstring(" bytes from "))
		at := &got.Devices[0].Ports[0]
		Expect(at.SourcedFrames + got.Time.Edges[0].LostOutside()).To(BeNumerically(">=", sent))
		AddReportEntry(fmt.Sprintf("%d MB before, %d MB at the most", before, peakMemory(pid)))
		Expect(peakMemory(pid)-before).To(BeNumerically("<", 48), "MB")
		Expect(got.Summary.ByReason[fabric.DropNICQueue]).To(BeNumerically(">", at.SourcedFrames/2))
		Expect(droppedFor(got)).To(Equal([]string{"nic_queue"}))
	})
})
