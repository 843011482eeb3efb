package device

import (
	"errors"
	"fmt"
	"testing"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/testbed/nodes/internal/packettest"
)

func TestGeometry(t *testing.T) {
	for _, g := range []Geometry{{}, {MTU: 1500}, {MTU: minMTU - 1, Slots: 1}, {MTU: maxMTU + 1, Slots: 1}} {
		t.Run(fmt.Sprintf("MTU=%v", g.MTU), func(t *testing.T) {
			if g.Bytes() != 0 {
				t.Errorf("%+v has %d bytes", g, g.Bytes())
			}
			if _, err := Open("lo", g); err == nil {
				t.Errorf("%+v was opened", g)
			}
		})
	}
	for mtu, slots := range map[int]int{68: 80_000, 1500: 8_000, 9000: 1_500, maxMTU: 256} {
		t.Run(fmt.Sprintf("mtu=%v", mtu), func(t *testing.T) {
			g := Default(mtu)
			if g.MTU != mtu || g.Slots < slots || g.Bytes() < 14<<20 || g.Bytes() > 36<<20 {
				t.Errorf("MTU %d: %+v, %d bytes", mtu, g, g.Bytes())
			}
		})
	}
}

// Tier: everyday, root.
func TestOpenRefuses(t *testing.T) {
	c := newCable(t, 1500)
	open := func(name string) error {
		return packettest.Inside(c.ours, func() error {
			fd, err := Open(name, Default(1500))
			if err == nil {
				unix.Close(fd)
			}
			return err
		})
	}
	if _, missing := errors.AsType[netlink.LinkNotFoundError](open("nothing")); !missing {
		t.Errorf("an interface that does not exist: %v", open("nothing"))
	}
	packettest.In(t, c.ours, func() error { return packettest.Set(ourEnd, netlink.LinkSetDown) })
	if err := open(ourEnd); !errors.Is(err, unix.ENETDOWN) {
		t.Errorf("an interface that is down: %v", err)
	}
}

// A socket is mapped by its own geometry; promiscuity goes with it.
// Tier: everyday, root.
func TestPromiscuityGoesWithTheSocket(t *testing.T) {
	c := newCable(t, 1500)
	promiscuous := func() (n int) {
		packettest.In(t, c.ours, func() error {
			l, err := netlink.LinkByName(ourEnd)
			if err == nil {
				n = l.Attrs().Promisc
			}
			return err
		})
		return n
	}
	var fd int
	packettest.In(t, c.ours, func() (err error) {
		fd, err = Open(ourEnd, Default(1500))
		return err
	})
	if n := promiscuous(); n != 1 {
		t.Errorf("promiscuity %d", n)
	}
	if _, err := Map(fd, Default(9000)); !errors.Is(err, unix.EINVAL) {
		t.Errorf("mapped by another geometry: %v", err)
	}
	p, err := Map(fd, Default(1500))
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if n := promiscuous(); n != 0 {
		t.Errorf("promiscuity %d after the end", n)
	}
}
