package netns

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/containernetworking/plugins/pkg/ns"
	"github.com/vishvananda/netlink"
)

// Check reports the missing or different parts of a link: both interfaces must be there, be ends of one veth pair, and
// have the link's MTU and the MACs that are not nil. Setting them up is left to their users.
func Check(l Link) error {
	a, err := inspect(l.A, l.B.Namespace)
	if err != nil {
		return fmt.Errorf("link %v: %w", l, err)
	}
	b, err := inspect(l.B, l.A.Namespace)
	if err != nil {
		return fmt.Errorf("link %v: %w", l, err)
	}
	problems := []error{a.differs(l.A, l.MTU), b.differs(l.B, l.MTU)}
	if !a.leadsTo(b) || !b.leadsTo(a) {
		problems = append(problems, errors.New("its interfaces are not ends of one veth pair"))
	}
	if err := errors.Join(problems...); err != nil {
		return fmt.Errorf("link %v: %w", l, err)
	}
	return nil
}

// endState is an interface as the kernel has it, and the number that the other
// end's namespace has in its own.
type endState struct {
	*netlink.LinkAttrs
	kind  string
	other int
}

func inspect(e End, other string) (endState, error) {
	far, err := open(other)
	if err != nil {
		return endState{}, err
	}
	defer far.Close()
	near, err := open(e.Namespace)
	if err != nil {
		return endState{}, err
	}
	defer near.Close()
	var s endState
	err = near.Do(func(ns.NetNS) error {
		i, err := netlink.LinkByName(e.Interface)
		if err != nil {
			return fmt.Errorf("interface %v: %w", e, err)
		}
		s = endState{LinkAttrs: i.Attrs(), kind: i.Type()}
		s.other, err = netlink.GetNetNsIdByFd(int(far.Fd()))
		return err
	})
	return s, err
}

func (s endState) differs(e End, mtu int) error {
	switch {
	case s.kind != "veth":
		return fmt.Errorf("interface %v is a %s, not a veth", e, s.kind)
	case s.MTU != mtu:
		return fmt.Errorf("interface %v has MTU %d, not %d", e, s.MTU, mtu)
	case e.MAC != nil && !bytes.Equal(s.HardwareAddr, e.MAC):
		return fmt.Errorf("interface %v has MAC %v, not %v", e, s.HardwareAddr, e.MAC)
	}
	return nil
}

// leadsTo reports whether the kernel names t as the other end of s: by its index,
// which is unique within a namespace, and by its namespace.
func (s endState) leadsTo(t endState) bool {
	return s.ParentIndex == t.Index && s.NetNsID == s.other
}
