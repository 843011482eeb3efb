package packet

import (
	"fmt"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

const (
	// chunk is the number of frames that Queue gathers for one system call: enough to make the call's share of a frame
	// small, few enough that the other end starts early.
	chunk = 64
	// pause and pauses bound the wait for a kernel that does not take a
	// frame: 100 us each time, 1 s at least in all. The pauses are
	// counted, not the time, so that a busy machine waits longer.
	pause  = 100 * time.Microsecond
	pauses = 10_000
)

// Slot returns the room for the next frame to send: Geometry.Frame bytes with old content. Fill it, then call Queue;
// until then Slot returns the same room. If the ring is full, Slot sends the queued frames and waits.
func (p *Port) Slot() ([]byte, error) {
	h := p.send.Header()
	const busy = unix.TP_STATUS_SEND_REQUEST | unix.TP_STATUS_SENDING
	if p.err != nil || atomic.LoadUint32(&h.Status)&busy != 0 {
		if err := p.settle(&h.Status, busy); err != nil {
			return nil, err
		}
	}
	from := p.send.At + sendOffset
	return p.send.Mem[from : from+p.frame : from+p.frame], nil
}

// Queue hands over the first n bytes of the slot that Slot returned, a whole
// Ethernet frame. Range: MinFrame to Geometry.Frame; otherwise it panics. It
// sends by itself in chunks of 64; Flush sends the rest. An error on the way is
// returned by the next Slot or Flush.
func (p *Port) Queue(n int) {
	if n < MinFrame || n > p.frame {
		panic(fmt.Sprintf("packet: Queue of %d bytes on %s: allowed are %d to %d", n, p.name, MinFrame, p.frame))
	}
	h := p.send.Header()
	h.Len = uint32(n)
	atomic.StoreUint32(&h.Status, unix.TP_STATUS_SEND_REQUEST)
	p.last = &h.Status
	p.send.Advance()
	p.unkicked++
	if p.unkicked == chunk {
		p.kick()
	}
}

// Flush returns when the kernel has taken every queued frame. On a veth pair a
// frame has then reached the other end's ring, or is about to.
func (p *Port) Flush() error {
	if p.last == nil {
		return p.err
	}
	return p.settle(p.last, unix.TP_STATUS_SEND_REQUEST)
}

// settle drives the kernel until the status of a slot shows none of the busy
// bits. The kernel takes slots in order, so those queued before are taken too.
func (p *Port) settle(status *uint32, busy uint32) error {
	for tries := 0; p.err == nil && atomic.LoadUint32(status)&busy != 0; tries++ {
		if tries > 0 {
			p.rest()
		}
		refusal := p.kick()
		if tries == pauses {
			p.fail(fmt.Errorf("send on %s: no frame was taken for %v (%w): its peer is down or has a smaller MTU, or "+
				"net.core.netdev_max_backlog is too small",
				p.name, pauses*pause, refusal))
		}
	}
	return p.err
}

// kick asks the kernel to send the queued slots and returns the reason if it stopped early, else 0. It does not block,
// so the Go scheduler is not notified; on a veth pair the call does most of the receiver's work too.
func (p *Port) kick() unix.Errno {
	p.unkicked = 0
	_, _, errno := unix.RawSyscall6(unix.SYS_SENDTO, uintptr(p.fd), 0, 0, unix.MSG_DONTWAIT, 0, 0)
	switch errno {
	case 0:
	case unix.EAGAIN:
		// The frames that are on their way through the kernel use up the socket's send buffer. The rest stays queued.
	case unix.EINTR:
		// A signal, such as Go's preemption, came first. Nothing is lost.
	case unix.ENOBUFS:
		// The device dropped the frame: the backlog of the receiving processor
		// is full, or the peer does not take it (down, smaller MTU). The
		// kernel puts the slot back to be sent again and stops there, so frame
		// and order are kept.
		p.refused++
	case unix.EMSGSIZE:
		p.fail(fmt.Errorf("send on %s: %w: a frame is longer than the MTU of the interface allows", p.name, errno))
	default:
		p.fail(fmt.Errorf("send on %s: %w", p.name, errno))
	}
	return errno
}

// rest sleeps for a pause. Polling for POLLOUT would not sleep: the kernel
// reports a socket with room in its send buffer as writable, full ring or not.
func (p *Port) rest() {
	p.span = unix.NsecToTimespec(int64(pause))
	unix.RawSyscall6(unix.SYS_PPOLL, 0, 0, uintptr(unsafe.Pointer(&p.span)), 0, 0, 0)
}
