package lockstep

import (
	"math"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Operations of futex(2), on words shared between processes.
const (
	futexWaitBitset = 9
	futexWakeBitset = 10
	everyone        = 1<<31 - 1
)

func (b *bell) address() uintptr { return uintptr(unsafe.Pointer(&b.Uint32)) }

// wake wakes the waiters on b whose bit is in mask.
func (b *bell) wake(mask uint32) {
	unix.RawSyscall6(unix.SYS_FUTEX, b.address(), futexWakeBitset, everyone, 0, 0, uintptr(mask))
}

// wait sleeps until the bit is woken, unless b has left the value already, or until an instant on CLOCK_MONOTONIC, for
// which there is room in t; forever is one that does not come. It may return early. A short wait holds on to the Go
// processor, which makes a barrier of many processes several times faster; when the runtime wants it back, after some
// 10 ms or for a garbage collection, its signal ends the wait, and a caller that waits on must do so with long set.
func (b *bell) wait(value uint32, bit uint32, until int64, t *unix.Timespec, long bool) (interrupted bool) {
	*t = unix.NsecToTimespec(until)
	timeout := uintptr(unsafe.Pointer(t))
	var e unix.Errno
	if long {
		_, _, e = unix.Syscall6(unix.SYS_FUTEX, b.address(), futexWaitBitset, uintptr(value), timeout, 0, uintptr(bit))
	} else {
		_, _, e = unix.RawSyscall6(unix.SYS_FUTEX, b.address(), futexWaitBitset, uintptr(value), timeout, 0, uintptr(bit))
	}
	return e == unix.EINTR
}

// forever is an instant that does not come. The kernel would restart a wait without any after every signal, for Go's
// handlers ask for that (SA_RESTART in sigaction(2)); one with a time is interrupted (signal(7)).
const forever = math.MaxInt64
