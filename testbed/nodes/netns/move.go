package netns

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/containernetworking/plugins/pkg/ns"
	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

// Move takes an interface, and with it an end of its link, to another namespace
// and name, and brings it up there. The other end stays as it is; Settle waits
// for both. If to exists nothing is changed; if a later step fails the link is
// removed. The MAC of to is not regarded.
func Move(from, to End) error {
	err := to.validate()
	if err == nil {
		err = move(from, to)
	}
	if err != nil {
		return fmt.Errorf("move interface %v to %v: %w", from, to, err)
	}
	return nil
}

func move(from, to End) error {
	near, err := open(from.Namespace)
	if err != nil {
		return err
	}
	defer near.Close()
	far, err := open(to.Namespace)
	if err != nil {
		return err
	}
	defer far.Close()

	err = far.Do(func(ns.NetNS) error {
		if _, err := netlink.LinkByName(to.Interface); err == nil {
			return &ExistsError{to}
		}
		return nil
	})
	if err != nil {
		return err
	}
	err = near.Do(func(ns.NetNS) error {
		i, err := netlink.LinkByName(from.Interface)
		if err != nil {
			return err
		}
		return netlink.LinkSetNsFd(i, int(far.Fd()))
	})
	if err != nil {
		return err
	}
	return far.Do(func(ns.NetNS) error {
		i, err := netlink.LinkByName(from.Interface)
		if err != nil {
			return err
		}
		err = netlink.LinkSetName(i, to.Interface)
		if err == nil {
			err = raise(to.Interface)
		}
		if err != nil {
			err = errors.Join(err, netlink.LinkDel(i))
		}
		return err
	})
}

// Disconnect removes an interface, and with it its link: the interface at the other end too. An interface or a
// namespace that is gone already is not an error.
func Disconnect(e End) error {
	if err := disconnect(e); err != nil {
		return fmt.Errorf("remove interface %v: %w", e, err)
	}
	return nil
}

func disconnect(e End) error {
	space, err := open(e.Namespace)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer space.Close()
	return space.Do(func(ns.NetNS) error {
		i, err := netlink.LinkByName(e.Interface)
		if _, ok := errors.AsType[netlink.LinkNotFoundError](err); ok {
			return nil
		}
		if err != nil {
			return err
		}
		// ENODEV: the kernel took it with the other end's namespace meanwhile.
		if err := netlink.LinkDel(i); err != nil && !errors.Is(err, unix.ENODEV) {
			return err
		}
		return nil
	})
}
