package device

import (
	"errors"
	"fmt"
	"time"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/testbed/nodes/internal/ring"
	"github.com/rocelab/rocelab/testbed/nodes/live/device/offload"
	"github.com/rocelab/rocelab/testbed/nodes/packet"
)

// State is the present state of the interface.
type State uint8

// States of an interface.
const (
	Up        State = iota
	NoCarrier       // the other end is down, or there is no cable
	Down            // it was set down
	Gone            // it was removed, or moved to another network namespace: for good
)

func (s State) String() string {
	return [...]string{"up", "without carrier", "down", "gone"}[s]
}

// Counters count frames since Map by outcome. They do not include losses of the interface itself: see Port.Settle.
type Counters struct {
	// Received and Sent are whole frames: the ones released, and the ones that the kernel took.
	Received, Sent uint64
	// Unclaimed are frames or super-frames that the interface's rx_dropped may have too, though they
	// are not lost: see packet.Unclaimed.
	Unclaimed uint64
	// SuperFrames were cut into frames; Checksums were finished, except in frames that were cut.
	SuperFrames, Checksums uint64

	// RingFull are frames or super-frames that found no room and are lost.
	RingFull uint64
	// Truncated are frames or super-frames that were too long or found no room
	// at the socket; they are lost.
	Truncated uint64
	// Malformed are frames whose bytes do not fit the kernel's description of the open work; Next gave them as they
	// are, so they are not lost.
	Malformed uint64
	// WrongLength are frames, or super-frames of such, that are shorter than an Ethernet
	// header or longer than the MTU and two tags; they are lost.
	WrongLength uint64

	// TooLong are frames that were not sent: longer than the interface takes.
	TooLong uint64
	// NoBuffer are frames that were not sent: no room in the device or on the way to it.
	NoBuffer uint64
	// WhileDown are frames that were not sent: the interface was down or gone.
	WhileDown uint64
	// Refused are frames that were not sent for another reason: LastRefusal.
	Refused     uint64
	LastRefusal string

	// Spans is the number of spans without the interface, including a present one, and Absent the total duration. A
	// span is as long as Inspect, Flush and Send notice.
	Spans  uint64
	Absent time.Duration
}

// Port is one interface: frames out, frames in. It is used by one goroutine at a
// time.
type Port struct {
	fd       int
	name     string
	mtu      int
	ring     ring.Ring
	counters Counters

	// held is the frame that Next gave, with its stamp, until Release; slot is set while the current slot of the ring
	// is ours, until the last frame of it is released.
	held  []byte
	stamp int64
	slot  bool
	// super is room for a super-frame of the socket's queue, cutter makes frames of
	// one, and piece is room for such a frame.
	super  []byte
	cutter offload.Cutter
	piece  []byte

	out outbox

	state State
	since int64 // when it ceased to be up, by CLOCK_MONOTONIC
}

// Map makes a port of a socket that Open made with the same geometry, in this process or another. It does not need
// privileges or a network namespace of its own. The port owns fd from then on; after an error it is still the caller's.
// A socket is mapped once in its life: the place in the ring is only known to the port that has walked along.
func Map(fd int, g Geometry) (*Port, error) {
	name, err := packet.InterfaceName(fd)
	if err != nil {
		return nil, fmt.Errorf("map the ring of descriptor %d: %w", fd, err)
	}
	if err := g.check(); err != nil {
		return nil, fmt.Errorf("map the ring of %s: %w", name, err)
	}
	l := g.layout()
	mem, err := unix.Mmap(fd, 0, l.Bytes(), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if errors.Is(err, unix.EINVAL) {
		err = fmt.Errorf("%w: the socket was opened with another geometry than %+v", err, g)
	}
	if err != nil {
		return nil, fmt.Errorf("map the ring of %s: %w", name, err)
	}
	p := &Port{
		fd:    fd,
		name:  name,
		mtu:   g.MTU,
		ring:  ring.New(l, mem),
		super: make([]byte, tagLen+offload.HeaderLen+longest+maxMTU),
		piece: make([]byte, longest+maxMTU),
	}
	p.out.prepare(g.MTU + longest)
	p.Inspect()
	return p, nil
}

// Name returns the name of the port's interface when it was mapped.
func (p *Port) Name() string { return p.name }

// Descriptor returns the socket, to be polled: readable when Next has something, in error when
// the interface is set down or removed, until Inspect is called.
func (p *Port) Descriptor() int { return p.fd }

// Close gives the ring back and closes the socket; promiscuity goes with it.
func (p *Port) Close() error {
	return errors.Join(unix.Munmap(p.ring.Mem), unix.Close(p.fd))
}

// Counters returns the counts of frames so far.
func (p *Port) Counters() Counters {
	if s, err := unix.GetsockoptTpacketStats(p.fd, unix.SOL_PACKET, unix.PACKET_STATISTICS); err == nil {
		p.counters.RingFull += uint64(s.Drops) // reading them resets them
	}
	c := p.counters
	if p.state != Up {
		c.Absent += time.Duration(monotonic() - p.since)
	}
	return c
}

// Forget discards the counts of losses so far on the way in: frames from before a run do not belong to it.
func (p *Port) Forget() {
	p.Counters()
	c := &p.counters
	c.RingFull, c.Truncated, c.Malformed, c.WrongLength = 0, 0, 0, 0
}

// Inspect queries the present state of the interface, and settles a pending error of the socket. It costs three system
// calls.
func (p *Port) Inspect() State {
	_, _ = unix.GetsockoptInt(p.fd, unix.SOL_SOCKET, unix.SO_ERROR) // reading it settles it
	p.become(p.look())
	return p.state
}

func (p *Port) look() State {
	name, err := packet.InterfaceName(p.fd)
	if err != nil {
		return Gone
	}
	request, err := unix.NewIfreq(name)
	if err == nil {
		err = unix.IoctlIfreq(p.fd, unix.SIOCGIFFLAGS, request)
	}
	switch {
	case err != nil:
		return Gone
	case request.Uint16()&unix.IFF_UP == 0:
		return Down
	case request.Uint16()&unix.IFF_RUNNING == 0:
		return NoCarrier
	}
	return Up
}

func (p *Port) become(s State) {
	switch {
	case p.state == Up && s != Up:
		p.counters.Spans++
		p.since = monotonic()
	case p.state != Up && s == Up:
		p.counters.Absent += time.Duration(monotonic() - p.since)
	}
	p.state = s
}

func monotonic() int64 {
	var now unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &now)
	return now.Nano()
}
