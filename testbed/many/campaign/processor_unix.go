//go:build unix

package campaign

import (
	"io/fs"
	"os"
	"syscall"
	"time"
)

// isOwn reports whether a file is this user's, and others cannot write to it.
func isOwn(info fs.FileInfo) bool {
	stat, known := info.Sys().(*syscall.Stat_t)
	return known && int(stat.Uid) == os.Geteuid() && info.Mode().Perm()&0o022 == 0
}

// ProcessorTime returns the processor time of this process so far, of all its threads, in user mode and in the kernel.
func ProcessorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
