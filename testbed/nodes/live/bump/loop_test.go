package bump

import (
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/nodes/live/outside"
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

// silent is an interface without traffic.
type silent struct{}

func (silent) Next() ([]byte, int64, bool) { return nil, 0, false }
func (silent) Release()                    {}
func (silent) Forget()                     {}
func (silent) Send([]byte)                 {}
func (silent) Flush()                      {}

// The bare timer counts instants while windows are run, and none before and after.
func TestTheLoopIsGoingWhileItRunsWindows(t *testing.T) {
	o := options()
	p, err := o.Plan()
	if err != nil {
		t.Fatal(err)
	}
	n, err := newNetwork(p)
	if err != nil {
		t.Fatal(err)
	}
	var ended atomic.Bool
	slept := 0
	l := &loop{network: n, until: unit.Never, clock: pace.Clock{Epoch: pace.Now(), Dilation: 1}}
	l.sleep = func(int64, []unix.PollFd) bool {
		slept++
		if !l.going.Load() {
			t.Error("it sleeps between windows, and is not going")
		}
		ended.Store(true)
		return false
	}
	for i := range l.ports {
		l.ports[i] = outside.NewPort(outside.Setup{Model: n.edges[i], Device: silent{}, Clock: &l.clock, Frames: n.out})
	}
	before := l.going.Load()
	l.run(&ended, func(int64) {})
	if before || l.going.Load() || slept == 0 {
		t.Errorf("going before is %v, and after %v; it slept %d times", before, l.going.Load(), slept)
	}
}
