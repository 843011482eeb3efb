package nap

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/rocelab/rocelab/testbed/nodes/live/pace"
)

const (
	ms   = int64(time.Millisecond)
	hour = int64(time.Hour)
)

// A wait spins if it is shorter than a sleep costs, and sleeps in any case if it has not for long.
func TestAShortWaitSpins(t *testing.T) {
	n := Nap{Price: 20_000}
	for _, c := range []struct {
		name       string
		now, until int64
		want       bool
	}{
		{"the first wait of all", hour, hour + 10_000, false},
		{"a short one", hour + 10_000, hour + 29_999, true},
		{"one of the price", hour + 10_000, hour + 30_000, false},
		{"one that is past", hour + 20_000, hour + 10_000, true},
		{"a short one, long after a sleep", hour + 51*ms, hour + 51*ms + 10_000, false},
		{"the next", hour + 52*ms, hour + 52*ms + 10_000, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			timer := c.until - 15_000
			got, asleep := n.Spins(c.now, c.until, timer)
			if got != c.want {
				t.Errorf("%s, of %d ns: spins is %t", c.name, c.until-c.now, got)
			}
			if !got && (asleep <= c.now || asleep != max(timer, c.now+1000)) {
				t.Errorf("it sleeps until %d ns from now", asleep-c.now)
			}
		})
	}
	if spins, _ := new(Nap).Spins(hour, hour+1, hour+1); spins {
		t.Error("a wait spins though the price is not known")
	}
}

// A wake-up is a grain after the last one at least. Only one that is farther off has its timer set ahead.
func TestWakeUpsAreAGrainApart(t *testing.T) {
	n, grain := Nap{Late: 30_000}, int64(Grain)
	for _, c := range []struct{ instant, until, timer int64 }{
		{hour - ms, hour + grain, hour + grain},
		{hour + 1, hour + grain, hour + grain},
		{hour + grain, hour + grain, hour + grain},
		{hour + 2*grain, hour + 2*grain, hour + 2*grain - 30_000},
		{pace.Never, pace.Never, pace.Never},
	} {
		t.Run(fmt.Sprintf("%v after the last", time.Duration(c.instant-hour)), func(t *testing.T) {
			if until, timer := n.Until(c.instant, hour); until != c.until || timer != c.timer {
				t.Errorf("for %d it wakes at %d by a timer set to %d, want %d and %d", c.instant-hour, until-hour, timer-hour,
					c.until-hour, c.timer-hour)
			}
		})
	}
}

// The price of a sleep is its processor time, at most a grain, and it is not late by more than its price.
func TestThePriceOfASleepIsMeasured(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var n Nap
	n.Measure()
	if n.Price <= 0 || n.Price > int64(Grain) || n.Late < 0 || n.Late > n.Price {
		t.Errorf("%+v", n)
	}
	before := pace.Now()
	if Spin(before+10_000, nil); pace.Now() < before+10_000 {
		t.Error("spinning ends early")
	}
	if Spin(before+hour, func() bool { return true }); pace.Now() > before+hour {
		t.Error("spinning goes on though the wait is over")
	}
}
