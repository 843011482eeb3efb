//go:build unix

package bench

import (
	"syscall"
	"time"
)

// processorTime returns the processor time of this process so far, of all its
// threads, in user mode and in the kernel.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
