package netns

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/containernetworking/plugins/pkg/utils/sysctl"
	"github.com/safchain/ethtool"
	"github.com/vishvananda/netlink"
)

// raise brings the end up, within its namespace.
func (e End) raise() error {
	if !e.Own {
		return raise(e.Interface)
	}
	i, err := netlink.LinkByName(e.Interface)
	if err == nil {
		err = netlink.LinkSetUp(i)
	}
	if err != nil {
		return fmt.Errorf("bring interface %s up: %w", e.Interface, err)
	}
	return nil
}

// raise makes an interface of the calling thread's namespace carry its users'
// frames alone, as they are, and brings it up.
func raise(name string) error {
	if err := disableIPv6(name); err != nil {
		return err
	}
	if err := disableOffloads(name); err != nil {
		return err
	}
	i, err := netlink.LinkByName(name)
	if err != nil {
		return fmt.Errorf("look %s up: %w", name, err)
	}
	for _, step := range []struct {
		what string
		do   func(netlink.Link) error
	}{
		{"switch its ARP off", netlink.LinkSetARPOff},
		{"switch its multicast off", netlink.LinkSetMulticastOff},
		{"bring it up", netlink.LinkSetUp},
	} {
		if err := step.do(i); err != nil {
			return fmt.Errorf("interface %s: %s: %w", name, step.what, err)
		}
	}
	return nil
}

// disableIPv6 switches IPv6 off for an interface of the calling thread's namespace,
// or for "all" that are there, or by "default" for those to come. A kernel
// without IPv6 has nothing to switch off.
//
// The kernel shows each opener of /proc/sys/net the settings of the namespace
// its thread is in, so the host's are never touched.
func disableIPv6(interfaces ...string) error {
	for _, name := range interfaces {
		setting := filepath.Join("net/ipv6/conf", name, "disable_ipv6")
		_, err := sysctl.Sysctl(setting, "1")
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("switch IPv6 off: %w", err)
		}
	}
	return nil
}

// disableOffloads switches off every feature of an interface of the calling thread's namespace that is active and may
// be changed: checksums left to a device that does not exist, super-frames, tags kept beside the frame.
//
// Source: ETHTOOL_GFEATURES and ETHTOOL_SFEATURES in linux/ethtool.h; netdevice(7).
func disableOffloads(name string) error {
	e, err := ethtool.NewEthtool()
	if err != nil {
		return fmt.Errorf("open a socket: %w", err)
	}
	defer e.Close()
	features, err := e.FeaturesWithState(name)
	if err != nil {
		return fmt.Errorf("read the offloads of %s: %w", name, err)
	}
	off := map[string]bool{}
	for feature, state := range features {
		if state.Active && state.Available && !state.NeverChanged {
			off[feature] = false
		}
	}
	if err := e.Change(name, off); err != nil {
		return fmt.Errorf("switch the offloads of %s off: %w", name, err)
	}
	return nil
}
