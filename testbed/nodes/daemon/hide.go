package daemon

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// hide makes this process opaque to all others without CAP_SYS_PTRACE: its memory, its descriptors, its threads
// (PR_SET_DUMPABLE in prctl(2), ptrace(2), proc(5), pidfd_getfd(2)). An execve undoes it, so a daemon does this first.
func hide() {
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		fmt.Fprintln(os.Stderr, "hide from other processes:", err)
		os.Exit(1)
	}
}

// firstUser is the lowest user ID of plugins. From here on systemd and the
// distributions leave all IDs unused.
//
// Source: systemd, docs/UIDS-GIDS.md, "1879048192...2147483647".
const firstUser = 1_879_048_192

// user is the ID of a user for the daemon's plugin of that number: no other plugin
// in the container has the same, whichever daemon started it.
func user(plugin int) uint32 {
	const most = 1000 // plugins of one daemon
	return uint32(firstUser + os.Getpid()*most + plugin%most)
}
