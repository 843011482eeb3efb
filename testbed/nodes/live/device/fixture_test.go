package device

import (
	"errors"
	"testing"
	"time"

	"github.com/vishvananda/netlink"
	"github.com/vishvananda/netns"
	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/specs/tier"
	"github.com/rocelab/rocelab/testbed/nodes/internal/packettest"
)

const deadline = 10 * time.Second

// cable is a veth pair from a host, in a network namespace of its own, to an end that
// we hold a port at, in another.
type cable struct {
	tb         testing.TB
	host, ours netns.NsHandle
}

const (
	hostEnd = "eth0"
	ourEnd  = "edge0"
)

func newCable(tb testing.TB, mtu int) *cable {
	tb.Helper()
	tier.Root(tb, "making network namespaces and packet sockets")
	c := &cable{tb: tb, host: packettest.NewNamespace(tb), ours: packettest.NewNamespace(tb)}
	c.plug(mtu)
	return c
}

func (c *cable) plug(mtu int) {
	c.tb.Helper()
	host, ours := packettest.End{Namespace: c.host, Name: hostEnd}, packettest.End{Namespace: c.ours, Name: ourEnd}
	packettest.Plug(c.tb, host, ours, mtu)
	c.carrier()
}

// carrier waits until the queueing disciplines are there: frames sent earlier are lost.
func (c *cable) carrier() {
	c.tb.Helper()
	packettest.In(c.tb, c.ours, func() error {
		for start := time.Now(); time.Since(start) < deadline; time.Sleep(time.Millisecond) {
			if l, err := netlink.LinkByName(ourEnd); err != nil || l.Attrs().OperState == netlink.OperUp {
				return err
			}
		}
		return errors.New("no carrier")
	})
}

func (c *cable) port(g Geometry) *Port {
	c.tb.Helper()
	return openPort(c.tb, c.ours, ourEnd, g)
}

// hostPort is a port at the host's end, for what no stack would send.
func (c *cable) hostPort(g Geometry) *Port {
	c.tb.Helper()
	return openPort(c.tb, c.host, hostEnd, g)
}

func openPort(tb testing.TB, ns netns.NsHandle, name string, g Geometry) *Port {
	tb.Helper()
	var p *Port
	packettest.In(tb, ns, func() error {
		fd, err := Open(name, g)
		if err != nil {
			return err
		}
		if p, err = Map(fd, g); err != nil {
			unix.Close(fd)
		}
		return err
	})
	tb.Cleanup(func() { p.Close() })
	return p
}

// await waits until Next has a frame; the test fails if none comes.
func await(tb testing.TB, p *Port) (frame []byte, stamp int64) {
	tb.Helper()
	for start := time.Now(); time.Since(start) < deadline; poll(p, 100*time.Millisecond) {
		if frame, stamp, ok := p.Next(); ok {
			return frame, stamp
		}
	}
	tb.Fatalf("no frame on %s within %v", p.Name(), deadline)
	return nil, 0
}

func poll(p *Port, d time.Duration) {
	events := []unix.PollFd{{Fd: int32(p.Descriptor()), Events: unix.POLLIN}}
	_, _ = unix.Poll(events, int(d.Milliseconds()))
}
