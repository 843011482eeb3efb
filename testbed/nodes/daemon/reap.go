package daemon

import (
	"os"
	"path/filepath"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// reapPlugins puts to rest what plugins have left dead to this process, the first of its
// container: each counts as a task until then. Its own children are root's and have
// others to wait for them.
func reapPlugins() {
	folders, _ := filepath.Glob("/proc/[0-9]*")
	for _, folder := range folders {
		info, err := os.Stat(folder)
		if err != nil || info.Sys().(*syscall.Stat_t).Uid < firstUser {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(folder)); err == nil {
			unix.Wait4(pid, nil, unix.WNOHANG, nil) // refused for other parents' children
		}
	}
}
