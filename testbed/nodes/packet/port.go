package packet

import (
	"encoding/binary"
	"errors"
	"fmt"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/testbed/nodes/internal/ring"
)

// Port is the rings of one socket: frames out, frames in. It is used by one
// goroutine at a time.
type Port struct {
	fd    int
	name  string
	frame int
	mem   []byte

	receive, send ring.Ring
	// last is the status of the slot queued last, nil before the first;
	// unkicked counts the slots queued since the kernel was last called.
	last     *uint32
	unkicked int
	refused  uint64
	// unclaimed counts frames in both Packets and the interface's RxDropped.
	unclaimed uint64
	err       error

	// Arguments of system calls, here so that they are not allocated.
	events unix.PollFd
	span   unix.Timespec
}

// Map makes a port of a socket that Open made with the same geometry, in this process or another. It does not need
// privileges or a network namespace of its own. The port owns fd from then on; after an error it is still the caller's.
//
// A socket can be mapped once in its life: the kernel's place in
// the rings is known only to the port that has walked along. A second run either
// keeps the port or opens a new socket.
func Map(fd int, g Geometry) (*Port, error) {
	name, err := InterfaceName(fd)
	if err != nil {
		return nil, fmt.Errorf("map the rings of descriptor %d: %w", fd, err)
	}
	if err := g.check(); err != nil {
		return nil, fmt.Errorf("map the rings of %s: %w", name, err)
	}
	mem, err := unix.Mmap(fd, 0, g.Bytes(), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if errors.Is(err, unix.EINVAL) {
		err = fmt.Errorf("%w: the socket was opened with another geometry than %+v", err, g)
	}
	if err != nil {
		return nil, fmt.Errorf("map the rings of %s: %w", name, err)
	}
	p := &Port{
		fd:     fd,
		name:   name,
		frame:  g.Frame,
		mem:    mem,
		events: unix.PollFd{Fd: int32(fd), Events: unix.POLLIN},
	}
	border := g.receive().Bytes()
	p.receive = ring.New(g.receive(), mem[:border:border])
	p.send = ring.New(g.send(), mem[border:])
	if !p.claim() {
		unix.Munmap(mem)
		return nil, fmt.Errorf("map the rings of %s: the socket has been mapped before: open a new one", name)
	}
	return p, nil
}

// claim marks the rings as mapped, or reports that they are. The mark is in
// the padding of the first send slot's header, bytes that the kernel neither
// reads nor writes.
func (p *Port) claim() bool {
	const mark = 0x726c6162
	padding := p.send.Mem[unix.SizeofTpacket2Hdr-4 : unix.SizeofTpacket2Hdr]
	if binary.NativeEndian.Uint32(padding) == mark {
		return false
	}
	binary.NativeEndian.PutUint32(padding, mark)
	return true
}

// Name returns the name of the port's interface when it was mapped.
func (p *Port) Name() string { return p.name }

// Close gives the rings back and closes the socket. Frames that are still in
// the rings are lost; slots that were handed out must not be used any more.
func (p *Port) Close() error {
	return errors.Join(unix.Munmap(p.mem), unix.Close(p.fd))
}

// Statistics are the counts of a port since the last call, or since Open.
type Statistics struct {
	// Packets counts the frames that came in, those in Drops included.
	Packets uint64
	// Drops counts the frames that found the receive ring full. They are lost.
	Drops uint64
	// Refused counts how often the other end refused a frame of this port
	// that was then offered again. Each also shows in the tx_dropped of this
	// interface and in the rx_dropped of the other end, though no frame is lost.
	Refused uint64
	// Unclaimed counts received frames that the interface's rx_dropped may have too, though
	// none is lost.
	Unclaimed uint64
}

// Statistics reads and resets the counters of the port's socket.
func (p *Port) Statistics() (Statistics, error) {
	s, err := unix.GetsockoptTpacketStats(p.fd, unix.SOL_PACKET, unix.PACKET_STATISTICS)
	if err != nil {
		return Statistics{}, fmt.Errorf("read the packet statistics of %s: %w", p.name, err)
	}
	seen := Statistics{
		Packets:   uint64(s.Packets),
		Drops:     uint64(s.Drops),
		Refused:   p.refused,
		Unclaimed: p.unclaimed,
	}
	p.refused, p.unclaimed = 0, 0
	return seen, nil
}

// fail keeps the first error.
func (p *Port) fail(err error) {
	if p.err == nil {
		p.err = err
	}
}
