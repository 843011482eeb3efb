package cc

import "testing"

// Only the wake-up that fired is taken back, by the event that it came as.
func TestClear(t *testing.T) {
	for _, c := range []struct {
		kind  EventKind
		fired int64
		want  Decision
	}{
		{EventTimer, 5, Decision{WakeBytes: 7}},
		{EventTimer, 6, Decision{WakeAt: 5, WakeBytes: 7}},
		{EventSent, 7, Decision{WakeAt: 5}},
		{EventSent, 5, Decision{WakeAt: 5, WakeBytes: 7}},
		{EventAck, 5, Decision{WakeAt: 5, WakeBytes: 7}},
	} {
		d := Decision{WakeAt: 5, WakeBytes: 7}
		if d.Clear(c.kind, c.fired); d != c.want {
			t.Errorf("%v, fired %d: %+v, want %+v", c.kind, c.fired, d, c.want)
		}
	}
}

func TestEventNames(t *testing.T) {
	if EventStart.String() != "start" || EventTimer.String() != "timer" || EventKind(99).String() != "unknown" {
		t.Error(EventStart, EventTimer, EventKind(99))
	}
}
