package live

import (
	"bytes"
	"fmt"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/specs/internal/lab"
	"github.com/rocelab/rocelab/testbed/nodes/live/device"
	"github.com/rocelab/rocelab/testbed/nodes/veth"
)

// twoSwitches has two of them between the devices of two hosts.
func twoSwitches(middle string, mtu int) *plan.Plan {
	GinkgoHelper()
	return lab.Plans(fmt.Sprintf(`
name: switches
run: {until: 60s}
topology:
  kind: explicit
  nodes:
    - {name: s0, kind: switch}
    - {name: s1, kind: switch}
    - {name: a, kind: edge, interface: out0, namespace: %[1]s, mtu: %[2]dB}
    - {name: b, kind: edge, interface: out1, namespace: %[1]s, mtu: %[2]dB}
  links:
    - {endpoints: [a, s0], rate: 1Gbps}
    - {endpoints: [s0, s1], rate: 1Gbps, latency: 100us}
    - {endpoints: [s1, b], rate: 1Gbps}
`, middle, mtu))[0]
}

// behind is a port of a host behind the fabric, and the address that its frames come from: not the
// stack's own.
type behind struct {
	*device.Port
	address []byte
}

// cross sends a frame from one to the other, or to a group if it is for one, and insists that it comes as
// it should.
func (h *behind) cross(other *behind, o odd, want []byte) {
	h.Send(o.frame)
	h.Flush()
	if want != nil {
		got := receive(other.Port, h.address, 10*time.Second)
		ExpectWithOffset(1, got).To(Equal(want), o.name)
	}
}

// by makes a frame come from one address, and go to another if to has one.
func (o odd) by(from, to []byte) odd {
	o.frame = bytes.Clone(o.frame)
	copy(o.frame[6:], from)
	copy(o.frame, to)
	return o
}

// routed returns a frame behind two switches that route it; nil if its time to live ends there.
func (o odd) routed() []byte {
	b := padded(o.frame)
	if o.ip == 0 {
		return b
	}
	packet := b[o.ip:]
	if packet[8] <= 2 {
		return nil
	}
	packet[8] -= 2
	putChecksum(packet)
	return b
}

var _ = Describe("odd frames", Label("live", "slow"), func() {
	BeforeEach(func() { lab.SkipUnlessSlow() })

	// Controls: a device that leaves out the tags that the kernel took off; one that does not count unclaimed frames; a
	// bridge that takes one off the TTL, or passes on LLDP; opaque frames without their last byte.
	It("cross two switches byte for byte, to all, to one, and routed but for their TTL", func() {
		hosts, middle := pairOfHosts(9000)
		p := twoSwitches(middle, 9000)
		b := deploy(p, veth.Pool)
		ends := [2]*behind{}
		for i := range ends {
			ends[i] = &behind{port(hosts[i]), []byte{2, 0x4F, 0x44, 0x44, 0, byte(i)}}
		}
		var local, expired uint64
		got := meanwhile(b, p, func() {
			for i, from := range ends {
				to := ends[1-i]
				// No station of the fabric has these addresses.
				for _, o := range oddFrames(0xC0000201, 0xC0000202) {
					o = o.by(from.address, nil)
					switch {
					case o.ends == fabric.DropLinkLocal:
						local++
						from.cross(to, o, nil)
					case o.obeyed:
						from.cross(to, o, nil)
					default:
						from.cross(to, o, padded(o.frame))
						from.cross(to, o.by(from.address, to.address), padded(o.by(from.address, to.address).frame))
					}
				}
				for _, o := range oddFrames(plan.StationIP(i), plan.StationIP(1-i)) {
					if o.ends != fabric.DropNone || o.obeyed {
						continue
					}
					o = o.by(from.address, to.address)
					if o.routed() == nil {
						expired++
					}
					from.cross(to, o, o.routed())
				}
			}
			for i, end := range ends { // each came once
				Expect(receive(end.Port, ends[1-i].address, 100*time.Millisecond)).To(BeNil())
			}
		})
		reasons := &got.Summary.ByReason
		Expect(local).To(Equal(uint64(6)))
		Expect(expired).To(Equal(uint64(4)))
		Expect(reasons[fabric.DropLinkLocal]).To(Equal(local))
		Expect(reasons[fabric.DropTTL]).To(Equal(expired))
		sum := uint64(0)
		for _, frames := range reasons {
			sum += frames
		}
		Expect(sum).To(Equal(local + expired))
		for i := range got.Time.Edges {
			Expect(got.Time.Edges[i].LostOutside()).To(BeZero())
		}
		report("odd frames over two switches", got)
	})

	// Control: a bridge that never floods.
	It("are those of ARP and of IPv6 discovery, by which stacks find each other", func() {
		lab.Tool("ping")
		lab.Tool("ip")
		hosts, middle := pairOfHosts(1500)
		p := twoSwitches(middle, 1500)
		b := deploy(p, veth.Pool)
		for i, h := range hosts {
			Expect(start(h, fmt.Sprintf("ip addr add 192.0.2.%[1]d/24 dev eth0 && cd /proc/sys/net/ipv6/conf && "+
				"echo 0 > all/disable_ipv6 && echo 0 > eth0/disable_ipv6 && ip addr add 2001:db8::%[1]d/64 dev eth0 nodad",
				i+1)).said(10 * time.Second)).To(BeEmpty())
		}
		meanwhile(b, p, func() {
			for _, address := range []string{"192.0.2.2", "2001:db8::2"} {
				said := start(hosts[0], "ping -n -c 5 -i 0.1 -W 5 "+address+"; ip neigh show "+address).said(30 * time.Second)
				Expect(said).To(ContainSubstring(" 0% packet loss"))
				Expect(said).To(ContainSubstring("lladdr " + hosts[1].MAC.String()))
				Expect(said).NotTo(ContainSubstring("PERMANENT"))
			}
		})
	})
})
