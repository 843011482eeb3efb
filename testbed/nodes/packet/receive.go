package packet

import (
	"encoding/binary"
	"fmt"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

const (
	tagLen  = 4
	macsLen = 12
)

// rawWait bounds the time for which Await hides its wait from the Go scheduler. Within it, a wait does not hand over
// the processor, which is several times faster for the short waits of a lock-step; beyond it, an idle process must not
// hold up the garbage collector of its other goroutines.
const rawWait = time.Millisecond

// Next returns the oldest frame received, from the Ethernet header to the last
// byte that was sent, or nil if there is none. The frame is the same until
// Release and may be changed in place until then.
//
// A frame longer than Geometry.Frame arrives truncated. It is an error, which
// Await returns; Next returns nil from then on.
func (p *Port) Next() []byte {
	h := p.receive.Header()
	status := atomic.LoadUint32(&h.Status)
	if status&unix.TP_STATUS_USER == 0 {
		return nil
	}
	if h.Len != h.Snaplen {
		p.fail(fmt.Errorf("receive on %s: a frame of %d bytes was truncated to %d: the port was opened for frames "+
			"of up to %d bytes",
			p.name, h.Len, h.Snaplen, p.frame))
		return nil
	}
	if status&unix.TP_STATUS_VLAN_VALID != 0 {
		p.restoreTag(h, status)
	}
	from := p.receive.At + int(h.Mac)
	to := from + int(h.Snaplen)
	return p.receive.Mem[from:to:to]
}

// restoreTag puts the 802.1Q tag back that the kernel took off: the addresses
// move into the reserve before the frame, and the tag takes their place. The
// header then describes the whole frame, so that it is done once.
func (p *Port) restoreTag(h *unix.Tpacket2Hdr, status uint32) {
	at := p.receive.At + int(h.Mac)
	frame := p.receive.Mem[at-tagLen : at+macsLen]
	copy(frame, frame[tagLen:])
	tpid := uint16(unix.ETH_P_8021Q)
	if status&unix.TP_STATUS_VLAN_TPID_VALID != 0 {
		tpid = h.Vlan_tpid
	}
	binary.BigEndian.PutUint16(frame[macsLen:], tpid)
	binary.BigEndian.PutUint16(frame[macsLen+2:], h.Vlan_tci)
	if Unclaimed(binary.BigEndian.Uint16(p.receive.Mem[at+macsLen:])) {
		p.unclaimed++
	}
	h.Mac -= tagLen
	h.Len += tagLen
	h.Snaplen += tagLen
	atomic.StoreUint32(&h.Status, status&^(unix.TP_STATUS_VLAN_VALID|unix.TP_STATUS_VLAN_TPID_VALID))
}

// Release gives the slot of the frame that Next returned back to the kernel.
// The frame must not be used any more. It panics if there is none.
func (p *Port) Release() {
	h := p.receive.Header()
	if atomic.LoadUint32(&h.Status)&unix.TP_STATUS_USER == 0 {
		panic("packet: Release without a frame")
	}
	atomic.StoreUint32(&h.Status, unix.TP_STATUS_KERNEL)
	p.receive.Advance()
}

// Await waits until Next returns a frame or the timeout has passed, which is not an error. A timeout of zero or less
// does not wait. Release the frames that Next returned before: the kernel would not let the call sleep.
//
// It returns the error of the port, if there is one: a truncated frame, or an
// interface that went down or away.
func (p *Port) Await(timeout time.Duration) error {
	if p.err != nil || timeout <= 0 || p.arrived() {
		return p.err
	}
	start := time.Now()
	for waited := time.Duration(0); waited < timeout && p.err == nil && !p.arrived(); waited = time.Since(start) {
		p.poll(waited, timeout)
	}
	return p.err
}

func (p *Port) arrived() bool {
	return atomic.LoadUint32(&p.receive.Header().Status)&unix.TP_STATUS_USER != 0
}

// poll sleeps until something arrives: raw until rawWait, then known to the Go
// scheduler. It may return early, as the signals of Go's preemption interrupt it.
func (p *Port) poll(waited, timeout time.Duration) {
	p.events.Revents = 0
	var errno unix.Errno
	if waited < rawWait {
		p.span = unix.NsecToTimespec(int64(min(timeout, rawWait) - waited))
		_, _, errno = unix.RawSyscall6(unix.SYS_PPOLL, uintptr(unsafe.Pointer(&p.events)), 1,
			uintptr(unsafe.Pointer(&p.span)), 0, 0, 0)
	} else {
		p.span = unix.NsecToTimespec(int64(timeout - waited))
		_, _, errno = unix.Syscall6(unix.SYS_PPOLL, uintptr(unsafe.Pointer(&p.events)), 1, uintptr(unsafe.Pointer(&p.span)),
			0, 0, 0)
	}
	if errno != 0 && errno != unix.EINTR {
		p.fail(fmt.Errorf("wait for a frame on %s: %w", p.name, errno))
	}
	if errno == 0 && p.events.Revents&(unix.POLLERR|unix.POLLHUP|unix.POLLNVAL) != 0 {
		p.fail(p.pendingError())
	}
}

// pendingError returns the reason why the socket reports an error.
func (p *Port) pendingError() error {
	pending, err := unix.GetsockoptInt(p.fd, unix.SOL_SOCKET, unix.SO_ERROR)
	if err == nil {
		err = unix.Errno(pending)
	}
	if err == unix.ENETDOWN {
		return fmt.Errorf("receive on %s: %w: the interface was set down or removed", p.name, err)
	}
	return fmt.Errorf("receive on %s: %w", p.name, err)
}
