package netns

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/safchain/ethtool"
	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

var (
	macA = net.HardwareAddr{2, 0, 0, 0, 0, 0xa}
	macB = net.HardwareAddr{2, 0, 0, 0, 0, 0xb}
)

// interfaces is the names of the interfaces in a namespace, without loopback.
func interfaces(t testing.TB, path string) []string {
	t.Helper()
	var names []string
	inside(t, path, func() error {
		links, err := netlink.LinkList()
		for errors.Is(err, netlink.ErrDumpInterrupted) { // something changed meanwhile
			links, err = netlink.LinkList()
		}
		for _, l := range links {
			// A kernel with tunnels built in puts their devices into each namespace.
			if l.Type() == "veth" {
				names = append(names, l.Attrs().Name)
			}
		}
		return err
	})
	return names
}

func TestConnectGivesBothEndsTheirNameAddressAndMTU(t *testing.T) {
	n := namespaces(t, "a", "b")
	l := Link{A: at(n[0], "up1", macA), B: at(n[1], "down1", macB), MTU: 4264}
	if err := Connect(l); err != nil {
		t.Fatal(err)
	}
	for _, e := range []End{l.A, l.B} {
		inside(t, e.Namespace, func() error {
			i, err := netlink.LinkByName(e.Interface)
			if err != nil {
				return err
			}
			a := i.Attrs()
			if a.MTU != l.MTU || !bytes.Equal(a.HardwareAddr, e.MAC) {
				t.Errorf("%v has MTU %d and MAC %v", e, a.MTU, a.HardwareAddr)
			}
			want := uint32(unix.IFF_UP | unix.IFF_RUNNING | unix.IFF_LOWER_UP | unix.IFF_NOARP)
			if a.RawFlags&want != want || a.RawFlags&unix.IFF_MULTICAST != 0 {
				t.Errorf("%v has flags %#x", e, a.RawFlags)
			}
			addresses, err := netlink.AddrList(i, netlink.FAMILY_ALL)
			if len(addresses) > 0 {
				t.Errorf("%v has addresses %v", e, addresses)
			}
			return err
		})
	}
}

func TestConnectTakesEveryAllowedMTU(t *testing.T) {
	n := namespaces(t, "a", "b")
	for _, mtu := range []int{minMTU, 1279, 1280, maxMTU} { // IPv6 wants 1280 or more
		name := fmt.Sprintf("mtu%d", mtu)
		if err := Connect(Link{A: at(n[0], name, nil), B: at(n[1], name, nil), MTU: mtu}); err != nil {
			t.Error(err)
		}
		inside(t, n[1], func() error {
			i, err := net.InterfaceByName(name)
			if err == nil && i.MTU != mtu {
				t.Errorf("MTU %d, want %d", i.MTU, mtu)
			}
			return err
		})
	}
}

func TestConnectLetsTheKernelDrawAddresses(t *testing.T) {
	n := namespaces(t, "a", "b")
	if err := Connect(Link{A: End{Namespace: n[0], Interface: "p"}, B: End{Namespace: n[1], Interface: "p"},
		MTU: 1500}); err != nil {
		t.Fatal(err)
	}
	var macs []string
	for _, path := range n {
		inside(t, path, func() error {
			i, err := net.InterfaceByName("p")
			if err == nil {
				macs = append(macs, i.HardwareAddr.String())
			}
			return err
		})
	}
	if macs[0] == macs[1] || macs[0] == "" {
		t.Errorf("addresses %v", macs)
	}
}

func TestConnectLeavesNoOffloadOn(t *testing.T) {
	n := namespaces(t, "a", "b")
	l := Link{A: at(n[0], "p", macA), B: at(n[1], "p", macB), MTU: 1500}
	if err := Connect(l); err != nil {
		t.Fatal(err)
	}
	for _, e := range []End{l.A, l.B} {
		inside(t, e.Namespace, func() error {
			kernel, err := ethtool.NewEthtool()
			if err != nil {
				return err
			}
			defer kernel.Close()
			features, err := kernel.FeaturesWithState(e.Interface)
			if err != nil {
				return err
			}
			for name, state := range features {
				if state.Active && state.Available && !state.NeverChanged {
					t.Errorf("%v: %s is on", e, name)
				}
			}
			if len(features) == 0 {
				t.Error("the kernel told no features")
			}
			return nil
		})
	}
}

func TestConnectNamesTheInterfaceThatExists(t *testing.T) {
	n := namespaces(t, "a", "b", "c")
	if err := Connect(Link{A: at(n[0], "p1", macA), B: at(n[1], "p1", macB), MTU: 1500}); err != nil {
		t.Fatal(err)
	}
	for _, l := range []Link{
		{A: at(n[1], "p1", macA), B: at(n[2], "p1", macB), MTU: 1500},
		{A: at(n[2], "p1", macA), B: at(n[1], "p1", macB), MTU: 1500},
	} {
		err := Connect(l)
		exists, ok := errors.AsType[*ExistsError](err)
		if !ok || exists.End.Namespace != n[1] {
			t.Errorf("error %v", err)
		}
		if want := "interface p1 in " + n[1] + " exists already"; !strings.Contains(err.Error(), want) {
			t.Errorf("error %q, want %q", err, want)
		}
	}
	if left := interfaces(t, n[2]); len(left) > 0 {
		t.Errorf("the failed links left %v", left)
	}
	if got := interfaces(t, n[1]); len(got) != 1 {
		t.Errorf("the interface that existed: %v", got)
	}
}

func TestConnectWithinOneNamespace(t *testing.T) {
	n := namespaces(t, "a")
	l := Link{A: at(n[0], "p1", nil), B: at(n[0], "p2", nil), MTU: 1500}
	if err := Connect(l); err != nil {
		t.Fatal(err)
	}
	if err := Check(l); err != nil {
		t.Error(err)
	}
}

func TestConnectRefusesAnAbsentNamespace(t *testing.T) {
	n := namespaces(t, "a")
	for _, l := range []Link{
		{A: at(n[0]+"x", "p1", nil), B: at(n[0], "p2", nil), MTU: 1500},
		{A: at(n[0], "p1", nil), B: at(n[0]+"x", "p2", nil), MTU: 1500},
	} {
		err := Connect(l)
		if want := n[0] + "x: no such file"; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	if got := interfaces(t, n[0]); len(got) != 0 {
		t.Errorf("interfaces %v", got)
	}
}

func TestValidate(t *testing.T) {
	good := Link{A: at("/a", "p1", macA), B: at("/b", "p1", nil), MTU: 1500}
	if err := good.Validate(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		spoil func(*Link)
		want  string
	}{
		{"small MTU", func(l *Link) { l.MTU = 67 }, "MTU 67: allowed are 68 to 65535 bytes"},
		{"large MTU", func(l *Link) { l.MTU = 65536 }, "MTU 65536"},
		{"no name", func(l *Link) { l.A.Interface = "" }, `interface name ""`},
		{"long name", func(l *Link) { l.B.Interface = "abcdefghijklmnop" }, "1 to 15 bytes"},
		{"slash", func(l *Link) { l.B.Interface = "a/b" }, `"a/b"`},
		{"dots", func(l *Link) { l.B.Interface = ".." }, `".."`},
		{"short MAC", func(l *Link) { l.A.MAC = macA[:5] }, "6 bytes"},
		{"multicast MAC", func(l *Link) { l.B.MAC = net.HardwareAddr{1, 0, 0x5e, 0, 0, 1} }, "01:00:5e:00:00:01 of p1"},
		{"zero MAC", func(l *Link) { l.B.MAC = make(net.HardwareAddr, 6) }, "not all zero"},
		{"one interface", func(l *Link) { l.B = l.A }, "its ends are one interface"},
		{"everything", func(l *Link) { l.MTU, l.A.Interface = 0, "a b" },
			"MTU 0: allowed are 68 to 65535 bytes\ninterface name \"a b\""},
	} {
		l := good
		c.spoil(&l)
		if err := l.Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
		if err := Connect(l); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: Connect: error %v, want %q", c.name, err, c.want)
		}
	}
}

func TestConnectAllTellsProgressAndStopsWithItsContext(t *testing.T) {
	n := namespaces(t, "a", "b")
	var links []Link
	for i := range 5 {
		name := fmt.Sprintf("p%d", i)
		links = append(links, Link{A: at(n[0], name, nil), B: at(n[1], name, nil), MTU: 1500})
	}
	ctx, cancel := context.WithCancel(t.Context())
	var told []int
	err := ConnectAll(ctx, links, func(done int) {
		told = append(told, done)
		if done == 2 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "2 of 5 links made") {
		t.Errorf("error %v", err)
	}
	if fmt.Sprint(told) != "[1 2]" || len(interfaces(t, n[1])) != 2 {
		t.Errorf("told %v, interfaces %v", told, interfaces(t, n[1]))
	}
}

func TestConnectAllNamesTheLinkThatFailed(t *testing.T) {
	n := namespaces(t, "a", "b")
	links := []Link{
		{A: at(n[0], "p1", nil), B: at(n[1], "p1", nil), MTU: 1500},
		{A: at(n[0], "p2", nil), B: at(n[1], "p1", nil), MTU: 1500},
	}
	err := ConnectAll(t.Context(), links, nil)
	if err == nil || !strings.Contains(err.Error(), links[1].String()) {
		t.Errorf("error %v", err)
	}
}

func TestARemovedNamespaceTakesItsLinks(t *testing.T) {
	n := namespaces(t, "a", "b")
	if err := Connect(Link{A: at(n[0], "p", nil), B: at(n[1], "p", nil), MTU: 1500}); err != nil {
		t.Fatal(err)
	}
	if err := RemoveNamespace(n[0]); err != nil {
		t.Fatal(err)
	}
	gone(t, n[1])
}

// gone waits until the kernel has taken every link from the namespace.
func gone(t testing.TB, path string) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); len(interfaces(t, path)) > 0; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s still has %v", path, interfaces(t, path))
		}
	}
}
