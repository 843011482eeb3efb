package cctest

import (
	"fmt"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// MostWakeUps is the number of wake-ups that an algorithm may ask for between two events from outside: in a command of
// a script, or in a call of Timers. It is far more than anyone reads of a transcript, which has a line for each. An
// algorithm that asks again for the time of its last wake-up, or for very little more, would else hang its test.
const MostWakeUps = 10_000

// wakeUps counts the wake-ups of an algorithm between two events from outside.
type wakeUps struct {
	of string // the algorithm's name
	n  int
}

// Check returns the fault of the decision that answers an event, nil for none. before is the decision that the event
// found. Besides faults that end a run (see hosting.CheckDecision), a deadline before the present is wrong, of a timer
// or of the byte counter: a NIC would serve it at once, but an algorithm that asks for it has lost count, such as by a
// sum that wrapped.
func Check(event *cc.Event, before, decision *cc.Decision) error {
	err := hosting.CheckDecision(decision, before, event.Kind, event.Now)
	switch {
	case err != nil:
	case decision.WakeAt != 0 && decision.WakeAt < event.Now:
		err = fmt.Errorf("next timer at %v, allowed is now or later", decision.WakeAt)
	case decision.WakeBytes != 0 && decision.WakeBytes <= event.Sent:
		err = fmt.Errorf("next wake-up at %d B of %d B sent, allowed is later", decision.WakeBytes, event.Sent)
	}
	if err != nil {
		return fmt.Errorf("the %s event at %v is answered with %w", eventNames[event.Kind], event.Now, err)
	}
	return nil
}

// answered counts a wake-up that the algorithm answered with the decision. The error names an algorithm whose
// wake-ups do not end, and the event.
func (w *wakeUps) answered(event *cc.Event, decision *cc.Decision) error {
	kind := eventNames[event.Kind]
	if w.n++; w.n >= MostWakeUps {
		return fmt.Errorf("%s: the %s event at %v, %d B sent, is the %dth wake-up in a row, allowed are fewer: "+
			"the next is asked for at %v, %d B", w.of, kind, event.Now, event.Sent, w.n, decision.WakeAt, decision.WakeBytes)
	}
	return nil
}

// wake has the algorithm handle a wake-up that it asked for.
func (r *replay) wake(now unit.Time, kind cc.EventKind) error {
	if err := r.handle(now, kind); err != nil {
		return err
	}
	return r.wakeUps.answered(&r.event, &r.decision)
}

func (r *replay) timers(until unit.Time) error {
	for r.decision.WakeAt != 0 && r.decision.WakeAt <= until {
		at := max(r.decision.WakeAt, r.event.Now)
		r.decision.WakeAt = 0
		if err := r.wake(at, cc.EventTimer); err != nil {
			return err
		}
	}
	return nil
}

// Test is a *testing.T, a *testing.B or what ginkgo.GinkgoT returns.
type Test interface {
	Helper()
	Fatalf(format string, args ...any)
}

// Timers has a sender handle the timers that its decision asks for up to and including an instant, for
// a test that plays the NIC itself. They carry what event does, but for kind and time. MostWakeUps of them,
// or one that is not later than the one before, end the test.
func Timers(t Test, sender cc.Sender, decision *cc.Decision, event cc.Event, until unit.Time) {
	t.Helper()
	count := wakeUps{of: fmt.Sprintf("%T", sender)}
	for decision.WakeAt != 0 && decision.WakeAt <= until {
		event.Kind, event.Now, decision.WakeAt = cc.EventTimer, decision.WakeAt, 0
		before := *decision
		sender.Handle(&event, decision)
		err := Check(&event, &before, decision)
		if err == nil {
			err = count.answered(&event, decision)
		}
		if err != nil {
			t.Fatalf("%T: %v", sender, err)
		}
	}
}
