package veth

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// Busy reports whether a run is under way on the testbed. A run whose process
// was killed is not, though its page is still there. It looks at the kernel's
// list of locks rather than try the lock, which would be in a run's way.
func (s *State) Busy() bool {
	var lock unix.Stat_t
	if unix.Stat(s.path("lock"), &lock) != nil {
		return false
	}
	locks, err := os.ReadFile("/proc/locks")
	if err != nil {
		return false
	}
	// 1: FLOCK  ADVISORY  WRITE 4711 00:17:42 0 EOF (proc(5))
	file := fmt.Sprintf(" %02x:%02x:%d ", unix.Major(lock.Dev), unix.Minor(lock.Dev), lock.Ino)
	for line := range strings.Lines(string(locks)) {
		if strings.Contains(line, " FLOCK ") && strings.Contains(line, file) {
			return true
		}
	}
	return false
}
