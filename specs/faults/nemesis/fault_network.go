//go:build linux

package main

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

const kindNetwork = "veth deleted, down, MTU 500; network namespace unmounted"

// networkFaults meet the links and namespaces of a testbed.
var networkFaults = []Fault{
	onLink("veth deleted", netlink.LinkDel),
	onLink("veth down", netlink.LinkSetDown),
	onLink("veth MTU 500", func(l netlink.Link) error { return netlink.LinkSetMTU(l, 500) }),
	{
		Kind: kindNetwork,
		Name: "network namespace unmounted",
		Fits: withTestbed,
		Inject: func(b *bed) error {
			path, err := b.namespace()
			if err != nil {
				return err
			}
			if unix.Unmount(path, unix.MNT_DETACH) != nil {
				return errAbsent
			}
			return nil
		},
		Codes: []int{4},
	},
}

func onLink(name string, do func(netlink.Link) error) Fault {
	return Fault{
		Kind:   kindNetwork,
		Name:   name,
		Fits:   withTestbed,
		Inject: func(b *bed) error { return b.withLink(do) },
		Codes:  []int{4},
	}
}

// namespace is one of the testbed's network namespaces.
func (b *bed) namespace() (string, error) {
	list, _ := filepath.Glob(filepath.Join(b.testbed(), "net", "*"))
	if len(list) == 0 {
		return "", errAbsent
	}
	return list[b.Pick%uint64(len(list))], nil
}

// withLink calls do in one of the testbed's network namespaces, with one of its veths.
func (b *bed) withLink(do func(netlink.Link) error) error {
	path, err := b.namespace()
	if err != nil {
		return err
	}
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // and never unlock it: the thread ends in that namespace
		done <- b.enter(path, do)
	}()
	return <-done
}

func (b *bed) enter(path string, do func(netlink.Link) error) error {
	f, err := os.Open(path)
	if err != nil {
		return errAbsent
	}
	defer f.Close()
	if err := unix.Setns(int(f.Fd()), unix.CLONE_NEWNET); err != nil {
		return errAbsent
	}
	links, err := netlink.LinkList()
	links = slices.DeleteFunc(links, func(l netlink.Link) bool { return l.Type() != "veth" })
	if err != nil || len(links) == 0 {
		return errAbsent
	}
	link := links[b.Pick/7%uint64(len(links))]
	b.note("%s in %s", link.Attrs().Name, filepath.Base(path))
	if do(link) != nil {
		return errAbsent
	}
	return nil
}
