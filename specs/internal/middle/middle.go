// Package middle is a man in the middle of a link of a testbed. Specs show by him that
// all a node learns it learns from the bytes on the wire, and that a frame is neither
// lost nor doubled unnoticed.
//
// He knows only the public facts of a testbed: the namespaces of its veth pairs' ends. Between two runs he replaces one
// pair by two pairs and a namespace of his own, and passes frames on from one to the other.
package middle

import (
	"errors"
	"fmt"
	"path/filepath"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/testbed/nodes/netns"
	"github.com/rocelab/rocelab/testbed/nodes/packet"
	"github.com/rocelab/rocelab/testbed/nodes/veth"
)

// Tamper is called for each frame of a run that passes, in the order in which they pass; direction is 0 from the link's
// end A to B, 1 the other way. The frame comes without its trailer, which is passed on as it is; its bytes may be
// changed in place. Copies is the number of times that it is passed on: 1, or 0 to lose it, or 2 to double it. Other
// frames are passed on without a call. The calls for one link come from one goroutine, those for two links do not.
type Tamper func(direction int, frame []byte) (copies int)

// Man is a man in the middle. Take him away, by Close, before the testbed goes.
type Man struct {
	// Ends are where he stands, towards the link's ends A and B.
	Ends [2]netns.End

	tamper Tamper
	ports  [2]*packet.Port // at Ends
	// polls are the sockets of ports and an eventfd that ends it all.
	polls [3]unix.PollFd
	ended chan error
	gone  bool
}

// The rings. The receive rings hold more than the frames of a window, which are the only ones in flight at a time.
const (
	receiveSlots = 4096
	sendSlots    = 256
)

// Enter puts a man in the middle of a link of a testbed without a run in progress. After an error the link may be gone,
// and the testbed with it is useless.
func Enter(testbed *veth.State, i int, tamper Tamper) (*Man, error) {
	if i < 0 || i >= len(testbed.Links) {
		return nil, fmt.Errorf("man in the middle of link %d: there are %d links", i, len(testbed.Links))
	}
	m, err := enter(testbed, i, tamper)
	if err != nil {
		return nil, fmt.Errorf("man in the middle of link %v-%v: %w", testbed.Links[i].A, testbed.Links[i].B, err)
	}
	return m, nil
}

func enter(testbed *veth.State, i int, tamper Tamper) (*Man, error) {
	// In the testbed's folder the namespace goes with the testbed, even if this process is killed.
	space := filepath.Join(testbed.Dir(), "net", fmt.Sprintf("between.%d", i))
	if err := netns.NewNamespace(space); err != nil {
		return nil, err
	}
	pair := testbed.Veth(i)
	if err := netns.Disconnect(pair.A); err != nil {
		return nil, err
	}
	ends := [2]netns.End{{Namespace: space, Interface: "a"}, {Namespace: space, Interface: "b"}}
	for side, outer := range [2]netns.End{pair.A, pair.B} {
		if err := netns.Connect(netns.Link{A: outer, B: ends[side], MTU: pair.MTU}); err != nil {
			return nil, err
		}
	}
	m, err := open(ends, pair.MTU, tamper)
	if err != nil {
		return nil, err
	}
	go func() { m.ended <- m.run() }()
	return m, nil
}

func open(ends [2]netns.End, mtu int, tamper Tamper) (man *Man, err error) {
	man = &Man{Ends: ends, tamper: tamper, ended: make(chan error, 1)}
	for k := range man.polls {
		man.polls[k] = unix.PollFd{Fd: -1, Events: unix.POLLIN}
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, man.release())
		}
	}()
	const tag = 4 // of 802.1Q
	g := packet.Geometry{Frame: packet.MinFrame + tag + mtu, Receive: receiveSlots, Send: sendSlots}
	for side := range ends {
		if err := man.listen(side, g); err != nil {
			return nil, err
		}
	}
	stop, err := unix.Eventfd(0, unix.EFD_CLOEXEC)
	man.polls[2].Fd = int32(stop)
	return man, err
}

// listen opens and maps the interface of one side.
func (m *Man) listen(side int, geometry packet.Geometry) error {
	fd := -1
	err := netns.In(m.Ends[side].Namespace, func() (err error) {
		fd, err = packet.Open(m.Ends[side].Interface, geometry)
		return err
	})
	if err != nil {
		return err
	}
	if m.ports[side], err = packet.Map(fd, geometry); err != nil {
		unix.Close(fd)
		return err
	}
	m.polls[side].Fd = int32(fd)
	return nil
}

// run passes frames on until it is stopped.
func (m *Man) run() error {
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
func (m *Man) pass(direction int) error {
	from, to := m.ports[direction], m.ports[1-direction]
	for block := from.Next(); block != nil; block = from.Next() {
		copies := 1
		if frame, _, ok := packet.Cut(block); ok {
			copies = m.tamper(direction, frame)
		}
		for range copies {
			slot, err := to.Slot()
			if err != nil {
				return err
			}
			to.Queue(copy(slot, block))
		}
		from.Release()
	}
	return errors.Join(to.Flush(), from.Await(0)) // the error of the port, if there is one
}

// Close ends him, and gives back what he held; his link carries nothing from now on.
// A second call does nothing.
func (m *Man) Close() error {
	if m.gone {
		return nil
	}
	m.gone = true
	one := [8]byte{1}
	if _, err := unix.Write(int(m.polls[2].Fd), one[:]); err != nil {
		return err
	}
	return errors.Join(<-m.ended, m.release())
}

func (m *Man) release() (err error) {
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
