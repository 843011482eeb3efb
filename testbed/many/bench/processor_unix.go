//go:build unix

package bench

import (
	"os"
	"runtime"
	"syscall"
)

// largestSet is the largest resident set of a process that was waited for, in bytes.
func largestSet(state *os.ProcessState) int64 {
	u, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" { // bytes there, KiB elsewhere: getrusage(2)
		return int64(u.Maxrss)
	}
	return int64(u.Maxrss) * 1024
}
