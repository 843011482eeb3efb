package device

import (
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/testbed/nodes/live/device/offload"
)

// batch is the number of frames that Send gathers for one system call.
const batch = 64

// outbox is the frames of a batch, each behind an empty header of offloads, as
// sendmmsg(2) wants them.
type outbox struct {
	room     []byte // batch times stride
	stride   int
	messages [batch]message
	vectors  [batch]unix.Iovec
	n        int
}

// message is struct mmsghdr of sendmmsg(2).
type message struct {
	unix.Msghdr
	sent uint32
}

func (o *outbox) prepare(longest int) {
	o.stride = offload.HeaderLen + longest
	o.room = make([]byte, batch*o.stride)
	for i := range o.messages {
		o.vectors[i].Base = &o.room[i*o.stride]
		o.messages[i].Iov = &o.vectors[i]
		o.messages[i].SetIovlen(1)
	}
}

// Send sends a whole frame, checksums and all, from its Ethernet header on; the caller keeps it. Frames leave when
// there are 64 of them, and at Flush. Frames that cannot be sent are counted by reason and discarded.
func (p *Port) Send(frame []byte) {
	o := &p.out
	if len(frame) > o.stride-offload.HeaderLen {
		p.counters.TooLong++
		return
	}
	n := copy(o.room[o.n*o.stride+offload.HeaderLen:], frame)
	o.vectors[o.n].SetLen(offload.HeaderLen + n)
	o.n++
	if o.n == batch {
		p.Flush()
	}
}

// Flush hands over to the kernel what Send has gathered. It does not block. On a veth pair the
// frames have then reached the other end, or are about to.
func (p *Port) Flush() {
	o := &p.out
	again := false // the frame was refused for an error that was the socket's
	for at := 0; at < o.n; {
		sent, _, errno := unix.RawSyscall6(unix.SYS_SENDMMSG, uintptr(p.fd), uintptr(unsafe.Pointer(&o.messages[at])),
			uintptr(o.n-at), unix.MSG_DONTWAIT, 0, 0)
		switch errno {
		case 0:
			p.counters.Sent += uint64(sent)
			at += int(sent)
			again = false
			if p.state != Up {
				p.Inspect()
			}
		case unix.EINTR:
		case unix.ENOBUFS, unix.EAGAIN, unix.ENOMEM:
			p.counters.NoBuffer++
			at++
		case unix.EMSGSIZE:
			p.counters.TooLong++
			at++
		case unix.ENETDOWN, unix.ENXIO, unix.ENODEV:
			// The first error after the interface came back may be that of before.
			if p.Inspect() <= NoCarrier && !again {
				again = true
				continue
			}
			p.counters.WhileDown += uint64(o.n - at)
			at = o.n
		default:
			p.counters.Refused++
			p.counters.LastRefusal = errno.Error()
			at++
		}
	}
	o.n = 0
}
