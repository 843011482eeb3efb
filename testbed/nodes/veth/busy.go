package veth

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// unknownRunner is the process of a run that cannot be found from here, as in another PID namespace.
const unknownRunner = -1

// Busy reports whether a run is under way on the testbed. A run whose process
// was killed is not.
func (s *State) Busy() bool { return s.runner() != 0 }

// runner returns the process that holds the testbed's lock, 0 for none. It asks the lock itself without taking it,
// which would be in a run's way. The kernel's list of locks is no help: on overlayfs and btrfs it has other devices
// than files have. The process is the one written in the file, and is believed if it has this very file open.
func (s *State) runner() (pid int) {
	lock, err := os.OpenFile(s.path("lock"), os.O_RDONLY|unix.O_NONBLOCK|unix.O_NOFOLLOW, 0)
	if err != nil {
		return 0
	}
	defer lock.Close()
	asked := unix.Flock_t{Type: unix.F_WRLCK}
	if unix.FcntlFlock(lock.Fd(), unix.F_OFD_GETLK, &asked) != nil || asked.Type == unix.F_UNLCK {
		return 0
	}
	const most = 64
	text, err := io.ReadAll(io.LimitReader(lock, most))
	if err != nil {
		return unknownRunner
	}
	descriptor := 0
	if _, err := fmt.Sscanf(string(text), holderFormat, &pid, &descriptor); err != nil || pid <= 0 {
		return unknownRunner
	}
	own, err := lock.Stat()
	if err != nil {
		return unknownRunner
	}
	its, err := os.Stat(fmt.Sprintf("/proc/%d/fd/%d", pid, descriptor))
	if err != nil || !os.SameFile(own, its) {
		return unknownRunner
	}
	return pid
}

// holderFormat is the content of a run's lock: its process and the descriptor of the lock there.
const holderFormat = "process %d, descriptor %d\n"

// hold takes a lock for as long as the file is open, and writes who has it.
func hold(lock *os.File) error {
	if err := unix.FcntlFlock(lock.Fd(), unix.F_OFD_SETLK, &unix.Flock_t{Type: unix.F_WRLCK}); err != nil {
		return err
	}
	if err := lock.Truncate(0); err != nil {
		return err
	}
	_, err := lock.WriteAt(fmt.Appendf(nil, holderFormat, os.Getpid(), lock.Fd()), 0)
	return err
}
