package netns

import (
	"errors"
	"net"
	"os"
	"strings"
	"testing"

	"github.com/vishvananda/netlink"
)

// alter changes the interface of an end by netlink.
func alter(t *testing.T, e End, do func(netlink.Link) error) {
	t.Helper()
	inside(t, e.Namespace, func() error {
		i, err := netlink.LinkByName(e.Interface)
		if err != nil {
			return err
		}
		return do(i)
	})
}

func TestCheckSaysWhatDiffers(t *testing.T) {
	made := func(t *testing.T) Link {
		n := namespaces(t, "a", "b")
		l := Link{A: at(n[0], "p", macA), B: at(n[1], "q", macB), MTU: 1500}
		if err := Connect(l); err != nil {
			t.Fatal(err)
		}
		if err := Check(l); err != nil {
			t.Fatal(err)
		}
		return l
	}
	for _, c := range []struct {
		name  string
		spoil func(*testing.T, *Link)
		want  string
	}{
		{"an MTU", func(t *testing.T, l *Link) {
			alter(t, l.B, func(i netlink.Link) error { return netlink.LinkSetMTU(i, 1400) })
		}, "has MTU 1400, not 1500"},
		{"a MAC", func(t *testing.T, l *Link) {
			alter(t, l.A, func(i netlink.Link) error {
				return netlink.LinkSetHardwareAddr(i, net.HardwareAddr{2, 0, 0, 0, 0, 0xc})
			})
		}, "has MAC 02:00:00:00:00:0c, not 02:00:00:00:00:0a"},
		{"an interface that went", func(t *testing.T, l *Link) { alter(t, l.B, netlink.LinkDel) }, "interface p in "},
		{"a namespace that went", func(t *testing.T, l *Link) {
			if err := RemoveNamespace(l.B.Namespace); err != nil {
				t.Fatal(err)
			}
		}, "no such file"},
		{"another kind of interface", func(t *testing.T, l *Link) { l.B.Interface, l.B.MAC = "lo", nil },
			"is a device, not a veth"},
		// Both pairs have the same indices in their namespaces.
		{"ends of two links", func(t *testing.T, l *Link) {
			n := namespaces(t, "a2", "b2")
			other := Link{A: at(n[0], "p", macA), B: at(n[1], "q", macB), MTU: 1500}
			if err := Connect(other); err != nil {
				t.Fatal(err)
			}
			l.B = other.B
		}, "not ends of one veth pair"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := made(t)
			c.spoil(t, &l)
			if err := Check(l); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

func TestMoveTakesAnEndAndKeepsTheOther(t *testing.T) {
	n := namespaces(t, "a", "parking", "b")
	a, parked, b := at(n[0], "p", macA), at(n[1], "spare", macB), at(n[2], "q", macB)
	if err := Connect(Link{A: a, B: parked, MTU: 1500}); err != nil {
		t.Fatal(err)
	}
	if err := Move(parked, b); err != nil {
		t.Fatal(err)
	}
	if err := Settle(a, b); err != nil {
		t.Error(err)
	}
	if err := Check(Link{A: a, B: b, MTU: 1500}); err != nil {
		t.Error(err)
	}
	alter(t, a, func(i netlink.Link) error {
		if i.Attrs().OperState != netlink.OperUp {
			t.Errorf("the end that stayed is %v", i.Attrs().OperState)
		}
		return nil
	})
	if left := interfaces(t, n[1]); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestMoveToANameThatExistsChangesNothing(t *testing.T) {
	n := namespaces(t, "a", "b")
	l := Link{A: at(n[0], "p", macA), B: at(n[1], "p", macB), MTU: 1500}
	if err := Connect(l); err != nil {
		t.Fatal(err)
	}
	err := Move(l.A, End{Namespace: n[1], Interface: "p"})
	if _, ok := errors.AsType[*ExistsError](err); !ok {
		t.Errorf("error %v", err)
	}
	if err := Check(l); err != nil {
		t.Error(err)
	}
}

func TestDisconnectTakesBothEndsAndMayBeRepeated(t *testing.T) {
	n := namespaces(t, "a", "b")
	l := Link{A: at(n[0], "p", macA), B: at(n[1], "p", macB), MTU: 1500}
	if err := Connect(l); err != nil {
		t.Fatal(err)
	}
	for _, e := range []End{l.A, l.A, l.B, {Namespace: n[0] + "-gone", Interface: "p"}} {
		if err := Disconnect(e); err != nil {
			t.Error(err)
		}
	}
	for _, path := range n {
		if left := interfaces(t, path); len(left) > 0 {
			t.Errorf("left: %v", left)
		}
	}
	file := n[0] + "-file"
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Disconnect(End{Namespace: file, Interface: "p"}); err == nil {
		t.Error("a file passed for a namespace")
	}
}

func TestSettleNamesTheInterfaceThatIsGone(t *testing.T) {
	n := namespaces(t, "a")
	err := Settle(End{Namespace: n[0], Interface: "p"})
	if err == nil || !strings.Contains(err.Error(), "wait for interface p in "+n[0]) {
		t.Errorf("error %v", err)
	}
}
