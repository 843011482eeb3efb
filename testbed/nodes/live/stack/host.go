package stack

import (
	"fmt"
	"net"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/testbed/nodes/netns"
)

// Interface is the name of a host's interface, in its namespace.
const Interface = "eth0"

// Host is a host with its own stack.
type Host struct {
	// Name is its own, which commands there see as the name of the machine.
	Name string
	// Namespace is the path of its network namespace, which Make makes.
	Namespace string
	// Device is the end of its link that the edge takes: an interface that Make makes, in
	// a namespace that there is.
	Device netns.End
	// MTU is that of its interface, in bytes without the Ethernet header.
	MTU int
	// IP and MAC are its addresses, PrefixLength the length of its link's prefix.
	IP           net.IP
	PrefixLength int
	MAC          net.HardwareAddr
	// Neighbours are the stations that it knows; it may be among them.
	Neighbours []Neighbour
}

// Neighbour is a station of the fabric.
type Neighbour struct {
	IP  net.IP
	MAC net.HardwareAddr
}

// Make makes the host. After an error there may be parts of it, which go with the two
// namespaces.
func (h *Host) Make() error {
	if err := netns.NewNamespace(h.Namespace); err != nil {
		return fmt.Errorf("host %s: %w", h.Name, err)
	}
	joined := netns.Link{
		A:   h.Device,
		B:   netns.End{Namespace: h.Namespace, Interface: Interface, MAC: h.MAC, Own: true},
		MTU: h.MTU,
	}
	err := netns.Connect(joined)
	if err == nil {
		err = netns.In(h.Namespace, h.address)
	}
	if err != nil {
		return fmt.Errorf("host %s: %w", h.Name, err)
	}
	return nil
}

// address gives the interface its address and its neighbours, within the namespace.
func (h *Host) address() error {
	i, err := netlink.LinkByName(Interface)
	if err != nil {
		return fmt.Errorf("look %s up: %w", Interface, err)
	}
	own := &net.IPNet{IP: h.IP, Mask: net.CIDRMask(h.PrefixLength, 32)}
	if err := netlink.AddrAdd(i, &netlink.Addr{IPNet: own}); err != nil {
		return fmt.Errorf("give %s the address %v: %w", Interface, own, err)
	}
	for _, n := range h.Neighbours {
		if n.IP.Equal(h.IP) {
			continue
		}
		err := netlink.NeighAdd(&netlink.Neigh{
			LinkIndex:    i.Attrs().Index,
			State:        netlink.NUD_PERMANENT,
			Family:       unix.AF_INET,
			IP:           n.IP,
			HardwareAddr: n.MAC,
		})
		if err != nil {
			return fmt.Errorf("neighbour %v of %s: %w", n.IP, Interface, err)
		}
	}
	return nil
}
