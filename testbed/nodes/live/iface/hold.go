package iface

import (
	"errors"
	"fmt"
	"os"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

// Hold is an interface that is taken.
type Hold struct {
	// Want is the request, MTU and MAC are the interface's own. Unit of MTU: bytes.
	Want Want
	MTU  int
	MAC  string
	// Forced lists the objections that force overcame, with the damage.
	Forced []string

	root   string
	lock   int
	record record
}

// Take takes an interface for a run: it is locked and quiet from then on. root is the folder of all testbeds, which has
// the record of the interface's settings until Release. The error is *Refusal, joined, if there are objections; nothing
// is changed then. Needs CAP_NET_ADMIN.
func Take(root string, w Want) (h *Hold, err error) {
	h = &Hold{Want: w, root: root, lock: -1}
	err = in(w.Namespace, h.take)
	if err != nil {
		return nil, explain(w, errors.Join(err, h.Release()))
	}
	return h, nil
}

// take is Take in the namespace.
func (h *Hold) take() error {
	w := h.Want
	l, err := netlink.LinkByName(w.Interface)
	if err != nil {
		_, err := check(w)
		return err
	}
	if l.Attrs().EncapType == "loopback" {
		_, err = check(w)
		return err
	}
	if h.lock, err = lock(l.Attrs().Index); err != nil {
		if held, ok := errors.AsType[*heldError](err); ok {
			return &Refusal{Interface: w.String(), Why: held.Error()}
		}
		return err
	}
	space, err := inode(here)
	if err != nil {
		return err
	}
	a := l.Attrs()
	h.MTU, h.MAC = a.MTU, a.HardwareAddr.String()
	r := record{
		Interface: w.Interface,
		Namespace: w.Namespace,
		Inode:     space,
		Index:     a.Index,
		MAC:       h.MAC,
		Pid:       os.Getpid(),
	}
	if err := r.restoreFirst(h.root, l); err != nil {
		return err
	}
	if l, err = netlink.LinkByIndex(a.Index); err != nil {
		return err
	}
	if h.Forced, err = check(w); err != nil {
		return err
	}
	if r.Settings, err = present(l, w); err != nil {
		return err
	}
	if err = r.save(h.root); err == nil {
		h.record = r
		err = h.record.mark(h.root, l)
	}
	if err != nil {
		return fmt.Errorf("record its state: %w", err)
	}
	return r.Settings.apply(l)
}

// restoreFirst puts back what an earlier holder left, now that the lock is ours.
func (r *record) restoreFirst(root string, l netlink.Link) error {
	old, err := load(r.path(root))
	if err != nil || old == nil {
		return err
	}
	if err = old.isOf(l); err == nil {
		err = old.revert(l)
	}
	if err != nil && !isGone(err) {
		return fmt.Errorf("put it back as it was before an earlier run: %w", err)
	}
	return old.forget(root)
}

// Release restores the interface and lets it go. It may be called again; an interface that is gone meanwhile is not an
// error.
func (h *Hold) Release() error {
	if h.lock < 0 {
		return nil
	}
	var err error
	if h.record.Index != 0 {
		err = in(h.Want.Namespace, func() error {
			l, err := h.record.find()
			if err != nil {
				return err
			}
			return h.record.revert(l)
		})
		if isGone(err) {
			err = nil
		}
		if err == nil {
			err = h.record.forget(h.root)
		} else {
			err = fmt.Errorf("put interface %s back as it was: %w", h.Want, err)
		}
	}
	unix.Close(h.lock)
	h.lock = -1
	return err
}
