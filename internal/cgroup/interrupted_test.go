//go:build linux

package cgroup

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync/atomic"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/specs/tier"
)

// Signals come at any time: the Go runtime sends them to its own threads. In version 1 one that waits ends the write
// of a memory limit with EINTR, which is then done again. Tier: everyday, as root, a second.
func TestALimitIsWrittenUnderSignals(t *testing.T) {
	tier.Root(t, "a cgroup")
	trees, err := Read("/")
	if err != nil {
		t.Fatal(err)
	}
	f, err := At(trees, "rocelab@interrupted-"+strconv.Itoa(os.Getpid()))
	if err != nil {
		t.Skip(err)
	}
	if err := f.Make(Limits{Memory: 1 << 30, Tasks: 5}); err != nil {
		t.Skip(err)
	}
	defer func() {
		if err := f.Remove(); err != nil {
			t.Error(err)
		}
	}()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var done atomic.Bool
	ended := make(chan struct{})
	go func(thread int) {
		defer close(ended)
		for !done.Load() {
			_ = unix.Tgkill(os.Getpid(), thread, unix.SIGURG)
		}
	}(unix.Gettid())
	for i := range 3000 {
		if err := Write(f.memory.memoryLimit(), strconv.Itoa(1<<30-i<<12)); err != nil {
			t.Errorf("%s, write %d: %v", filepath.Base(f.memory.memoryLimit()), i, err)
			break
		}
	}
	done.Store(true)
	<-ended
}
