package bump

import (
	"testing"
	"time"

	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/nodes/live/pace"
)

// A stall of the loop is one late window: the windows that catch up after it inherit its delay.
func TestWindowsAfterAStallAreNotLateAgain(t *testing.T) {
	const ms = int64(time.Millisecond)
	l := &loop{clock: pace.Clock{Dilation: 1}}
	for i := range int64(100) {
		l.note(5*ms, unit.Time(i)*unit.Time(unit.Microsecond))
	}
	if late, _, _ := l.beside.Together(); late != 1 {
		t.Errorf("%d late windows, want 1", late)
	}
	l.awaited = true // the loop slept, and woke late
	l.note(8*ms, unit.Time(7*unit.Millisecond))
	l.note(8*ms, unit.Time(7001*unit.Microsecond))
	if late, _, _ := l.beside.Together(); late != 2 {
		t.Errorf("%d late windows, want 2", late)
	}
}
