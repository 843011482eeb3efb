//go:build linux && !mem

package ring

import (
	"os"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Bell is a word of the shared page, a futex (futex(2)): one side rings it, the other waits for it. Ringing never
// blocks, for any use of the word by the other side: the kernel does not hold room for it that could be full. Nor does
// a wait last longer than its limit.
type Bell struct{ atomic.Uint32 }

func (b *Bell) address() uintptr { return uintptr(unsafe.Pointer(&b.Uint32)) }

// Operations of futex(2), on words that two processes share.
const (
	futexWait = 0
	futexWake = 1
)

// Ring wakes the other side.
func (b *Bell) Ring() {
	b.Add(1)
	unix.RawSyscall6(unix.SYS_FUTEX, b.address(), futexWake, 1, 0, 0, 0)
}

// briefly is a millisecond.
var briefly = unix.Timespec{Nsec: int64(time.Millisecond)}

// WaitBriefly waits for a ring since the bell read seen, a millisecond at most, and reports whether there was one. The
// raw call holds off Go's collector and keeps its processor, which makes it fast.
func (b *Bell) WaitBriefly(seen uint32) bool {
	_, _, errno := unix.RawSyscall6(unix.SYS_FUTEX, b.address(), futexWait, uintptr(seen),
		uintptr(unsafe.Pointer(&briefly)), 0, 0)
	return errno == 0 || errno == unix.EAGAIN
}

// WaitLong waits for a ring since the bell read seen, for the given time at most. It
// may return early.
func (b *Bell) WaitLong(seen uint32, limit time.Duration) error {
	until := unix.NsecToTimespec(int64(limit))
	_, _, errno := unix.Syscall6(unix.SYS_FUTEX, b.address(), futexWait, uintptr(seen),
		uintptr(unsafe.Pointer(&until)), 0, 0)
	switch errno {
	case 0, unix.EAGAIN, unix.EINTR, unix.ETIMEDOUT:
		return nil
	}
	return os.NewSyscallError("futex", errno)
}
