package hosting

import (
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc"
)

// Only the wake-up that fired is taken back, by the event that it came as.
func TestClear(t *testing.T) {
	for _, c := range []struct {
		kind  cc.EventKind
		fired int64
		want  cc.Decision
	}{
		{cc.EventTimer, 5, cc.Decision{WakeBytes: 7}},
		{cc.EventTimer, 6, cc.Decision{WakeAt: 5, WakeBytes: 7}},
		{cc.EventSent, 7, cc.Decision{WakeAt: 5}},
		{cc.EventSent, 5, cc.Decision{WakeAt: 5, WakeBytes: 7}},
		{cc.EventAck, 5, cc.Decision{WakeAt: 5, WakeBytes: 7}},
	} {
		t.Run(fmt.Sprintf("kind=%v,fired=%v", c.kind, c.fired), func(t *testing.T) {
			d := cc.Decision{WakeAt: 5, WakeBytes: 7}
			if Clear(&d, c.kind, c.fired); d != c.want {
				t.Errorf("%v, fired %d: %+v, want %+v", c.kind, c.fired, d, c.want)
			}
		})
	}
}

func TestEventNames(t *testing.T) {
	if cc.EventStart.String() != "start" || cc.EventTimer.String() != "timer" || cc.EventKind(99).String() != "unknown" {
		t.Error(cc.EventStart, cc.EventTimer, cc.EventKind(99))
	}
}
