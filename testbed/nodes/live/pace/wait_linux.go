package pace

import (
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// rawWait is the longest wait that holds on to the Go processor. A short one is twice
// as precise when it does; a long one would hold up the garbage collector of the
// other goroutines.
const rawWait = time.Millisecond

// slice is the least time on a core that a thread of normal priority can ask for at a time. A thread with a short
// slice comes before threads with the usual 0.7 to 2.8 ms (Linux 6.12 and above; others ignore it). It does not
// change the shares of threads in the core. Source: sched_setattr(2), EEVDF.
const slice = 100 * time.Microsecond

// Sharpen has the kernel wake the calling thread within a microsecond or so of what
// it asked for, instead of 50 us later, and prefer it to threads of normal priority that take a core for longer at a
// time. The thread must be locked to the goroutine.
func Sharpen() error {
	err := unix.Prctl(unix.PR_SET_TIMERSLACK, 1, 0, 0, 0)
	if attributes, refused := unix.SchedGetAttr(0, 0); refused == nil && attributes.Policy == unix.SCHED_NORMAL {
		attributes.Runtime = uint64(slice)
		unix.SchedSetAttr(0, attributes, 0) // if refused, the slice is the usual one
	}
	return err
}

// Wait sleeps until an instant on CLOCK_MONOTONIC, Never for as long as it takes, or
// until one of the sockets has what its Events ask for. It reports whether one of
// them has. It may return early.
func Wait(until int64, sockets []unix.PollFd) (ready bool) {
	left := max(until-Now(), 0)
	return wait(left, sockets, left <= int64(rawWait))
}

// Keep is Wait that holds on to the Go processor however long it lasts: a signal of the runtime, which wants
// that back after 10 ms, ends it. It is for a thread with real-time priority, which may have to wait
// long for another processor.
func Keep(until int64, sockets []unix.PollFd) (ready bool) {
	return wait(max(until-Now(), 0), sockets, true)
}

func wait(left int64, sockets []unix.PollFd, raw bool) (ready bool) {
	timeout := unix.NsecToTimespec(left)
	first := uintptr(unsafe.Pointer(unsafe.SliceData(sockets)))
	n := uintptr(0)
	if raw {
		n, _, _ = unix.RawSyscall6(unix.SYS_PPOLL, first, uintptr(len(sockets)), uintptr(unsafe.Pointer(&timeout)), 0, 0, 0)
	} else {
		n, _, _ = unix.Syscall6(unix.SYS_PPOLL, first, uintptr(len(sockets)), uintptr(unsafe.Pointer(&timeout)), 0, 0, 0)
	}
	return int(n) > 0
}
