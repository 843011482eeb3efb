package veth

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/testbed/link"
	"github.com/rocelab/rocelab/testbed/packet"
)

// Between is a man in the middle of a link: a hook for specs, which show by it
// that all a node learns it learns from the bytes on the wire, and that a frame
// is neither lost nor doubled unnoticed.
//
// It is called for each frame of a run that passes, in the order in which they
// pass; direction is 0 from the link's end A to B, 1 the other way. The frame
// comes without its trailer, which is passed on as it is; its bytes may be
// changed in place. Copies is how often it is passed on: 1, or 0 to lose it, or 2
// to double it. What is no frame of a run is passed on without a call. The
// calls for one link come from one goroutine, those for two links do not.
type Between func(direction int, frame []byte) (copies int)

// middle is a link made of two veth pairs, with a namespace in between where
// frames are passed on from one to the other.
type middle struct {
	between Between
	ports   [2]*packet.Port // towards ends A and B
	// polls are the sockets of ports and an eventfd that ends it all.
	polls [3]unix.PollFd
	ended chan error
}

// middleNetNS is where the man in the middle of link i stands.
func (s *State) middleNetNS(i int) string { return s.path("net", fmt.Sprintf("between.%d", i)) }

// middleEnds are the inner ends of link i, towards its ends A and B.
func (s *State) middleEnds(i int) [2]link.End {
	return [2]link.End{{Namespace: s.middleNetNS(i), Interface: "a"}, {Namespace: s.middleNetNS(i), Interface: "b"}}
}

// middleSlots is the size of the receive rings of a man in the middle: more
// than the frames of a window, which alone are under way at a time.
const middleSlots = 4096

// checkBetween refuses a man in the middle of a link that is not there.
func (t *Testbed) checkBetween() error {
	for _, i := range slices.Sorted(maps.Keys(t.between)) {
		if i < 0 || i >= len(t.Links) {
			return fmt.Errorf("man in the middle of link %d: there are %d links", i, len(t.Links))
		}
	}
	return nil
}

// makeMiddles makes the namespaces, before the links.
func (t *Testbed) makeMiddles() error {
	for i := range t.between {
		if err := link.NewNamespace(t.middleNetNS(i)); err != nil {
			return err
		}
	}
	return nil
}

// startMiddles begins to pass frames on, when the links are there.
func (t *Testbed) startMiddles() error {
	for i, between := range t.between {
		m, err := t.openMiddle(i, between)
		if err != nil {
			return fmt.Errorf("man in the middle of link %v-%v: %w", t.Links[i].A, t.Links[i].B, err)
		}
		t.middles = append(t.middles, m)
		go func() { m.ended <- m.run() }()
	}
	return nil
}

// stopMiddles ends what passes frames on.
func (t *Testbed) stopMiddles() (err error) {
	for _, m := range t.middles {
		err = errors.Join(err, m.close())
	}
	t.middles = nil
	return err
}

func (t *Testbed) openMiddle(i int, between Between) (m *middle, err error) {
	m = &middle{between: between, ended: make(chan error, 1)}
	for k := range m.polls {
		m.polls[k] = unix.PollFd{Fd: -1, Events: unix.POLLIN}
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, m.release())
		}
	}()
	g := packet.Geometry{Frame: frameRoom(t.MTU), Receive: middleSlots, Send: sendSlots}
	for side, end := range t.middleEnds(i) {
		if err := m.open(side, end, g); err != nil {
			return nil, err
		}
	}
	stop, err := unix.Eventfd(0, unix.EFD_CLOEXEC)
	m.polls[2].Fd = int32(stop)
	return m, err
}

// open opens and maps the interface of one side.
func (m *middle) open(side int, e link.End, g packet.Geometry) error {
	fd := -1
	err := link.In(e.Namespace, func() (err error) {
		fd, err = packet.Open(e.Interface, g)
		return err
	})
	if err != nil {
		return err
	}
	if m.ports[side], err = packet.Map(fd, g); err != nil {
		unix.Close(fd)
		return err
	}
	m.polls[side].Fd = int32(fd)
	return nil
}

// run passes frames on until it is stopped.
func (m *middle) run() error {
	for {
		if _, err := unix.Poll(m.polls[:], -1); err != nil && !errors.Is(err, unix.EINTR) {
			return err
		}
		if m.polls[2].Revents != 0 {
			return nil
		}
		for direction := range m.ports {
			if err := m.pass(direction); err != nil {
				return err
			}
			if r := m.polls[direction].Revents; r&^unix.POLLIN != 0 {
				return fmt.Errorf("interface %s is down or gone (poll: %#x)", m.ports[direction].Name(), r)
			}
		}
	}
}

// pass passes on what has come in one direction.
func (m *middle) pass(direction int) error {
	from, to := m.ports[direction], m.ports[1-direction]
	for b := from.Next(); b != nil; b = from.Next() {
		copies := 1
		if frame, _, ok := packet.Cut(b); ok {
			copies = m.between(direction, frame)
		}
		for range copies {
			slot, err := to.Slot()
			if err != nil {
				return err
			}
			to.Queue(copy(slot, b))
		}
		from.Release()
	}
	return errors.Join(to.Flush(), from.Await(0)) // the error of the port, if there is one
}

// close ends run and gives back what it held.
func (m *middle) close() error {
	one := [8]byte{1}
	if _, err := unix.Write(int(m.polls[2].Fd), one[:]); err != nil {
		return err
	}
	return errors.Join(<-m.ended, m.release())
}

func (m *middle) release() (err error) {
	for _, p := range m.ports {
		if p != nil {
			err = errors.Join(err, p.Close())
		}
	}
	if stop := int(m.polls[2].Fd); stop >= 0 {
		err = errors.Join(err, unix.Close(stop))
	}
	return err
}
