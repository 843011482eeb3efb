package veth

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/nodes/live/realtime"
)

// beginGuard begins to guard threads with real-time priority, if there are to be any.
func (r *run) beginGuard() error {
	if !r.options.Realtime {
		return nil
	}
	if r.options.Dilation == 0 {
		return errors.New("real-time priority is for runs that are held to the clock on the wall")
	}
	if err := realtime.Check(); err != nil {
		return err
	}
	r.guard, r.raised = realtime.NewGuard(), make([]bool, len(r.participants))
	return nil
}

// namesThread reports whether an answer names the thread of the windows.
func (a *answer) namesThread() bool { return a.err == nil && a.result.Thread != 0 }

// raise gives the thread that an answer names real-time priority. The kernel names its process: a daemon can only name
// a thread of its own.
func (r *run) raise(a *answer) {
	r.raised[a.participant] = true
	name := r.participantName(&r.participants[a.participant])
	tid, err := realtime.Find(a.sender, a.result.Thread)
	if err != nil {
		r.guard.Miss(name, fmt.Errorf("its thread was not found: %w", err))
		return
	}
	r.guard.Raise(name, a.sender, tid)
}

// endGuard takes the class from all threads, once, and returns the record of each, in the order of names.
func (r *run) endGuard() (list []result.Priority) {
	if r.guard != nil {
		list = r.guard.End()
		r.guard = nil
	}
	slices.SortFunc(list, func(a, b result.Priority) int { return strings.Compare(a.Participant, b.Participant) })
	return list
}
