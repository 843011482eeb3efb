//go:build unix

package campaign

import (
	"syscall"
	"time"
)

// ProcessorTime returns the processor time of this process so far, of all its threads, in user mode and in the kernel.
func ProcessorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
