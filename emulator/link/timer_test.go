package link

import (
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// A timer asks for an event if none comes early enough, and only then.
func TestTimerLeavesEventsBehind(t *testing.T) {
	var timer Timer
	arm := func(at unit.Time, want bool) {
		t.Helper()
		if got := timer.Arm(at); got != want {
			t.Errorf("armed for %d: schedule %t, want %t", at, got, want)
		}
		if timer.Pending() != (at != unit.Never) {
			t.Errorf("armed for %d: pending %t", at, timer.Pending())
		}
	}
	fire := func(at unit.Time, want bool) {
		t.Helper()
		if got := timer.Fired(at); got != want {
			t.Errorf("event at %d: fired %t, want %t", at, got, want)
		}
		if want && timer.Pending() {
			t.Errorf("event at %d: fired and still pending", at)
		}
	}
	fire(0, false) // none is pending
	arm(100, true)
	arm(200, false) // later: the event at 100 is left
	arm(100, false) // there is one already
	arm(50, true)   // earlier: a second event
	fire(50, true)
	fire(50, false)  // it is taken
	fire(100, false) // the first comes to nothing
	arm(300, true)
	fire(200, false)
	fire(300, true)
	arm(0, true) // the beginning of a run is an instant like any other
	arm(0, false)
	fire(0, true)
	arm(unit.Never, false) // an event that never comes is none
}

// A deadline that was moved later arms itself again when its event comes, and
// one that was cleared does not.
func TestDeadlineArmsItselfAgain(t *testing.T) {
	type answer struct{ due, schedule bool }
	var d Deadline
	set := func(at unit.Time, want bool) {
		t.Helper()
		if got := d.Set(at); got != want || d.At() != at || !d.Pending() {
			t.Errorf("set to %d: schedule %t, want %t; pending %t at %d", at, got, want, d.Pending(), d.At())
		}
	}
	reach := func(at unit.Time, want answer) {
		t.Helper()
		var got answer
		if got.due, got.schedule = d.Reached(at); got != want {
			t.Errorf("event at %d: %+v, want %+v", at, got, want)
		}
	}
	set(100, true)
	set(250, false)
	reach(100, answer{schedule: true}) // came early
	if d.At() != 250 {
		t.Errorf("deadline at %d, want 250", d.At())
	}
	set(300, false)
	set(200, true)
	reach(200, answer{due: true})
	if d.Pending() || d.At() != 0 {
		t.Errorf("pending at %d after it was due", d.At())
	}
	reach(250, answer{}) // an event left behind
	set(400, true)
	d.Clear()
	set(500, false) // the event at 400 is still there
	d.Clear()
	reach(400, answer{})
	set(600, true)
	reach(600, answer{due: true})
}
