package iface

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"strings"

	"github.com/safchain/ethtool"
	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

// settings are the settings of an interface that a run changes, with their earlier values. Empty ones are not changed.
type settings struct {
	// IPv6 is set if IPv6 was on and goes off. With it the kernel forgets addresses and neighbours.
	IPv6       bool        `json:"ipv6,omitempty"`
	Addresses  []string    `json:"addresses,omitempty"`
	Neighbours []neighbour `json:"neighbours,omitempty"`
	// Features are the features that were on and go off.
	Features []string `json:"features,omitempty"`
	// Down is set if the interface was down and is set up, Carrier if it was up and the run may set it down.
	Down    bool `json:"down,omitempty"`
	Carrier bool `json:"carrier,omitempty"`
}

// none reports whether there is nothing to change.
func (s *settings) none() bool { return !s.IPv6 && !s.Down && !s.Carrier && len(s.Features) == 0 }

// String lists the settings to check: "IPv6 was on, rx-gro was on, it was down".
func (s *settings) String() string {
	var list []string
	if s.IPv6 {
		list = append(list, "IPv6 was on")
	}
	for _, f := range s.Features {
		list = append(list, f+" was on")
	}
	if s.Down {
		list = append(list, "it was down")
	}
	if s.Carrier {
		list = append(list, "it was up")
	}
	return strings.Join(list, ", ")
}

// neighbour is a permanently configured neighbour.
type neighbour struct {
	IP  string `json:"ip"`
	MAC string `json:"mac"`
}

// merging are the features with which a device or the kernel merges frames on the way in.
var merging = []string{"rx-gro", "rx-lro", "rx-gro-hw", "rx-gro-list", "rx-udp-gro-forwarding"}

func ipv6Switch(name string) string { return "/proc/sys/net/ipv6/conf/" + name + "/disable_ipv6" }

// present finds the settings to change of an interface of this thread's namespace. If the host uses IPv6 there, which
// only force allows, it stays on.
func present(l netlink.Link, w Want) (s settings, err error) {
	name := l.Attrs().Name
	s.Down = l.Attrs().Flags&net.FlagUp == 0
	s.Carrier = w.Carrier && !s.Down
	disabled, err := os.ReadFile(ipv6Switch(name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // a kernel without IPv6
		return s, err
	}
	u, err := useOf(l)
	if err != nil {
		return s, err
	}
	if s.IPv6 = strings.TrimSpace(string(disabled)) == "0" && !u.six; s.IPv6 {
		if err := s.rememberIPv6(l); err != nil {
			return s, err
		}
	}
	s.Features, err = featuresOn(name)
	return s, err
}

func (s *settings) rememberIPv6(l netlink.Link) error {
	addresses, err := netlink.AddrList(l, netlink.FAMILY_V6)
	if err != nil {
		return fmt.Errorf("list its addresses: %w", err)
	}
	for _, a := range addresses {
		s.Addresses = append(s.Addresses, a.IPNet.String())
	}
	neighbours, err := netlink.NeighList(l.Attrs().Index, netlink.FAMILY_V6)
	if err != nil {
		return fmt.Errorf("list its neighbours: %w", err)
	}
	for _, n := range neighbours {
		if n.State&netlink.NUD_PERMANENT != 0 {
			s.Neighbours = append(s.Neighbours, neighbour{n.IP.String(), n.HardwareAddr.String()})
		}
	}
	return nil
}

func featuresOn(name string) (on []string, err error) {
	e, err := ethtool.NewEthtool()
	if err != nil {
		return nil, err
	}
	defer e.Close()
	states, err := e.FeaturesWithState(name)
	if errors.Is(err, unix.EOPNOTSUPP) {
		return nil, nil
	} else if err != nil {
		return nil, fmt.Errorf("read its offloads: %w", err)
	}
	for _, f := range merging {
		if s := states[f]; s.Active && s.Available && !s.NeverChanged {
			on = append(on, f)
		}
	}
	return on, nil
}

// apply makes the changes, IPv6 first: an interface set up with it talks at once.
func (s *settings) apply(l netlink.Link) error {
	name := l.Attrs().Name
	if s.IPv6 {
		if err := os.WriteFile(ipv6Switch(name), []byte("1"), 0); err != nil {
			return fmt.Errorf("switch its IPv6 off: %w", err)
		}
	}
	if err := change(name, s.Features, false); err != nil {
		return err
	}
	if s.Down {
		if err := netlink.LinkSetUp(l); err != nil {
			return fmt.Errorf("set it up: %w", err)
		}
	}
	return nil
}

// revert takes the changes back, including any that were not made.
func (s *settings) revert(l netlink.Link) (err error) {
	name := l.Attrs().Name
	switch {
	case s.Down:
		err = netlink.LinkSetDown(l)
	case s.Carrier:
		err = netlink.LinkSetUp(l)
	}
	err = errors.Join(err, change(name, s.Features, true))
	if !s.IPv6 {
		return err
	}
	if failed := os.WriteFile(ipv6Switch(name), []byte("0"), 0); failed != nil {
		return errors.Join(err, fmt.Errorf("switch its IPv6 on: %w", failed))
	}
	for _, text := range s.Addresses {
		a, failed := netlink.ParseAddr(text)
		if failed == nil {
			if failed = netlink.AddrAdd(l, a); errors.Is(failed, unix.EEXIST) {
				failed = nil // the kernel gave it back by itself
			}
		}
		err = errors.Join(err, failed)
	}
	for _, n := range s.Neighbours {
		mac, failed := net.ParseMAC(n.MAC)
		if failed == nil {
			failed = netlink.NeighSet(&netlink.Neigh{
				LinkIndex:    l.Attrs().Index,
				Family:       netlink.FAMILY_V6,
				State:        netlink.NUD_PERMANENT,
				IP:           net.ParseIP(n.IP),
				HardwareAddr: mac,
			})
		}
		err = errors.Join(err, failed)
	}
	return err
}

// change switches features.
func change(name string, features []string, on bool) error {
	if len(features) == 0 {
		return nil
	}
	e, err := ethtool.NewEthtool()
	if err != nil {
		return err
	}
	defer e.Close()
	wanted := map[string]bool{}
	for _, f := range features {
		wanted[f] = on
	}
	if err := e.Change(name, wanted); err != nil {
		return fmt.Errorf("switch its offloads %s: %w", strings.Join(features, ", "), err)
	}
	return nil
}
