package veth

import (
	"os"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/testbed/nodes/daemon"
	"github.com/rocelab/rocelab/testbed/nodes/live/realtime"
)

// A daemon can only name a thread of its own: the kernel names the process.
func TestAThreadOfAnotherProcessIsNotRaised(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	r := standing(t)
	r.raised = make([]bool, len(r.participants))
	for _, sender := range []int{os.Getppid(), 0} {
		r.guard = realtime.NewGuard()
		r.raise(&answer{sender: sender, result: &daemon.Result{Thread: unix.Gettid()}})
		got := r.endGuard()
		if len(got) != 1 || got[0].Given || !strings.Contains(got[0].Lost, "was not found") ||
			got[0].Participant != r.participantName(&r.participants[0]) {
			t.Errorf("sender %d: %+v", sender, got)
		}
		if !r.raised[0] || r.guard != nil {
			t.Errorf("raised %v, guard %v", r.raised, r.guard)
		}
	}
}

// Real-time priority goes with a clock.
func TestPriorityWithoutAClockIsRefused(t *testing.T) {
	r := standing(t)
	r.options.Realtime = true
	if err := r.beginGuard(); err == nil || !strings.Contains(err.Error(), "clock on the wall") || r.guard != nil {
		t.Errorf("%v", err)
	}
	r.options.Dilation = 1
	if err := r.beginGuard(); err != nil || r.guard == nil {
		t.Skip(err) // one core
	}
	r.endGuard()
}
