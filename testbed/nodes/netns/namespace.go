package netns

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/containernetworking/plugins/pkg/ns"
	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

// NewNamespace makes a network namespace and keeps it by a bind mount on a new
// file at path, whose folder must exist. Loopback is up, since programs in a
// container may talk to themselves by it; IPv6 is off, for every interface that
// will come. It fails, and leaves nothing, if path exists.
func NewNamespace(path string) error {
	if err := makeNamespace(path); err != nil {
		return fmt.Errorf("make network namespace %s: %w", path, err)
	}
	return nil
}

func makeNamespace(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDONLY, 0o600)
	if err != nil {
		return withoutPath(err)
	}
	f.Close()

	space, err := ns.TempNetNS()
	if err != nil {
		os.Remove(path)
		return err
	}
	defer space.Close()
	err = space.Do(func(ns.NetNS) error {
		if err := disableIPv6("all", "default"); err != nil {
			return err
		}
		return loopback()
	})
	if err == nil {
		err = unix.Mount(fmt.Sprintf("/proc/self/fd/%d", space.Fd()), path, "", unix.MS_BIND, "")
		if err != nil {
			err = fmt.Errorf("bind mount: %w", err)
		}
	}
	if err != nil {
		os.Remove(path)
	}
	return err
}

// RemoveNamespace releases the namespace at path and removes the file. The kernel destroys the namespace with all its
// links, in the background and many at a time, once it has no process and no socket. A path that does not exist is not
// an error; a file other than a namespace's is, and stays.
func RemoveNamespace(path string) error {
	if err := removeNamespace(path); err != nil {
		return fmt.Errorf("remove network namespace %s: %w", path, err)
	}
	return nil
}

func removeNamespace(path string) error {
	// EINVAL: nothing is mounted there, as after a start that was cut short.
	err := unix.Unmount(path, unix.MNT_DETACH|unix.UMOUNT_NOFOLLOW)
	if err != nil && !errors.Is(err, unix.EINVAL) && !errors.Is(err, unix.ENOENT) {
		return fmt.Errorf("unmount: %w", err)
	}
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return withoutPath(err)
	}
	if !info.Mode().IsRegular() || info.Size() > 0 {
		return errors.New("it is not the empty file that a namespace is mounted on")
	}
	return withoutPath(os.Remove(path))
}

// In calls do on a locked thread in the network namespace at path, as for
// opening a socket, which stays in its namespace. The function must not start
// goroutines: they would run outside.
func In(path string, do func() error) error {
	space, err := open(path)
	if err != nil {
		return err
	}
	defer space.Close()
	return space.Do(func(ns.NetNS) error { return do() })
}

// open opens the namespace at path.
func open(path string) (ns.NetNS, error) {
	space, err := ns.GetNS(path)
	if err == nil {
		return space, nil
	}
	if _, statErr := os.Stat(path); statErr != nil {
		return nil, fmt.Errorf("network namespace %s: %w", path, withoutPath(statErr))
	}
	return nil, fmt.Errorf("%s is not a network namespace: %w", path, err)
}

func loopback() error {
	if err := netlink.LinkSetUp(&netlink.Device{LinkAttrs: netlink.LinkAttrs{Index: 1}}); err != nil {
		return fmt.Errorf("bring loopback up: %w", err)
	}
	return nil
}

// withoutPath is err without the path that the message already has.
func withoutPath(err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return path.Err
	}
	return err
}
