package guest

import (
	"fmt"
	"os"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/testbed/nodes/netns"
)

// Tap makes a network interface of that name and MTU, in bytes, in the namespace at path, and brings it up. The machine
// with this file receives the frames sent there, and the other way round. The interface is gone once the file is closed
// everywhere.
func Tap(path, name string, mtu int) (*os.File, error) {
	var f *os.File
	err := netns.In(path, func() (err error) {
		f, err = openTap(name)
		if err != nil {
			return err
		}
		return raise(name, mtu)
	})
	if err != nil {
		if f != nil {
			f.Close()
		}
		return nil, fmt.Errorf("tap %s: %w", name, err)
	}
	return f, nil
}

func openTap(name string) (*os.File, error) {
	request, err := unix.NewIfreq(name)
	if err != nil {
		return nil, err
	}
	fd, err := unix.Open("/dev/net/tun", unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("/dev/net/tun: %w", err)
	}
	// Frames alone, without a header before them.
	request.SetUint16(unix.IFF_TAP | unix.IFF_NO_PI)
	if err := unix.IoctlIfreq(fd, unix.TUNSETIFF, request); err != nil {
		unix.Close(fd)
		return nil, err
	}
	return os.NewFile(uintptr(fd), "tap "+name), nil
}

// raise brings an interface up that does not send anything by itself.
func raise(name string, mtu int) error {
	path := "/proc/sys/net/ipv6/conf/" + name + "/disable_ipv6"
	if err := os.WriteFile(path, []byte("1"), 0); err != nil && !os.IsNotExist(err) {
		return err
	}
	i, err := netlink.LinkByName(name)
	if err != nil {
		return err
	}
	if err := netlink.LinkSetMTU(i, mtu); err != nil {
		return err
	}
	return netlink.LinkSetUp(i)
}
