package netns

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"

	"github.com/containernetworking/plugins/pkg/ip"
	"github.com/containernetworking/plugins/pkg/ns"
	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

// End is one end of a link: an interface of a node.
type End struct {
	// Namespace is the path of the network namespace the interface lives in.
	Namespace string
	// Interface is its name there: 1 to 15 bytes without white space, '/' or ':'.
	Interface string
	// MAC is its address: 6 bytes, unicast. If nil, the kernel draws one.
	MAC net.HardwareAddr
	// Own is set if the end is an interface of a host's own network stack: it keeps the kernel's defaults, among them
	// ARP, multicast and offloads. Any other carries only its users' frames, as they are.
	Own bool
}

func (e End) String() string { return e.Interface + " in " + e.Namespace }

// Link is a veth pair.
type Link struct {
	A, B End
	// MTU is the MTU of both ends. Unit: bytes of a frame without its Ethernet
	// header. Range: 68 to 65535.
	MTU int
}

func (l Link) String() string { return l.A.String() + " to " + l.B.String() }

// The MTUs that veth takes (drivers/net/veth.c: ETH_MIN_MTU, ETH_MAX_MTU).
const (
	minMTU = 68
	maxMTU = 65535
)

// Connect makes the link and brings both its ends up; they can send when it
// returns. It fails, and leaves nothing, if an interface of an end's name exists
// in its namespace.
func Connect(l Link) error {
	if err := makeLink(l); err != nil {
		return err
	}
	if err := Settle(l.A, l.B); err != nil {
		return errors.Join(err, Disconnect(l.A))
	}
	return nil
}

// ConnectAll makes the links in their order, one after another: the kernel makes one at a time (rtnl lock), so workers
// would gain nothing. It stops at the first that fails, which the error names, and when ctx ends; finished ones stay,
// and go with their namespaces. Progress, unless nil, is called after each.
func ConnectAll(ctx context.Context, links []Link, progress func(done int)) error {
	for i, l := range links {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("%d of %d links made: %w", i, len(links), err)
		}
		if err := makeLink(l); err != nil {
			return err
		}
		if progress != nil {
			progress(i + 1)
		}
	}
	for _, l := range links { // which the kernel has done for most by now
		if err := Settle(l.A, l.B); err != nil {
			return err
		}
	}
	return nil
}

// makeLink makes the link, whose ends the kernel may yet have to put to work.
func makeLink(l Link) error {
	err := l.Validate()
	if err == nil {
		err = connect(l)
	}
	if err != nil {
		return fmt.Errorf("link %v: %w", l, err)
	}
	return nil
}

// Validate reports all faults of the link's own values.
func (l Link) Validate() error {
	var problems []error
	if l.MTU < minMTU || l.MTU > maxMTU {
		problems = append(problems, fmt.Errorf("MTU %d: allowed are %d to %d bytes", l.MTU, minMTU, maxMTU))
	}
	problems = append(problems, l.A.validate(), l.B.validate())
	if l.A.Namespace == l.B.Namespace && l.A.Interface == l.B.Interface {
		problems = append(problems, errors.New("its ends are one interface"))
	}
	return errors.Join(problems...)
}

func (e End) validate() error {
	// dev_valid_name in the kernel's net/core/dev.c.
	if n := e.Interface; n == "" || n == "." || n == ".." || len(n) >= unix.IFNAMSIZ || strings.ContainsAny(n,
		"/: \t\n\v\f\r") {
		return fmt.Errorf("interface name %q: allowed are 1 to %d bytes without white space, '/' or ':'", n, unix.IFNAMSIZ-1)
	}
	if e.MAC != nil && (len(e.MAC) != 6 || e.MAC[0]&1 != 0 || [6]byte(e.MAC) == [6]byte{}) {
		return fmt.Errorf("MAC %v of %s: allowed are unicast addresses of 6 bytes, not all zero", e.MAC, e.Interface)
	}
	return nil
}

func connect(l Link) error {
	a, err := open(l.A.Namespace)
	if err != nil {
		return err
	}
	defer a.Close()
	b, err := open(l.B.Namespace)
	if err != nil {
		return err
	}
	defer b.Close()
	return a.Do(func(ns.NetNS) error {
		return connectFrom(b, l)
	})
}

// connectFrom makes the link from within end A's namespace: both interfaces, in
// their namespaces, with their names and MTU, in one message.
func connectFrom(b ns.NetNS, l Link) error {
	far, near, err := ip.SetupVethWithName(l.A.Interface, l.B.Interface, l.MTU, l.A.MAC.String(), b)
	if err != nil {
		return explain(err, b, l)
	}
	err = l.A.raise()
	if err == nil {
		err = b.Do(func(ns.NetNS) error {
			if l.B.MAC != nil {
				if err := netlink.LinkSetHardwareAddr(handle(far), l.B.MAC); err != nil {
					return fmt.Errorf("give interface %s its MAC: %w", l.B.Interface, err)
				}
			}
			return l.B.raise()
		})
	}
	if err != nil {
		err = errors.Join(err, netlink.LinkDel(handle(near)))
	}
	return err
}

// handle names an interface to netlink by its index.
func handle(i net.Interface) netlink.Link {
	return &netlink.Device{LinkAttrs: netlink.LinkAttrs{Index: i.Index}}
}

// explain names the end whose name exists, if that is the reason of the failure, which the kernel does not report. It
// runs in end A's namespace.
func explain(err error, b ns.NetNS, l Link) error {
	if exists(l.A.Interface) {
		return &ExistsError{l.A}
	}
	taken := false
	if b.Do(func(ns.NetNS) error { taken = exists(l.B.Interface); return nil }) == nil && taken {
		return &ExistsError{l.B}
	}
	return err
}

func exists(name string) bool {
	_, err := netlink.LinkByName(name)
	return err == nil
}

// ExistsError reports that the interface of an end exists already.
type ExistsError struct{ End End }

func (e *ExistsError) Error() string { return "interface " + e.End.String() + " exists already" }
