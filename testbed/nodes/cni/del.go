package cni

import (
	"errors"
	"slices"

	"github.com/containernetworking/cni/pkg/skel"
	"github.com/containernetworking/cni/pkg/types"

	"github.com/rocelab/rocelab/testbed/nodes/netns"
)

// del takes a container off its link. A container without a record is gone already, or never was ours, which is not an
// error.
func del(args *skel.CmdArgs) error {
	c, err := parse(args)
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
		return nil
	}
	return failures("take the container off its link", detach(c, l, i), r.save())
}

// gc takes off every attachment that the runtime no longer lists as valid. It
// goes on after a failure, and reports all.
func gc(args *skel.CmdArgs) error {
	c, err := parse(args)
	if err != nil {
		return err
	}
	r, err := open(c)
	if err != nil {
		return err
	}
	defer r.close()
	var problems []error
	for _, l := range r.Links {
		for i := len(l.Ends) - 1; i >= 0; i-- {
			e := l.Ends[i]
			valid := types.GCAttachment{ContainerID: e.Container, IfName: e.Attachment}
			if e.Container != "" && !slices.Contains(c.ValidAttachments, valid) {
				problems = append(problems, detach(c, l, i))
			}
		}
	}
	return failures("remove stale attachments", append(problems, r.save())...)
}

// detach removes a link and the record of one of its ends; that of the other
// stays, for a container to meet it again, unless it is a peer. Both interfaces
// are removed: an end whose namespace is gone lives on in the other's until the
// kernel clears up.
func detach(c *config, l *record, i int) error {
	var problems []error
	for _, e := range l.Ends {
		problems = append(problems, e.remove())
	}
	if l.Name != "" {
		problems = append(problems, netns.Disconnect(parkedEnd(c, l.Name)))
	}
	if err := errors.Join(problems...); err != nil {
		return err
	}
	l.Ends = slices.Delete(l.Ends, i, i+1)
	if l.Name == "" {
		l.Ends = nil
	}
	return nil
}
