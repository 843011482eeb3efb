//go:build linux && !mem

package process

import (
	"fmt"
	"os"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// bell is an eventfd: one side rings it, the other waits for it.
type bell struct{ fd int }

func newBell() (bell, error) {
	fd, err := unix.Eventfd(0, unix.EFD_CLOEXEC)
	if err != nil {
		return bell{-1}, fmt.Errorf("create an eventfd: %w", err)
	}
	return bell{fd}, nil
}

// ring wakes the other side. It is a raw system call: it never blocks, since
// the count is never read and does not reach its limit in the life of a machine.
func (b bell) ring() {
	one := uint64(1)
	for {
		_, _, errno := unix.RawSyscall(unix.SYS_WRITE, uintptr(b.fd), uintptr(unsafe.Pointer(&one)), 8)
		if errno != unix.EINTR {
			return
		}
	}
}

// waiter waits for a bell, and possibly for the end of a process.
type waiter struct{ epoll int }

// newWaiter watches b and, if it is not negative, a pidfd.
func newWaiter(rung bell, pidfd int) (waiter, error) {
	fd, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return waiter{-1}, fmt.Errorf("create an epoll instance: %w", err)
	}
	// Edge-triggered: each ring of the bell is reported once and need not be read.
	err = unix.EpollCtl(fd, unix.EPOLL_CTL_ADD, rung.fd,
		&unix.EpollEvent{Events: unix.EPOLLIN | unix.EPOLLET, Fd: int32(rung.fd)})
	if err == nil && pidfd >= 0 {
		err = unix.EpollCtl(fd, unix.EPOLL_CTL_ADD, pidfd, &unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(pidfd)})
	}
	if err != nil {
		unix.Close(fd)
		return waiter{-1}, fmt.Errorf("watch an eventfd: %w", err)
	}
	return waiter{fd}, nil
}

// waitBriefly waits for a ring, a millisecond at most, and reports whether there was
// one. See the package's section on ways across: the raw call holds off Go's
// collector and keeps its processor, which is what makes it fast.
func (w waiter) waitBriefly() bool {
	var events [2]unix.EpollEvent
	n, _, errno := unix.RawSyscall6(unix.SYS_EPOLL_PWAIT, uintptr(w.epoll), uintptr(unsafe.Pointer(&events[0])),
		uintptr(len(events)), 1, 0, 0)
	return errno == 0 && n > 0
}

// waitLong waits for a ring or the end of the process, for the given time at most;
// a negative time means for ever.
func (w waiter) waitLong(limit time.Duration) error {
	var events [2]unix.EpollEvent
	ms := -1
	if limit >= 0 {
		ms = int(limit / time.Millisecond)
	}
	if _, err := unix.EpollWait(w.epoll, events[:], ms); err != nil && err != unix.EINTR {
		return os.NewSyscallError("epoll_wait", err)
	}
	return nil
}
