package capture

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/testbed/nodes/netns"
	"github.com/rocelab/rocelab/testbed/nodes/packet"
)

// Place is where a port is tapped.
type Place struct {
	// Name is the port's, such as "leaf1:3", for messages.
	Name string
	// Namespace is the path of the node's network namespace, Interface the
	// name of the port's veth in it.
	Namespace, Interface string
}

// slots is the length of a tap's ring: what may come between two looks, and
// while a run that has begun is being found.
const slots = 8192

// Tap has the sockets of some ports. From Open on it does not miss frames unless its rings fill up.
type Tap struct {
	places []Place
	ports  []*packet.Port
	polls  []unix.PollFd
}

// Open taps ports for frames of up to the given number of bytes, trailer and
// 802.1Q tag included. It needs CAP_NET_RAW and CAP_SYS_ADMIN. The error names
// the port.
func Open(places []Place, frame int) (*Tap, error) {
	t := &Tap{places: places}
	g := packet.Geometry{Frame: frame, Receive: slots, Send: 1}
	for _, p := range places {
		if err := t.open(p, g); err != nil {
			return nil, errors.Join(fmt.Errorf("capture at %s: %w", p.Name, err), t.Close())
		}
	}
	return t, nil
}

func (t *Tap) open(p Place, g packet.Geometry) error {
	fd := -1
	err := netns.In(p.Namespace, func() (err error) {
		fd, err = packet.OpenTap(p.Interface, g)
		return err
	})
	if err != nil {
		return err
	}
	port, err := packet.Map(fd, g)
	if err != nil {
		unix.Close(fd)
		return err
	}
	t.ports = append(t.ports, port)
	t.polls = append(t.polls, unix.PollFd{Fd: int32(fd), Events: unix.POLLIN})
	return nil
}

// Close closes the sockets.
func (t *Tap) Close() (err error) {
	for _, p := range t.ports {
		err = errors.Join(err, p.Close())
	}
	t.ports, t.polls = nil, nil
	return err
}
