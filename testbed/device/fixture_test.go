package device

import (
	"errors"
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/vishvananda/netlink"
	"github.com/vishvananda/netns"
	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/specs/tier"
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
	c := &cable{tb: tb, host: newNamespace(tb), ours: newNamespace(tb)}
	c.plug(mtu)
	return c
}

func (c *cable) plug(mtu int) {
	c.tb.Helper()
	in(c.tb, c.host, func() error {
		return netlink.LinkAdd(&netlink.Veth{
			LinkAttrs:     netlink.LinkAttrs{Name: hostEnd, MTU: mtu, TxQLen: -1},
			PeerName:      ourEnd,
			PeerMTU:       uint32(mtu),
			PeerNamespace: netlink.NsFd(c.ours),
		})
	})
	in(c.tb, c.ours, func() error { return silentUp(ourEnd) })
	in(c.tb, c.host, func() error { return silentUp(hostEnd) })
	c.carrier()
}

// carrier waits until the queueing disciplines are there: what is sent before is lost.
func (c *cable) carrier() {
	c.tb.Helper()
	in(c.tb, c.ours, func() error {
		for start := time.Now(); time.Since(start) < deadline; time.Sleep(time.Millisecond) {
			if l, err := netlink.LinkByName(ourEnd); err != nil || l.Attrs().OperState == netlink.OperUp {
				return err
			}
		}
		return errors.New("no carrier")
	})
}

// silentUp sets an interface up that says nothing by itself.
func silentUp(name string) error {
	if err := os.WriteFile("/proc/sys/net/ipv6/conf/"+name+"/disable_ipv6", []byte("1"), 0); err != nil {
		return err
	}
	return set(name, netlink.LinkSetUp)
}

// set changes an interface of this thread's namespace.
func set(name string, change func(netlink.Link) error) error {
	link, err := netlink.LinkByName(name)
	if err != nil {
		return err
	}
	return change(link)
}

func newNamespace(tb testing.TB) netns.NsHandle {
	tb.Helper()
	var ns netns.NsHandle
	err := onThread(func() (err error) {
		ns, err = netns.New()
		return err
	})
	if errors.Is(err, unix.EPERM) || errors.Is(err, unix.ENOSPC) {
		tb.Skipf("this host gives no network namespace: %v", err)
	}
	if err != nil {
		tb.Fatalf("new network namespace: %v", err)
	}
	tb.Cleanup(func() { ns.Close() })
	return ns
}

// onThread runs f on an operating system thread of its own, which ends with it.
func onThread(f func() error) error {
	done := make(chan error)
	go func() {
		runtime.LockOSThread()
		done <- f()
	}()
	return <-done
}

func in(tb testing.TB, ns netns.NsHandle, f func() error) {
	tb.Helper()
	if err := inside(ns, f); err != nil {
		tb.Fatal(err)
	}
}

func inside(ns netns.NsHandle, f func() error) error {
	return onThread(func() error {
		if err := netns.Set(ns); err != nil {
			return err
		}
		return f()
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
	in(tb, ns, func() error {
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
