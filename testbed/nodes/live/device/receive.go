package device

import (
	"encoding/binary"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/testbed/nodes/live/device/offload"
	"github.com/rocelab/rocelab/testbed/nodes/packet"
)

// Next returns the oldest frame received, from the Ethernet header to the last byte of the packet, 14 to MTU + 22
// bytes, with the time at which the kernel received it (CLOCK_REALTIME in ns; frames of one super-frame share it), or
// ok false if there is none. The frame is the same until Release and may be changed in place until then.
func (p *Port) Next() (frame []byte, stamp int64, ok bool) {
	for p.held == nil {
		if !p.take() {
			return nil, 0, false
		}
	}
	return p.held, p.stamp, true
}

// Release gives back the frame that Next returned, which must not be used any more.
// It panics if there is none.
func (p *Port) Release() {
	if p.held == nil {
		panic("device: Release without a frame")
	}
	p.counters.Received++
	p.held = p.cutter.Next(p.piece)
	if p.held == nil {
		p.giveBack()
	}
}

// giveBack gives the current slot, if it is ours, to the kernel.
func (p *Port) giveBack() {
	if !p.slot {
		return
	}
	p.slot = false
	atomic.StoreUint32(&p.ring.Header().Status, unix.TP_STATUS_KERNEL)
	p.ring.Advance()
}

// take takes over the next slot and holds its frame, unless it is lost; it reports
// whether there was a slot.
func (p *Port) take() bool {
	h := p.ring.Header()
	status := atomic.LoadUint32(&h.Status)
	if status&unix.TP_STATUS_USER == 0 {
		return false
	}
	if p.state != Up { // whoever hears something is up again
		p.Inspect()
	}
	p.slot = true
	p.stamp = int64(h.Sec)*1e9 + int64(h.Nsec)
	mem, at, left := p.ring.Mem[p.ring.At:p.ring.At+p.ring.Slot], int(h.Mac), offload.Header{}
	end := at + int(h.Snaplen)
	if status&unix.TP_STATUS_COPY != 0 || h.Len != h.Snaplen {
		n, ok := 0, false
		if status&unix.TP_STATUS_COPY != 0 {
			n, ok = p.queued(int(h.Len))
		}
		if !ok {
			p.counters.Truncated++
			p.giveBack()
			return true
		}
		mem, at = p.super, tagLen+offload.HeaderLen
		end = at + n
	}
	left = offload.ReadHeader(mem[at-offload.HeaderLen : at])
	if status&unix.TP_STATUS_VLAN_VALID != 0 {
		tpid := uint16(unix.ETH_P_8021Q)
		if status&unix.TP_STATUS_VLAN_TPID_VALID != 0 {
			tpid = h.Vlan_tpid
		}
		at -= tagLen
		putTag(mem[at:end], tpid, h.Vlan_tci)
		if packet.Unclaimed(binary.BigEndian.Uint16(mem[at+macsLen+tagLen:])) {
			p.counters.Unclaimed++
		}
		left = left.Tagged()
	}
	fits := p.finish(mem[at:end:end], left)
	if p.measure() && !fits {
		p.counters.Malformed++
	}
	return true
}

// measure drops the held frame if its length is impossible for the interface; it reports whether the frame is kept.
func (p *Port) measure() bool {
	if len(p.held) >= ethernetLen && len(p.held) <= p.mtu+longest {
		return true
	}
	p.counters.WrongLength++
	p.held, p.cutter = nil, offload.Cutter{}
	p.giveBack()
	return false
}

// queued reads the super-frame of that many bytes, which the kernel has queued at the socket, behind room for a tag. An
// error of the socket, as after its interface was down, is reported once before the queue; a super-frame of another
// length belongs to a slot that was given up. Neither may put later frames out of step.
func (p *Port) queued(length int) (n int, ok bool) {
	b := p.super[tagLen:]
	for {
		got, _, errno := unix.RawSyscall6(unix.SYS_RECVFROM, uintptr(p.fd), uintptr(unsafe.Pointer(&b[0])), uintptr(len(b)),
			unix.MSG_DONTWAIT|unix.MSG_TRUNC, 0, 0)
		switch n = int(got) - offload.HeaderLen; {
		case errno == unix.EAGAIN || errno == unix.EBADF || errno == unix.ENOTSOCK:
			return 0, false
		case errno == 0 && n == length:
			return n, int(got) <= len(b)
		}
	}
}

// putTag puts back the tag that the kernel took off: the addresses move to the beginning
// of the frame, and the tag takes their place.
func putTag(frame []byte, tpid, tci uint16) {
	copy(frame[:macsLen], frame[tagLen:])
	binary.BigEndian.PutUint16(frame[macsLen:], tpid)
	binary.BigEndian.PutUint16(frame[macsLen+2:], tci)
}

// finish holds a frame after what was left to do about it is done; it reports whether that could be done.
func (p *Port) finish(frame []byte, left offload.Header) (fits bool) {
	p.held = frame
	switch {
	case left.IsSuper():
		if fits = p.cutter.Begin(frame, left); fits {
			p.counters.SuperFrames++
			p.held = p.cutter.Next(p.piece)
		}
		return fits
	case left.NeedsChecksum():
		if fits = offload.Finish(frame, left); fits {
			p.counters.Checksums++
		}
		return fits
	}
	return true
}
