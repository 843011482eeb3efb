//go:build linux && !mem

package process_test

import (
	"runtime"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/plugins/process"
)

// A thread that takes turns has one of its processors, the next host's the next
// one; afterwards it has all again.
func TestTakeTurnsBindsToOneProcessor(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	affinity := func() (s unix.CPUSet) {
		if err := unix.SchedGetaffinity(0, &s); err != nil {
			t.Fatal(err)
		}
		return s
	}
	all := affinity()
	var used unix.CPUSet
	for index := range all.Count() {
		back := process.TakeTurns(index)
		got := affinity()
		if got.Count() != 1 {
			t.Errorf("host %d may use %d processors", index, got.Count())
		}
		for cpu := range 1024 {
			if got.IsSet(cpu) {
				used.Set(cpu)
			}
		}
		back()
		if affinity() != all {
			t.Errorf("host %d does not get its processors back", index)
		}
	}
	if used != all {
		t.Error("not all processors are used")
	}
}
