// Package ifacetest compares what a host's network was with what it is, for tests of runs
// that must leave it as they found it.
package ifacetest

import (
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/safchain/ethtool"
	"github.com/vishvananda/netlink"
)

// Snapshot has the settings found, by name: "link eth0 mtu" is "1500".
type Snapshot map[string]string

// Take looks at all interfaces of the calling thread's network namespace: links with promiscuity and offloads,
// addresses, routes of all tables, permanent neighbours, and all sysctls of each. What
// changes by itself, such as counters, is left out.
func Take() (Snapshot, error) {
	s := Snapshot{}
	links, err := netlink.LinkList()
	if err != nil {
		return nil, err
	}
	names := map[int]string{}
	for _, l := range links {
		names[l.Attrs().Index] = l.Attrs().Name
		if err := s.link(l); err != nil {
			return nil, err
		}
	}
	routes, err := netlink.RouteListFiltered(netlink.FAMILY_ALL, &netlink.Route{}, netlink.RT_FILTER_TABLE)
	if err != nil {
		return nil, err
	}
	for _, r := range routes {
		s[fmt.Sprintf("route %v by %s, table %d, type %d, protocol %d, priority %d", r.Dst, names[r.LinkIndex], r.Table,
			r.Type, r.Protocol, r.Priority)] = fmt.Sprint(r.Gw, r.Src, r.MultiPath)
	}
	for _, setting := range []string{"/proc/sys/net/ipv4/ip_forward", "/proc/sys/net/ipv6/conf/all/forwarding"} {
		s.sysctl(setting)
	}
	return s, nil
}

func (s Snapshot) link(l netlink.Link) error {
	a := l.Attrs()
	name := "link " + a.Name
	s[name+" kind"] = l.Type()
	s[name+" index"] = fmt.Sprint(a.Index)
	s[name+" mtu"] = fmt.Sprint(a.MTU)
	s[name+" mac"] = a.HardwareAddr.String()
	s[name+" flags"] = fmt.Sprint(a.Flags &^ net.FlagRunning)
	s[name+" raw flags"] = fmt.Sprintf("%#x", a.RawFlags&0xffff&^0x40) // but for RUNNING
	s[name+" master"] = fmt.Sprint(a.MasterIndex)
	s[name+" promiscuity"] = fmt.Sprint(a.Promisc)
	s[name+" queue"] = fmt.Sprint(a.TxQLen)
	s[name+" alias"] = a.Alias
	s[name+" other names"] = strings.Join(a.AltNames, " ")
	addresses, err := netlink.AddrList(l, netlink.FAMILY_ALL)
	if err != nil {
		return err
	}
	const tentative = 0x40 // a new address is tried for a second or two
	for _, address := range addresses {
		s[name+" address "+address.IPNet.String()] = fmt.Sprintf("scope %d flags %#x", address.Scope,
			address.Flags&^tentative)
	}
	for _, family := range []int{netlink.FAMILY_V4, netlink.FAMILY_V6} {
		neighbours, err := netlink.NeighList(a.Index, family)
		if err != nil {
			return err
		}
		for _, n := range neighbours {
			if n.State&netlink.NUD_PERMANENT != 0 {
				s[name+" neighbour "+n.IP.String()] = n.HardwareAddr.String()
			}
		}
	}
	for _, family := range []string{"ipv4", "ipv6"} {
		_ = filepath.WalkDir("/proc/sys/net/"+family+"/conf/"+a.Name, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				s.sysctl(path)
			}
			return nil
		})
	}
	return s.offloads(a.Name)
}

func (s Snapshot) sysctl(path string) {
	if b, err := os.ReadFile(path); err == nil { // stable_secret cannot be read before it is set
		s["sysctl "+strings.TrimPrefix(path, "/proc/sys/")] = strings.TrimSpace(string(b))
	}
}

func (s Snapshot) offloads(name string) error {
	e, err := ethtool.NewEthtool()
	if err != nil {
		return err
	}
	defer e.Close()
	features, err := e.Features(name)
	if err != nil {
		return nil // a device without
	}
	for f, on := range features {
		s["link "+name+" offload "+f] = fmt.Sprint(on)
	}
	return nil
}

// Since lists the differences from before, one line for each field.
func (s Snapshot) Since(before Snapshot) (changed []string) {
	for field, was := range before {
		if is, ok := s[field]; !ok {
			changed = append(changed, fmt.Sprintf("%s: %s, is gone", field, was))
		} else if is != was {
			changed = append(changed, fmt.Sprintf("%s: %s, was %s", field, is, was))
		}
	}
	for field, is := range s {
		if _, ok := before[field]; !ok {
			changed = append(changed, fmt.Sprintf("%s: %s, is new", field, is))
		}
	}
	slices.Sort(changed)
	return changed
}
