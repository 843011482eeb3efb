// Package packettest has the network namespaces and cables between them for the tests of packets and devices.
package packettest

import (
	"errors"
	"os"
	"runtime"
	"testing"

	"github.com/vishvananda/netlink"
	"github.com/vishvananda/netns"
	"golang.org/x/sys/unix"
)

// NewNamespace makes a network namespace that is gone after the test, or skips the test where this
// host gives none.
func NewNamespace(tb testing.TB) netns.NsHandle {
	tb.Helper()
	var ns netns.NsHandle
	err := onThread(func() (err error) {
		ns, err = netns.New()
		return err
	})
	if errors.Is(err, unix.EPERM) || errors.Is(err, unix.ENOSPC) {
		tb.Skipf("this host gives no network namespace: %v", err)
	}
	if err != nil {
		tb.Fatalf("new network namespace: %v", err)
	}
	tb.Cleanup(func() { ns.Close() })
	return ns
}

// onThread runs f on an operating system thread of its own, which ends with it.
func onThread(f func() error) error {
	done := make(chan error)
	go func() {
		runtime.LockOSThread()
		done <- f()
	}()
	return <-done
}

// Inside runs f in a network namespace, on a thread of its own.
func Inside(ns netns.NsHandle, f func() error) error {
	return onThread(func() error {
		if err := netns.Set(ns); err != nil {
			return err
		}
		return f()
	})
}

// In is Inside; an error ends the test.
func In(tb testing.TB, ns netns.NsHandle, f func() error) {
	tb.Helper()
	if err := Inside(ns, f); err != nil {
		tb.Fatal(err)
	}
}

// End is one end of a cable: an interface in a namespace.
type End struct {
	Namespace netns.NsHandle
	Name      string
}

// Plug puts a veth pair between two namespaces, both ends up and silent: nothing sends on it but the test.
func Plug(tb testing.TB, a, b End, mtu int) {
	tb.Helper()
	In(tb, a.Namespace, func() error {
		return netlink.LinkAdd(&netlink.Veth{
			LinkAttrs:     netlink.LinkAttrs{Name: a.Name, MTU: mtu, TxQLen: -1},
			PeerName:      b.Name,
			PeerMTU:       uint32(mtu),
			PeerNamespace: netlink.NsFd(b.Namespace),
		})
	})
	for _, e := range []End{b, a} {
		In(tb, e.Namespace, func() error { return silentUp(e.Name) })
	}
}

// silentUp sets an interface of this thread's namespace up that does not send anything by itself.
func silentUp(name string) error {
	err := os.WriteFile("/proc/sys/net/ipv6/conf/"+name+"/disable_ipv6", []byte("1"), 0)
	if err != nil && !errors.Is(err, os.ErrNotExist) { // a kernel without IPv6
		return err
	}
	return Set(name, netlink.LinkSetUp)
}

// Set changes an interface of this thread's namespace.
func Set(name string, change func(netlink.Link) error) error {
	link, err := netlink.LinkByName(name)
	if err != nil {
		return err
	}
	return change(link)
}
