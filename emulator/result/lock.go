//go:build linux || darwin

package result

import (
	"os"
	"syscall"
)

// tryLock takes the lock of a file until it is closed, and reports whether it has it.
func tryLock(file *os.File) bool {
	return syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}
