package packet

import (
	"encoding/binary"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/specs/tier"
	"github.com/rocelab/rocelab/testbed/nodes/internal/packettest"
)

// cable is a veth pair between two network namespaces of its own, both ends up
// and silent: nothing sends on it but the test, whose thread is pinned.
type cable struct {
	tb   testing.TB
	a, b packettest.End
}

const deadline = 10 * time.Second

// newCable makes a cable, or skips the test where this process may not.
func newCable(tb testing.TB, mtu int) *cable {
	tb.Helper()
	tier.Root(tb, "making network namespaces and packet sockets")
	pinned(tb)
	c := &cable{
		tb: tb,
		a:  packettest.End{Namespace: packettest.NewNamespace(tb), Name: "left"},
		b:  packettest.End{Namespace: packettest.NewNamespace(tb), Name: "right"},
	}
	packettest.Plug(tb, c.a, c.b, mtu)
	return c
}

// in runs f in the namespace of an end.
func (c *cable) in(e packettest.End, f func() error) {
	c.tb.Helper()
	packettest.In(c.tb, e.Namespace, f)
}

func mustLink(tb testing.TB, name string) netlink.Link {
	link, err := netlink.LinkByName(name)
	if err != nil {
		tb.Errorf("link %s: %v", name, err)
	}
	return link
}

func (c *cable) socket(e packettest.End, g Geometry) int {
	c.tb.Helper()
	var fd int
	c.in(e, func() (err error) {
		fd, err = Open(e.Name, g)
		return err
	})
	return fd
}

func (c *cable) port(e packettest.End, g Geometry) *Port {
	c.tb.Helper()
	p, err := Map(c.socket(e, g), g)
	if err != nil {
		c.tb.Fatal(err)
	}
	c.tb.Cleanup(func() { p.Close() })
	return p
}

func (c *cable) counters(e packettest.End) (counters Counters) {
	c.tb.Helper()
	c.in(e, func() (err error) {
		counters, err = ReadCounters(e.Name)
		return err
	})
	return counters
}

// pinned keeps the calling goroutine on one processor, so that its frames cannot
// overtake one another.
func pinned(tb testing.TB) {
	tb.Helper()
	runtime.LockOSThread()
	var before, one unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		tb.Fatal(err)
	}
	for cpu := range 1024 {
		if before.IsSet(cpu) {
			one.Set(cpu)
			break
		}
	}
	if err := unix.SchedSetaffinity(0, &one); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		unix.SchedSetaffinity(0, &before)
		runtime.UnlockOSThread()
	})
}

// fill writes the frame that has a number into b: no two numbers, and no two
// places in a frame, look alike.
func fill(b []byte, number uint64) {
	copy(b, "\x02\x00\x00\x00\x00\x02\x02\x00\x00\x00\x00\x01\x88\xb5")
	x := number*0x9e3779b97f4a7c15 + uint64(len(b))
	for i := 14; i < len(b); i++ {
		x = x*6364136223846793005 + 1442695040888963407
		b[i] = byte(x >> 56)
	}
	if len(b) >= 22 {
		binary.BigEndian.PutUint64(b[14:], number)
	}
}

func send(tb testing.TB, p *Port, frame []byte) {
	tb.Helper()
	slot, err := p.Slot()
	if err != nil {
		tb.Fatal(err)
	}
	p.Queue(copy(slot, frame))
}

func flush(tb testing.TB, p *Port) {
	tb.Helper()
	if err := p.Flush(); err != nil {
		tb.Fatal(err)
	}
}

// receive returns the next frame; the test fails if none comes.
func receive(tb testing.TB, p *Port) []byte {
	tb.Helper()
	if err := p.Await(deadline); err != nil {
		tb.Fatal(err)
	}
	frame := p.Next()
	if frame == nil {
		tb.Fatalf("no frame on %s within %v", p.Name(), deadline)
	}
	return frame
}

func differ(got, want []byte) string {
	if len(got) != len(want) {
		return fmt.Sprintf("%d bytes, want %d", len(got), len(want))
	}
	for i := range got {
		if got[i] != want[i] {
			return fmt.Sprintf("byte %d is %#02x, want %#02x", i, got[i], want[i])
		}
	}
	return ""
}
