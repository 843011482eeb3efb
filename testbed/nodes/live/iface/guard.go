package iface

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

// Want is an edge's request.
type Want struct {
	// Interface is its name, and Namespace the path of the network namespace that has it, "" for that
	// of this process.
	Interface string
	Namespace string
	// MTU is the least that the edge needs, 0 for any. Unit: bytes.
	MTU int
	// Force takes an interface that is in use, if that is possible.
	Force bool
	// Carrier is set if the run sets the interface down at times, and the host would lose routes and addresses by that:
	// force does not overcome these then.
	Carrier bool
}

// String returns "eth0" or "eth0 in /run/netns/a".
func (w Want) String() string {
	if w.Namespace == "" {
		return w.Interface
	}
	return w.Interface + " in " + w.Namespace
}

// Refusal is the reason why an interface is not taken.
type Refusal struct {
	// Interface is the interface, Why what it is or does.
	Interface string
	Why       string
	// Forced describes the effect of taking it by force, "" if that is not possible; Remedy describes an alternative,
	// "" if there is none.
	Forced string
	Remedy string
}

func (r *Refusal) Error() string {
	text := fmt.Sprintf("interface %s %s", r.Interface, r.Why)
	if r.Remedy != "" {
		text += ": " + r.Remedy
	}
	if r.Forced != "" {
		text += "; by force (force: true of an edge, --force of a wire) " + r.Forced
	}
	return text
}

// Check returns the objections to taking an interface, all *Refusal joined, and changes nothing. Objections that force
// overcomes are left out if force is wanted. Only Take can find out whether another run has the interface.
func Check(w Want) error {
	err := in(w.Namespace, func() error {
		_, err := check(w)
		return err
	})
	return explain(w, err)
}

// explain names the namespace that cannot be entered.
func explain(w Want, err error) error {
	if err == nil || isRefusal(err) {
		return err
	}
	if _, missing := os.Stat(w.Namespace); w.Namespace != "" && errors.Is(missing, fs.ErrNotExist) {
		return &Refusal{Interface: w.String(), Why: "is in a network namespace that does not exist", Remedy: namespaces()}
	}
	return fmt.Errorf("interface %s: %w", w, err)
}

// namespaces names the network namespaces that ip netns knows.
func namespaces() string {
	entries, _ := os.ReadDir(named)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if len(names) == 0 {
		return "ip netns has none"
	}
	return "ip netns has " + someOf(names)
}

// command is a line for ip(8) that works where the interface is.
func (w Want) command(line string) string {
	if w.Namespace == "" {
		return "ip " + line
	}
	if dir, name := filepath.Split(w.Namespace); filepath.Clean(dir) == named {
		return "ip -n " + name + " " + line
	}
	return "nsenter --net=" + w.Namespace + " ip " + line
}

func isRefusal(err error) bool {
	_, ok := errors.AsType[*Refusal](err)
	return ok
}

// check looks at an interface of this thread's namespace. It returns what force overcame.
func check(w Want) (forced []string, err error) {
	l, err := netlink.LinkByName(w.Interface)
	if _, missing := errors.AsType[netlink.LinkNotFoundError](err); missing {
		return nil, &Refusal{Interface: w.String(), Why: "does not exist", Remedy: there()}
	} else if err != nil {
		return nil, err
	}
	found, err := against(w, l)
	if err != nil {
		return nil, err
	}
	var refused []error
	for _, r := range found {
		if w.Force && r.Forced != "" {
			forced = append(forced, fmt.Sprintf("interface %s %s: %s", r.Interface, r.Why, r.Forced))
			continue
		}
		refused = append(refused, r)
	}
	return forced, errors.Join(refused...)
}

// there names the interfaces that there are.
func there() string {
	links, err := netlink.LinkList()
	var names []string
	for _, l := range links {
		if a := l.Attrs(); a.Flags&net.FlagLoopback == 0 {
			names = append(names, a.Name)
		}
	}
	slices.Sort(names)
	if err != nil || len(names) == 0 {
		return "there is none but loopback"
	}
	return "there are " + someOf(names)
}

// someOf lists names, not all of very many.
func someOf(names []string) string {
	const most = 20
	if len(names) > most {
		names = append(names[:most:most], "more")
	}
	return strings.Join(names, ", ")
}

// What happens by force.
const (
	hostHears    = "the host goes on answering there, so it hears the fabric and the fabric hears it"
	routeBreaks  = "the host's own traffic leaves by the same interface as the fabric's frames"
	memberBreaks = "its master goes on handing frames on, so the fabric's frames reach the other members"
	masterBreaks = "frames between its members stay unseen, and the fabric's frames reach all of them"
	raised       = "it is set up for the run and down after it"
)

// routeLost is the reason why an interface whose carrier is set must not carry a route.
const routeLost = "a fault of the scenario sets the interface down, and the host loses the route by that"

// against lists what speaks against an interface.
func against(w Want, l netlink.Link) (found []*Refusal, err error) {
	refuse := func(why, remedy, forced string) {
		found = append(found, &Refusal{Interface: w.String(), Why: why, Remedy: remedy, Forced: forced})
	}
	a := l.Attrs()
	if a.Flags&net.FlagLoopback != 0 {
		refuse("is loopback", "make a veth pair: ip link add a type veth peer name b", "")
		return found, nil
	}
	if a.EncapType != "ether" {
		refuse("carries no Ethernet ("+a.EncapType+")", "", "")
		return found, nil
	}
	if w.MTU > 0 && a.MTU < w.MTU {
		refuse(fmt.Sprintf("has MTU %d, and the edge needs %d", a.MTU, w.MTU),
			w.command(fmt.Sprintf("link set %s mtu %d, or a smaller mtu of the edge", a.Name, w.MTU)), "")
	}
	if a.MasterIndex != 0 {
		master, kind := fmt.Sprint(a.MasterIndex), "master"
		if m, err := netlink.LinkByIndex(a.MasterIndex); err == nil {
			master, kind = m.Attrs().Name, m.Type()
		}
		refuse(fmt.Sprintf("is a member of the %s %s", kind, master), w.command("link set "+a.Name+" nomaster"), memberBreaks)
	}
	if slices.Contains([]string{"bridge", "bond", "team", "openvswitch"}, l.Type()) {
		refuse("is a "+l.Type(), "", masterBreaks)
	}
	use, err := useOf(l)
	if err != nil {
		return nil, err
	}
	for _, address := range use.addresses {
		forced := hostHears
		if w.Carrier {
			forced = ""
		}
		refuse("carries the address "+address, w.command("addr del "+address+" dev "+a.Name), forced)
	}
	for _, route := range use.routes {
		remedy, forced := "", hostHears
		switch {
		case w.Carrier:
			remedy, forced = routeLost, ""
		case strings.HasPrefix(route, "default"):
			forced = routeBreaks
		}
		refuse("carries the route "+route, remedy, forced)
	}
	if w.Carrier {
		upper, err := above(a.Index)
		if err != nil {
			return nil, err
		}
		for _, name := range upper {
			refuse("has the interface "+name+" on it, which goes down with it and loses its routes",
				w.command("link del "+name), "")
		}
	}
	if a.Flags&net.FlagUp == 0 {
		refuse("is down", w.command("link set "+a.Name+" up"), raised)
	}
	return found, nil
}

// above names the VLANs and the like that lie on an interface. The far end of a veth pair also names it as its
// parent, and is none.
func above(index int) (names []string, err error) {
	links, err := netlink.LinkList()
	if err != nil {
		return nil, fmt.Errorf("list the interfaces: %w", err)
	}
	for _, l := range links {
		if a := l.Attrs(); a.ParentIndex == index && slices.Contains([]string{"vlan", "macvlan", "macvtap", "ipvlan",
			"ipvtap", "macsec"}, l.Type()) {
			names = append(names, a.Name)
		}
	}
	return names, nil
}

// use is the use of an interface by the host's stack: addresses except the ones that the kernel gives to every
// interface with IPv6, and configured routes, defaults first. six is set if one is of IPv6.
type use struct {
	addresses, routes []string
	six               bool
}

func useOf(l netlink.Link) (u use, err error) {
	addresses, err := netlink.AddrList(l, netlink.FAMILY_ALL)
	if err != nil {
		return u, fmt.Errorf("list its addresses: %w", err)
	}
	for _, a := range addresses {
		if !ofKernel(a) {
			u.addresses = append(u.addresses, a.IPNet.String())
			u.six = u.six || a.IP.To4() == nil
		}
	}
	// The index is compared here: netlink's filter does not see the hops of a route with several.
	routes, err := netlink.RouteListFiltered(netlink.FAMILY_ALL, &netlink.Route{}, netlink.RT_FILTER_TABLE)
	if err != nil {
		return u, fmt.Errorf("list the routes: %w", err)
	}
	for _, r := range routes {
		if !leadsBy(r, l.Attrs().Index) || r.Protocol == unix.RTPROT_KERNEL || r.Type == unix.RTN_LOCAL ||
			r.Type == unix.RTN_MULTICAST || r.Type == unix.RTN_BROADCAST {
			continue
		}
		name := "default"
		if !isDefault(r) {
			name = r.Dst.String()
		}
		if r.Table != unix.RT_TABLE_MAIN {
			name += fmt.Sprintf(" of table %d", r.Table)
		}
		u.routes = append(u.routes, name)
		u.six = u.six || r.Family == netlink.FAMILY_V6
	}
	slices.SortStableFunc(u.routes, func(a, b string) int {
		return -strings.Compare(fmt.Sprint(strings.HasPrefix(a, "default")), fmt.Sprint(strings.HasPrefix(b, "default")))
	})
	return u, nil
}

// ofKernel reports whether an address is the link-local one that the kernel makes by itself.
func ofKernel(a netlink.Addr) bool {
	return a.IP.To4() == nil && a.IP.IsLinkLocalUnicast()
}

func leadsBy(r netlink.Route, index int) bool {
	return r.LinkIndex == index || slices.ContainsFunc(r.MultiPath,
		func(hop *netlink.NexthopInfo) bool { return hop.LinkIndex == index })
}

func isDefault(r netlink.Route) bool {
	if r.Dst == nil {
		return true
	}
	ones, _ := r.Dst.Mask.Size()
	return ones == 0 && r.Dst.IP.IsUnspecified()
}
