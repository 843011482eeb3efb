package cctest

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/plugins/cc"
)

// MostWakeUps is how many wake-ups an algorithm may ask for between two events from outside: in a
// command of a script, or in a call of Timers. It is far more than anyone reads of a transcript, which has a
// line for each. An algorithm that asks again for what it was just woken for, or for very little more, would
// else hang its test.
const MostWakeUps = 10_000

// wakeUps counts the wake-ups of an algorithm between two events from outside.
type wakeUps struct {
	of string // the algorithm's name
	n  int
}

// answered counts a wake-up that the algorithm answered with the decision. The error names an algorithm whose
// wake-ups do not end, and the event. As at a NIC, the answer to a timer must ask for a later one.
func (w *wakeUps) answered(event *cc.Event, decision *cc.Decision) error {
	kind := eventNames[event.Kind]
	if at := decision.WakeAt; event.Kind == cc.EventTimer && at != 0 && at <= event.Now {
		return fmt.Errorf("%s: the %s event at %v is answered with a timer at %v, allowed is later: time would stand still",
			w.of, kind, event.Now, at)
	}
	if w.n++; w.n >= MostWakeUps {
		return fmt.Errorf("%s: the %s event at %v, %d B sent, is the %dth wake-up in a row, allowed are fewer: "+
			"the next is asked for at %v, %d B", w.of, kind, event.Now, event.Sent, w.n, decision.WakeAt, decision.WakeBytes)
	}
	return nil
}

// wake has the algorithm handle a wake-up that it asked for.
func (r *replay) wake(now unit.Time, kind cc.EventKind) error {
	r.handle(now, kind)
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
		sender.Handle(&event, decision)
		if err := count.answered(&event, decision); err != nil {
			t.Fatalf("%v", err)
		}
	}
}
