package cni

import (
	"errors"
	"fmt"
	"net"
	"os"

	"github.com/containernetworking/cni/pkg/skel"
	"github.com/containernetworking/cni/pkg/types"
	"github.com/containernetworking/plugins/pkg/ns"

	"github.com/rocelab/rocelab/testbed/nodes/netns"
)

// check reports whether the container's interface is as ADD reported, and leads to the other end. While that waits for
// its container the link is whole, if without carrier.
func check(args *skel.CmdArgs) error {
	c, err := parse(args)
	if err != nil {
		return err
	}
	if err := c.validate(args.Netns); err != nil {
		return err
	}
	announcedMAC, err := c.announcedMAC(args.Netns)
	if err != nil {
		return err
	}
	r, err := open(c)
	if err != nil {
		return err
	}
	defer r.close()
	l, i := r.find(args.ContainerID, c.Interface)
	if l == nil {
		return types.NewError(types.ErrUnknownContainer, "the container is not attached",
			fmt.Sprintf("interface %s of container %s", c.Interface, args.ContainerID))
	}
	if err := l.check(c, i, args.Netns, announcedMAC); err != nil {
		return types.NewError(codeBroken, "the link is broken", err.Error())
	}
	return nil
}

// check compares the link with what its end i should be: in the namespace at
// that path, with that address.
func (l *record) check(c *config, i int, namespace string, announcedMAC net.HardwareAddr) error {
	mine, far := l.Ends[i], parkedEnd(c, l.Name)
	if now, err := identify(namespace); err != nil || now != mine.Identity {
		return errors.Join(err, fmt.Errorf("%s is not the namespace that %v was made in", namespace, &mine))
	}
	if len(l.Ends) == 2 {
		other := l.Ends[1-i]
		far = netns.End{Namespace: other.Namespace, Interface: other.Interface}
	}
	near := netns.End{Namespace: namespace, Interface: mine.Interface, MAC: announcedMAC}
	if err := netns.Check(netns.Link{A: near, B: far, MTU: c.MTU}); err != nil {
		return err
	}
	now, err := mine.attributes()
	if err == nil && now.Flags&net.FlagUp == 0 {
		err = fmt.Errorf("interface %v is down", near)
	}
	return err
}

// announcedMAC is the address of the container's interface by the result of ADD, or of a
// plugin that changed it since.
func (c *config) announcedMAC(namespace string) (net.HardwareAddr, error) {
	result, err := c.previous()
	if err != nil {
		return nil, err
	}
	for _, i := range result.Interfaces {
		if i.Name == c.Interface && i.Sandbox == namespace {
			mac, err := net.ParseMAC(i.Mac)
			if err != nil {
				return nil, types.NewError(types.ErrDecodingFailure, "read prevResult", err.Error())
			}
			return mac, nil
		}
	}
	return nil, invalid(fmt.Errorf("prevResult: there is no interface %s in %s, which ADD told", c.Interface, namespace))
}

// status makes a link in a hidden namespace, and opens the data folder: ADD needs both from the host.
func status(args *skel.CmdArgs) error {
	c, err := parse(args)
	if err != nil {
		return err
	}
	r, err := open(c)
	if err == nil {
		r.close()
		err = try()
	}
	if err != nil {
		return types.NewError(types.ErrPluginNotAvailable, "links cannot be made", err.Error())
	}
	return nil
}

func try() error {
	space, err := ns.TempNetNS()
	if err != nil {
		return fmt.Errorf("make a network namespace (CAP_SYS_ADMIN is needed): %w", err)
	}
	defer space.Close()
	path := fmt.Sprintf("/proc/%d/fd/%d", os.Getpid(), space.Fd())
	return netns.Connect(netns.Link{
		A: netns.End{Namespace: path, Interface: "a"}, B: netns.End{Namespace: path, Interface: "b"}, MTU: defaultMTU,
	})
}
