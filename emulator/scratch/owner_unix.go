//go:build unix

package scratch

import (
	"os"
	"syscall"
)

// own reports whether a file is of the user of this process.
func own(info os.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}
