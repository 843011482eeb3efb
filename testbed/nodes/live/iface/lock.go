package iface

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// lockOf returns the abstract name at which the holder of an interface listens, in its namespace.
func lockOf(index int) *unix.SockaddrUnix {
	return &unix.SockaddrUnix{Name: fmt.Sprintf("@rocelab-edge-%d", index)}
}

// lock locks an interface of this thread's namespace. A *heldError means that another process has it. The lock lasts
// until the descriptor is closed.
func lock(index int) (fd int, err error) {
	fd, err = unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return -1, err
	}
	if err = unix.Bind(fd, lockOf(index)); err == nil {
		if err = unix.Listen(fd, 1); err == nil {
			return fd, nil
		}
	}
	unix.Close(fd)
	if errors.Is(err, unix.EADDRINUSE) {
		return -1, &heldError{holder(index)}
	}
	return -1, fmt.Errorf("lock it: %w", err)
}

// heldError names the holder of an interface.
type heldError struct{ by string }

func (e *heldError) Error() string { return "is used by " + e.by }

// holder names the process that has an interface, as far as that can be known.
func holder(index int) string {
	const unknown = "another run"
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return unknown
	}
	defer unix.Close(fd)
	if err := unix.Connect(fd, lockOf(index)); err != nil {
		return unknown
	}
	who, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
	switch {
	case err != nil || who.Pid == 0:
		return unknown
	case int(who.Pid) == os.Getpid():
		return "another edge of this run"
	}
	command, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", who.Pid))
	words := strings.ReplaceAll(strings.Trim(string(command), "\x00"), "\x00", " ")
	return fmt.Sprintf("another run, process %d (%s)", who.Pid, words)
}
