package veth

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// Busy reports whether a run is under way on the testbed. A run whose process
// was killed is not.
func (s *State) Busy() bool { return s.runner() != 0 }

// runner is the process that holds the testbed's lock, 0 for none. It looks at the
// kernel's list of locks rather than try the lock, which would be in a run's way.
func (s *State) runner() (pid int) {
	var lock unix.Stat_t
	if unix.Stat(s.path("lock"), &lock) != nil {
		return 0
	}
	locks, err := os.ReadFile("/proc/locks")
	if err != nil {
		return 0
	}
	// 1: FLOCK  ADVISORY  WRITE 4711 00:17:42 0 EOF (proc(5)); before one that waits: "1: ->".
	file := fmt.Sprintf("%02x:%02x:%d", unix.Major(lock.Dev), unix.Minor(lock.Dev), lock.Ino)
	for line := range strings.Lines(string(locks)) {
		words := strings.Fields(line)
		if len(words) < 6 || words[1] != "FLOCK" || words[5] != file {
			continue
		}
		if pid, err := strconv.Atoi(words[4]); err == nil && pid > 0 {
			return pid
		}
	}
	return 0
}
