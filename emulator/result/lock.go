//go:build linux || darwin

package result

import (
	"errors"
	"os"
	"syscall"
)

// TryLock takes the lock of a file until it is closed. Its error is ErrLocked where another has
// it, and any other where files cannot be locked.
func TryLock(file *os.File) error {
	err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return ErrLocked
	}
	return err
}
