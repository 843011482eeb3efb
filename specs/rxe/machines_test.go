package rxe

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"os"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/containernetworking/plugins/pkg/ns"

	"github.com/rocelab/rocelab/specs/rxe/guest"
)

// jumbo is an MTU of interfaces that gives soft-RoCE path MTUs up to 4096; 1500 gives 1024.
const jumbo = 9000

// The addresses of the two machines, on one network, and their MACs.
var (
	addresses = [2]netip.Prefix{netip.MustParsePrefix("11.0.0.1/8"), netip.MustParsePrefix("11.0.0.2/8")}
	macs      = [2]net.HardwareAddr{{2, 0, 0, 0, 0, 1}, {2, 0, 0, 0, 0, 2}}
)

// space is a network namespace that nothing but this process keeps.
func space() (path string) {
	n, err := ns.TempNetNS()
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(n.Close)
	return fmt.Sprintf("/proc/%d/fd/%d", os.Getpid(), n.Fd())
}

// tap makes a network interface for a machine, with an MTU in bytes.
func tap(path, name string, mtu int) *os.File {
	f, err := guest.Tap(path, name, mtu)
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(f.Close)
	return f
}

// machines is a pair of them: the first asks, the second serves.
type machines [2]*guest.Guest

// boot starts two machines, which know each other's MAC, behind two interfaces; the MTU
// is in bytes.
func boot(ctx context.Context, taps [2]*os.File, addresses [2]netip.Prefix, mtu int) *machines {
	began := time.Now()
	var m machines
	var failed [2]error
	var both sync.WaitGroup
	for i := range m {
		both.Go(func() {
			m[i], failed[i] = guest.Start(ctx, guest.Config{
				Image:      booted,
				Tap:        taps[i],
				MAC:        macs[i],
				Address:    addresses[i],
				MTU:        mtu,
				Neighbours: map[netip.Addr]net.HardwareAddr{addresses[1-i].Addr(): macs[1-i]},
			})
		})
	}
	both.Wait()
	for i := range m {
		if m[i] != nil {
			DeferCleanup(m[i].Close)
		}
	}
	Expect(failed).To(HaveEach(BeNil()))
	fmt.Fprintf(GinkgoWriter, "two machines are ready after %.1f s\n", time.Since(began).Seconds())
	return &m
}

// run runs a command in a machine, which must end well, and returns what it said.
func run(g *guest.Guest, limit time.Duration, line string) string {
	GinkgoHelper()
	began := time.Now()
	out, err := g.Run(limit, line)
	Expect(err).NotTo(HaveOccurred())
	fmt.Fprintf(GinkgoWriter, "$ %s # %.1f s\n%s", line, time.Since(began).Seconds(), out.Text)
	Expect(out.Status).To(BeZero(), "%s: %s", line, out.Text)
	return out.Text
}
