package netns

import (
	"fmt"
	"time"

	"github.com/vishvananda/netlink"
)

// How long Settle waits for the kernel, and how often it looks. On a machine
// with nothing else to do a link settles within a millisecond.
const (
	settleLimit = 10 * time.Second
	settlePause = 200 * time.Microsecond
)

// Settle waits until interfaces are operational: both ends of their links are
// up, and the kernel has taken note. It does so in the background, and drops
// what the end that came up first sends before. It fails after ten seconds, as
// it does when an other end is down.
//
// Source: Documentation/networking/operstates.rst; net/core/link_watch.c.
func Settle(ends ...End) error {
	for _, e := range ends {
		if err := In(e.Namespace, func() error { return settle(e.Interface) }); err != nil {
			return fmt.Errorf("wait for interface %v: %w", e, err)
		}
	}
	return nil
}

func settle(name string) error {
	for deadline := time.Now().Add(settleLimit); ; time.Sleep(settlePause) {
		i, err := netlink.LinkByName(name)
		if err != nil {
			return err
		}
		switch state := i.Attrs().OperState; {
		case state == netlink.OperUp:
			return nil
		case time.Now().After(deadline):
			return fmt.Errorf("it is %v after %v", state, settleLimit)
		}
	}
}
