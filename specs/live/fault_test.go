package live

import (
	"encoding/binary"
	"math/rand/v2"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/specs/lab"
	"github.com/rocelab/rocelab/specs/tier"
	"github.com/rocelab/rocelab/testbed/device"
	"github.com/rocelab/rocelab/testbed/iface/ifacetest"
	"github.com/rocelab/rocelab/testbed/link"
	"github.com/rocelab/rocelab/testbed/stack"
	testbed "github.com/rocelab/rocelab/testbed/veth"
)

// network is what a namespace's network is, field by field.
func network(path string) (found ifacetest.Snapshot) {
	GinkgoHelper()
	Expect(link.In(path, func() (err error) {
		found, err = ifacetest.Take()
		return err
	})).To(Succeed())
	return found
}

// change changes an interface of the namespace that has the devices.
func change(path, name string, do func(netlink.Link) error) {
	defer GinkgoRecover()
	Expect(link.In(path, func() error {
		l, err := netlink.LinkByName(name)
		if err != nil {
			return err
		}
		return do(l)
	})).To(Succeed())
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
	Expect(link.In(h.Namespace, func() error {
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

var _ = Describe("a device that fails", Label("live"), func() {
	const until = 4 * time.Second

	BeforeEach(func() {
		tier.Slow(GinkgoT())
		lab.Tool("ping")
	})

	// Control: a device.Flush that gives up at its first error answers nothing any more, here and below.
	It("is set down and up: what was due meanwhile is counted, and the hosts go on", func() {
		hosts, middle := pairOfHosts(1500)
		p := twoEdges(middle, until, "")
		before := network(middle)
		var ping *running
		fault := onceBegun(func() {
			ping = start(hosts[1], "ping -n -i 0.02 -c 150 -W 1 "+hosts[0].IP.String())
			go func() {
				time.Sleep(500 * time.Millisecond)
				change(middle, "out0", netlink.LinkSetDown)
				time.Sleep(500 * time.Millisecond)
				change(middle, "out0", netlink.LinkSetUp)
			}()
		})
		got := runLive(deploy(p, testbed.Pool), p, testbed.Options{Dilation: 1, Progress: fault})
		said := ping.said(10 * time.Second)
		Expect(said).To(ContainSubstring("icmp_seq=150 "), "no answer after the device was up again")
		Expect(said).NotTo(ContainSubstring(" 0% packet loss"))
		Expect(got.Time.Edges[0].Lost[result.InterfaceDown]).To(BeNumerically(">", 5))
		Expect(got.Time.Edges[1].Lost).To(BeZero())
		Expect(network(middle).Since(before)).To(BeEmpty())
		report("a device set down for half a second", got)
	})

	It("is removed: the run comes to its end, and says what was lost", func() {
		hosts, middle := pairOfHosts(1500)
		p := twoEdges(middle, until, "")
		before := network(middle)
		fault := onceBegun(func() {
			start(hosts[1], "ping -n -i 0.02 -c 100 -W 1 "+hosts[0].IP.String())
			go func() {
				time.Sleep(500 * time.Millisecond)
				change(middle, "out0", netlink.LinkDel)
			}()
		})
		got := runLive(deploy(p, testbed.Pool), p, testbed.Options{Dilation: 1, Progress: fault})
		Expect(got.Time.Edges[0].Lost[result.InterfaceDown]).To(BeNumerically(">", 5))
		for _, changed := range network(middle).Since(before) {
			Expect(changed).To(ContainSubstring("out0"))
			Expect(changed).To(HaveSuffix("is gone"))
		}
		report("a device that is removed", got)
	})

	// Control: where edges take only frames that are known (wire.DecodeKnown), the daemon ends.
	It("floods with malformed RoCE of all lengths from spoofed addresses: the fabric goes on", func() {
		hosts, middle := pairOfHosts(1500)
		p := twoEdges(middle, until, "")
		before := network(middle)
		chance := rand.New(rand.NewPCG(14, 1))
		sent := uint64(0)
		flooded := make(chan bool)
		fault := onceBegun(func() {
			go func() {
				defer close(flooded)
				sent = flood(hosts[0], 20_000, func() []byte { return rubbish(chance) })
			}()
			<-flooded
			start(hosts[1], "ping -n -i 0.1 -c 5 -W 2 "+hosts[0].IP.String())
		})
		got := runLive(deploy(p, testbed.Pool), p, testbed.Options{Dilation: 1, Progress: fault})
		<-flooded
		at := got.Time.Edges[0]
		Expect(at.Received+at.Lost[result.RingFull]).To(BeNumerically(">=", sent), "%+v", at.Lost)
		Expect(at.Lost[result.Unfit] + at.Lost[result.Truncated]).To(BeZero())
		Expect(got.Time.Edges[1].Received).To(BeNumerically(">=", 5), "the other host's pings")
		Expect(at.Sent).To(BeNumerically(">=", 5))
		Expect(strings.Join(network(middle).Since(before), "\n")).To(BeEmpty())
		report("a flood of rubbish", got)
	})
})
