package pace

import (
	"runtime"
	"testing"
)

// A wait spins if it is shorter than a sleep costs, and sleeps in any case if it has not for long.
func TestAShortWaitSpins(t *testing.T) {
	n := Nap{Price: 20_000}
	for i, c := range []struct {
		now, until int64
		want       bool
	}{
		{hour, hour + 10_000, false}, // the first wait of all
		{hour + 10_000, hour + 29_999, true},
		{hour + 10_000, hour + 30_000, false},
		{hour + 20_000, hour + 10_000, true}, // past already
		{hour + 51*ms, hour + 51*ms + 10_000, false},
		{hour + 52*ms, hour + 52*ms + 10_000, true},
	} {
		if got := n.Spins(c.now, c.until); got != c.want {
			t.Errorf("wait %d, of %d ns: spins is %t", i, c.until-c.now, got)
		}
	}
	if new(Nap).Spins(hour, hour+1) {
		t.Error("a wait spins though no price is known")
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
		{Never, Never, Never},
	} {
		if until, timer := n.Until(c.instant, hour); until != c.until || timer != c.timer {
			t.Errorf("for %d it wakes at %d by a timer set to %d, want %d and %d", c.instant-hour, until-hour, timer-hour,
				c.until-hour, c.timer-hour)
		}
	}
}

// The price of a sleep is its processor time, not the time that it lasts.
func TestThePriceOfASleepIsMeasured(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var n Nap
	n.Measure()
	if n.Price <= 0 || n.Price > int64(Grain) || n.Late < 0 || n.Late > n.Price {
		t.Errorf("%+v", n)
	}
	before := Now()
	if Spin(before + 10_000); Now() < before+10_000 {
		t.Error("spinning ends early")
	}
}
