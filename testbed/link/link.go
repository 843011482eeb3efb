package link

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"

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
}

func (e End) String() string { return e.Interface + " in " + e.Namespace }

// Link is a veth pair.
type Link struct {
	A, B End
	// MTU is that of both ends. Unit: bytes of a frame without its Ethernet
	// header. Range: 68 to 65535.
	MTU int
}

func (l Link) String() string { return l.A.String() + " to " + l.B.String() }

// The MTUs that veth takes (drivers/net/veth.c: ETH_MIN_MTU, ETH_MAX_MTU).
const (
	MinMTU = 68
	MaxMTU = 65535
)

// Connect makes the link and brings both its ends up; they can send when it
// returns. It fails, and leaves nothing, if an interface of an end's name exists
// in its namespace.
func Connect(l Link) error {
	if err := lay(l); err != nil {
		return err
	}
	if err := Settle(l.A, l.B); err != nil {
		return errors.Join(err, Disconnect(l.A))
	}
	return nil
}

// ConnectAll makes the links in their order, one after another: the kernel makes
// one at a time (rtnl lock), so workers would gain nothing. It stops at the
// first that fails, which the error names, and when ctx ends; those made stay,
// and go with their namespaces. Progress, unless nil, is told after each.
func ConnectAll(ctx context.Context, links []Link, progress func(done int)) error {
	for i, l := range links {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("%d of %d links made: %w", i, len(links), err)
		}
		if err := lay(l); err != nil {
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

// lay makes the link, whose ends the kernel may yet have to put to work.
func lay(l Link) error {
	err := l.Validate()
	if err == nil {
		err = connect(l)
	}
	if err != nil {
		return fmt.Errorf("link %v: %w", l, err)
	}
	return nil
}

// Validate says everything that is wrong with the link's own values.
func (l Link) Validate() error {
	var problems []error
	if l.MTU < MinMTU || l.MTU > MaxMTU {
		problems = append(problems, fmt.Errorf("MTU %d: allowed are %d to %d bytes", l.MTU, MinMTU, MaxMTU))
	}
	problems = append(problems, l.A.validate(), l.B.validate())
	if l.A.Namespace == l.B.Namespace && l.A.Interface == l.B.Interface {
		problems = append(problems, errors.New("its ends are one interface"))
	}
	return errors.Join(problems...)
}

func (e End) validate() error {
	// dev_valid_name in the kernel's net/core/dev.c.
	if n := e.Interface; n == "" || n == "." || n == ".." || len(n) >= unix.IFNAMSIZ || strings.ContainsAny(n, "/: \t\n\v\f\r") {
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
// their namespaces, with their names, addresses and MTU, in one message.
func connectFrom(b ns.NetNS, l Link) error {
	pair := &netlink.Veth{LinkAttrs: netlink.NewLinkAttrs()}
	pair.Name, pair.HardwareAddr, pair.MTU = l.A.Interface, l.A.MAC, l.MTU
	pair.PeerName, pair.PeerHardwareAddr = l.B.Interface, l.B.MAC // the MTU is both's
	pair.PeerNamespace = netlink.NsFd(b.Fd())
	if err := netlink.LinkAdd(pair); err != nil {
		if errors.Is(err, unix.EEXIST) {
			return taken(b, l)
		}
		return fmt.Errorf("make the veth pair: %w", err)
	}
	err := raise(l.A.Interface)
	if err == nil {
		err = b.Do(func(ns.NetNS) error { return raise(l.B.Interface) })
	}
	if err != nil {
		err = errors.Join(err, netlink.LinkDel(pair))
	}
	return err
}

// taken says which end's name exists, which the kernel does not. It runs in end
// A's namespace.
func taken(b ns.NetNS, l Link) error {
	if _, err := netlink.LinkByName(l.A.Interface); err == nil {
		return &ExistsError{l.A}
	}
	return &ExistsError{l.B}
}

// ExistsError says that the interface of an end exists already.
type ExistsError struct{ End End }

func (e *ExistsError) Error() string { return "interface " + e.End.String() + " exists already" }
