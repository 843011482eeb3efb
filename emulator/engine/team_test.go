package engine

import (
	"runtime"
	"testing"
)

// TestLateWakeIsNoWindow: a signal that is held up after it advanced the epoch finds a member parked that has run that
// window already. The member must wait on: if it ran the window again, the count of finished members would overshoot,
// and the engine would wait for ever or go on too soon.
func TestLateWakeIsNoWindow(t *testing.T) {
	team, m := &team{}, &member{wake: make(chan struct{}, 1)}
	team.members = []*member{m}
	team.epoch.Store(1)
	returned := make(chan struct{})
	go func() {
		team.await(m, 1) // window 1 is done
		close(returned)
	}()
	parked := func() {
		for !m.parked.Load() {
			select {
			case <-returned:
				t.Fatal("a late token begins a window")
			default:
				runtime.Gosched()
			}
		}
	}
	parked()
	if !m.parked.CompareAndSwap(true, false) { // the rest of signal for window 1
		t.Fatal("nobody else takes the flag")
	}
	m.wake <- struct{}{}
	parked()
	team.signal()
	<-returned
}
