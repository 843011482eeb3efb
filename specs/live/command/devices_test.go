package command

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/safchain/ethtool"
	"github.com/vishvananda/netlink"

	"github.com/rocelab/rocelab/testbed/nodes/live/iface/ifacetest"
	"github.com/rocelab/rocelab/testbed/nodes/netns"
)

// network is a user's network namespace, with devices dev0 and dev1 for edges, whose peers peer0 and peer1 are in
// namespaces of their own, in the place of hosts.
type network struct{ middle, hosts string }

// newNetwork makes one as ip(8) makes veth pairs: with IPv6 and all offloads on.
func newNetwork() network {
	GinkgoHelper()
	folder, err := os.MkdirTemp("", "rocelab-devices-")
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(os.RemoveAll, folder)
	n := network{filepath.Join(folder, "middle"), filepath.Join(folder, "host")}
	for _, path := range []string{n.middle, n.host(0), n.host(1)} {
		Expect(netns.NewNamespace(path)).To(Succeed())
		DeferCleanup(netns.RemoveNamespace, path)
	}
	// Without the trial of a new address, which takes a second, there is nothing to wait for.
	n.run("sysctl -qw net.ipv6.conf.default.accept_dad=0 net.ipv6.conf.all.accept_dad=0",
		"sysctl -qw net.ipv6.conf.default.disable_ipv6=0 net.ipv6.conf.all.disable_ipv6=0")
	for i := range 2 {
		there, err := os.Open(n.host(i))
		Expect(err).NotTo(HaveOccurred())
		Expect(netns.In(n.middle, func() error {
			attributes := netlink.NewLinkAttrs()
			attributes.Name = fmt.Sprint("dev", i)
			pair := &netlink.Veth{
				LinkAttrs:     attributes,
				PeerName:      fmt.Sprint("peer", i),
				PeerNamespace: netlink.NsFd(there.Fd()),
			}
			return errors.Join(netlink.LinkAdd(pair), mergesFrames(attributes.Name))
		})).To(Succeed())
		there.Close()
		n.run(fmt.Sprintf("ip link set dev%d up", i))
		inside(n.host(i), "sysctl -qw net.ipv6.conf.all.disable_ipv6=1", fmt.Sprintf("ip link set peer%d up", i),
			fmt.Sprintf("ip addr add 10.0.0.%d/8 dev peer%d", i+1, i))
	}
	Eventually(func() (addresses int) { // the kernel makes them when it has noticed the carrier
		for field := range n.snapshot() {
			if strings.HasPrefix(field, "route fe80::") && strings.Contains(field, "/128 by dev") {
				addresses++
			}
		}
		return addresses
	}, "10s", "20ms").Should(Equal(2))
	return n
}

// mergesFrames switches on the one offload that a veth does not have by itself.
func mergesFrames(device string) error {
	e, err := ethtool.NewEthtool()
	if err != nil {
		return err
	}
	defer e.Close()
	return e.Change(device, map[string]bool{"rx-gro": true})
}

func (n network) host(i int) string { return fmt.Sprint(n.hosts, i) }

// run runs commands in the namespace of the devices.
func (n network) run(lines ...string) {
	GinkgoHelper()
	inside(n.middle, lines...)
}

// inside runs commands in a network namespace.
func inside(path string, lines ...string) {
	GinkgoHelper()
	for _, line := range lines {
		out, err := exec.Command("nsenter", append([]string{"--net=" + path}, strings.Fields(line)...)...).CombinedOutput()
		Expect(err).NotTo(HaveOccurred(), "%s: %s", line, out)
	}
}

// snapshot returns the settings of the devices' namespace, field by field.
func (n network) snapshot() (s ifacetest.Snapshot) {
	GinkgoHelper()
	Expect(netns.In(n.middle, func() (err error) {
		s, err = ifacetest.Take()
		return err
	})).To(Succeed())
	return s
}

// asBefore insists that nothing is different; the kernel gives link-local addresses back in its time.
func (n network) asBefore(before ifacetest.Snapshot) {
	GinkgoHelper()
	Eventually(func() []string { return n.snapshot().Since(before) }, "10s").Should(BeEmpty())
}

// likeBefore is asBefore but for what the kernel itself does about IPv6 at devices that were set up just
// now.
func (n network) likeBefore(before ifacetest.Snapshot) {
	GinkgoHelper()
	Expect(slices.DeleteFunc(n.snapshot().Since(before), func(line string) bool {
		return strings.Contains(line, "fe80::") || strings.HasPrefix(line, "route ff00::")
	})).To(BeEmpty())
}

// scenario is a switch between the two devices.
func (n network) scenario(name string) string {
	GinkgoHelper()
	return scenario(name+".yaml", fmt.Sprintf(`
name: %s
topology:
  nodes:
    - {name: left, kind: edge, interface: dev0, namespace: %[2]s}
    - {name: right, kind: edge, interface: dev1, namespace: %[2]s}
    - {name: s, kind: switch}
  links:
    - {endpoints: [left, s], rate: 200Mbps}
    - {endpoints: [right, s], rate: 100Mbps}
switch:
  pfc: {enabled: false}
  ecn: {kmin: 30KB, kmax: 90KB, scale_rate: 0bps}
run: {until: 60s}
`, name, n.middle))
}
