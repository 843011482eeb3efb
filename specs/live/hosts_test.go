package live

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/specs/internal/lab"
	"github.com/rocelab/rocelab/testbed/nodes/live/device"
	"github.com/rocelab/rocelab/testbed/nodes/live/stack"
	"github.com/rocelab/rocelab/testbed/nodes/netns"
	"github.com/rocelab/rocelab/testbed/nodes/veth"
)

// pairOfHosts makes two foreign hosts, on one network, whose devices are out0 and out1 in the namespace middle. They
// have the addresses of the fabric's first two stations, and know each other.
func pairOfHosts(mtu int) (hosts [2]*stack.Host, middle string) { return pairFrom(mtu, 0) }

// pairFrom is such a pair with the addresses of two stations from number first on.
func pairFrom(mtu, first int) (hosts [2]*stack.Host, middle string) {
	GinkgoHelper()
	list, middle := hostsFrom(2, mtu, first)
	return [2]*stack.Host(list), middle
}

// hostsFrom returns such hosts with the addresses of stations from number first on.
func hostsFrom(count, mtu, first int) (hosts []*stack.Host, middle string) {
	GinkgoHelper()
	folder, err := os.MkdirTemp("", "rocelab-live-")
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(os.RemoveAll, folder)
	middle = filepath.Join(folder, "middle")
	Expect(netns.NewNamespace(middle)).To(Succeed())
	DeferCleanup(netns.RemoveNamespace, middle)
	var all []stack.Neighbour
	for i := range count {
		ip := plan.StationIP(first + i)
		all = append(all, stack.Neighbour{
			IP:  net.IPv4(byte(ip>>24), byte(ip>>16), byte(ip>>8), byte(ip)),
			MAC: net.HardwareAddr{2, 0, 0, 7, 7, byte(i)},
		})
	}
	for i := range count {
		hosts = append(hosts, &stack.Host{
			Name:         fmt.Sprint("host", i),
			Namespace:    filepath.Join(folder, fmt.Sprint("host", i)),
			Device:       netns.End{Namespace: middle, Interface: fmt.Sprint("out", i)},
			MTU:          mtu,
			IP:           all[i].IP,
			PrefixLength: 8,
			MAC:          all[i].MAC,
			Neighbours:   all,
		})
		DeferCleanup(netns.RemoveNamespace, hosts[i].Namespace)
		Expect(hosts[i].Make()).To(Succeed())
	}
	return hosts, middle
}

// port is a socket at a host's interface, past its stack, for as long as the spec lasts.
func port(h *stack.Host) (p *device.Port) {
	GinkgoHelper()
	Expect(netns.In(h.Namespace, func() error {
		g := device.Default(h.MTU)
		fd, err := device.Open(stack.Interface, g)
		if err != nil {
			return err
		}
		p, err = device.Map(fd, g)
		return err
	})).To(Succeed())
	DeferCleanup(p.Close)
	return p
}

// meanwhile runs a plan for as long as something is done that begins with its windows; the run counts as
// interrupted.
func meanwhile(b *veth.Testbed, p *plan.Plan, do func()) *lab.Run {
	GinkgoHelper()
	ctx, end := context.WithCancel(context.Background())
	defer end()
	out, err := b.Run(ctx, p, veth.Options{Dilation: 1, Progress: onceBegun(func() {
		go func() {
			defer end()
			defer GinkgoRecover()
			do()
		}()
	})})
	Expect(err).NotTo(HaveOccurred())
	Expect(out.Interrupted).To(BeTrue(), "the run was over too soon")
	return lab.Judge(out)
}

// running is a command in a host.
type running struct {
	*stack.Command
	output string
}

// start begins a command in a host; it ends with the spec.
func start(h *stack.Host, line string) *running {
	GinkgoHelper()
	f, err := os.CreateTemp("", "rocelab-live-output-")
	Expect(err).NotTo(HaveOccurred())
	defer f.Close()
	DeferCleanup(os.Remove, f.Name())
	c, err := h.Start(line, f)
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(c.End)
	return &running{c, f.Name()}
}

// said returns what a command printed, when it has ended.
func (r *running) said(patience time.Duration) string {
	GinkgoHelper()
	select {
	case <-r.Done():
	case <-time.After(patience):
		Fail("it does not end: " + r.text())
	}
	return r.text()
}

func (r *running) text() string {
	b, err := os.ReadFile(r.output)
	Expect(err).NotTo(HaveOccurred())
	return string(b)
}
