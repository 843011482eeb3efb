package container

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/specs/tier"
)

// A set-up that is stopped from outside ends with a message about it, and nothing stays.
func TestStoppedSetUp(t *testing.T) {
	tier.Everyday(t)
	limit := startLimit
	startLimit = 500 * time.Millisecond
	t.Cleanup(func() { startLimit = limit })
	each(t, func(t *testing.T, r Runtime) {
		if r.Name() == Runc {
			tier.Slow(t) // it is given some seconds to end
		}
		before := traces(t)
		for range 50 { // a set-up takes a moment, in which it has to be met
			s := fixture(t, "sleep")
			met := make(chan bool)
			go func() { met <- stopFirst(s.ID) }()
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			c, err := r.Start(ctx, s)
			cancel()
			if !<-met {
				t.Fatalf("nobody was in a cgroup of %s, and Start said %v", s.ID, err)
			}
			if err != nil {
				if !strings.Contains(err.Error(), "set-up has not ended after 500ms") {
					t.Error(err)
				}
				sameTraces(t, before)
				return
			}
			takeDown(t, s, []Container{c})
		}
		t.Error("no set-up could be stopped")
	})
}

// stopFirst stops the first process that is found in a cgroup of that container.
func stopFirst(id string) bool {
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); {
		all, _ := processes()
		for _, pid := range all {
			groups, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cgroup", pid))
			if pid != os.Getpid() && strings.Contains(string(groups), cgroupName(id)) {
				return unix.Kill(pid, unix.SIGSTOP) == nil
			}
		}
	}
	return false
}
