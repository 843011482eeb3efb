package cni

import (
	"errors"
	"fmt"
	"slices"

	"github.com/containernetworking/cni/pkg/skel"
	"github.com/containernetworking/cni/pkg/types"
	current "github.com/containernetworking/cni/pkg/types/100"
	"github.com/vishvananda/netlink"

	"github.com/rocelab/rocelab/testbed/nodes/netns"
)

// add attaches a container to its link and prints the result: that of the
// plugins before, with the container's interface appended.
func add(args *skel.CmdArgs) error {
	c, err := parse(args)
	if err != nil {
		return err
	}
	if err := c.validate(args.Netns); err != nil {
		return err
	}
	result, err := c.previous()
	if err != nil {
		return err
	}
	r, err := open(c)
	if err != nil {
		return err
	}
	defer r.close()

	mine, err := attach(c, r, args)
	if err != nil {
		return err
	}
	result.Interfaces = append(result.Interfaces, &current.Interface{
		Name: mine.Interface, Mac: mine.MAC, Mtu: c.MTU, Sandbox: mine.Namespace,
	})
	return types.PrintResult(result, c.CNIVersion)
}

// attach makes the link, or this container's end of it, and records it.
func attach(c *config, r *register, args *skel.CmdArgs) (*end, error) {
	if l, _ := r.find(args.ContainerID, c.Interface); l != nil {
		return nil, types.NewError(codeTaken, "the container is attached already, and needs DEL first",
			fmt.Sprintf("interface %s of container %s", c.Interface, args.ContainerID))
	}
	mine := &end{Container: args.ContainerID, Attachment: args.IfName, Namespace: args.Netns, Interface: c.Interface}
	if err := mine.identify(); err != nil {
		return nil, failure(err)
	}
	var err error
	if c.Peer != nil {
		err = attachByPeer(c, r, mine)
	} else {
		err = attachByName(c, r, mine)
	}
	if err != nil {
		return nil, err
	}
	if err := r.save(); err != nil {
		return nil, errors.Join(err, netns.Disconnect(mine.linkEnd()))
	}
	return mine, nil
}

// attachByPeer makes both ends of a link whose peer is known.
func attachByPeer(c *config, r *register, mine *end) error {
	vethLink := c.vethLink(mine.Namespace)
	theirs := &end{Namespace: vethLink.B.Namespace, Interface: vethLink.B.Interface}
	if err := theirs.identify(); err != nil {
		return failure(err)
	}
	if err := netns.Connect(vethLink); err != nil {
		return failure(err)
	}
	if err := errors.Join(mine.readInterface(), theirs.readInterface()); err != nil {
		return failure(errors.Join(err, netns.Disconnect(vethLink.A)))
	}
	r.Links = append(r.Links, &record{MTU: c.MTU, Ends: []end{*mine, *theirs}})
	return nil
}

// attachByName makes the link's first end, or joins the second to it. An end whose
// container has gone without DEL counts no more.
func attachByName(c *config, r *register, mine *end) error {
	l := r.linkNamed(c.Link)
	l.Ends = slices.DeleteFunc(l.Ends, func(e end) bool { return !e.namespaceExists() })
	var err error
	switch len(l.Ends) {
	case 0:
		l.MTU = c.MTU
		err = wait(c, mine)
	case 1:
		if l.MTU != c.MTU {
			return invalid(fmt.Errorf("mtu %d: link %s was begun with %d by %v", c.MTU, l.Name, l.MTU, &l.Ends[0]))
		}
		err = join(c, &l.Ends[0], mine)
	default:
		return types.NewError(codeTaken, fmt.Sprintf("link %s has both its ends", l.Name),
			fmt.Sprintf("%v and %v", &l.Ends[0], &l.Ends[1]))
	}
	if err == nil {
		if err = mine.readInterface(); err != nil {
			err = errors.Join(err, netns.Disconnect(mine.linkEnd()))
		}
	}
	if err != nil {
		return failure(err)
	}
	l.Ends = append(l.Ends, *mine)
	return nil
}

// wait makes a link whose far end waits, switched off. One that waited for
// another container, which the kernel is about to take, makes room.
func wait(c *config, mine *end) error {
	vethLink := c.vethLink(mine.Namespace)
	if err := netns.Disconnect(vethLink.B); err != nil {
		return err
	}
	if err := netns.Connect(vethLink); err != nil {
		return err
	}
	far, err := netlink.LinkByName(vethLink.B.Interface)
	if err == nil {
		err = netlink.LinkSetDown(far)
	}
	if err != nil {
		err = errors.Join(fmt.Errorf("switch the far end off: %w", err), netns.Disconnect(vethLink.A))
	}
	return err
}

// join takes the far end into the second container. If that end went with the container that had it, both ends are made
// again, and the remaining container keeps the address that it was given. Its old interface may still be there, since
// the kernel clears a namespace up some time after it is gone.
func join(c *config, other, mine *end) error {
	far := parkedEnd(c, c.Link)
	if _, err := netlink.LinkByName(far.Interface); err == nil {
		if err := netns.Move(far, mine.linkEnd()); err != nil {
			return err
		}
		if err := netns.Settle(other.linkEnd(), mine.linkEnd()); err != nil {
			return errors.Join(err, netns.Disconnect(mine.linkEnd()))
		}
		return nil
	}
	if err := other.remove(); err != nil {
		return err
	}
	if err := netns.Connect(netns.Link{A: other.linkEnd(), B: mine.linkEnd(), MTU: c.MTU}); err != nil {
		return err
	}
	return other.readInterface()
}
