package pace_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/nodes/live/pace"
)

func TestModelTimeIsDueAtItsTimeOnTheWall(t *testing.T) {
	const epoch = 5_000_000_000
	for _, c := range []struct {
		dilation int64
		model    unit.Time
		wall     int64
	}{
		{1, 0, epoch},
		{1, 1, epoch + 1}, // a picosecond rounds up to a nanosecond
		{1, 1000, epoch + 1},
		{1, 1001, epoch + 2},
		{10, 1, epoch + 1},
		{1000, 1, epoch + 1},
		{1000, 7, epoch + 7},
		{1, unit.Time(10_000 * unit.Second), epoch + 10_000_000_000_000},
		{1_000_000, unit.Time(9_000 * unit.Second), epoch + 9_000_000_000_000_000_000},
		{1_000_000, unit.Time(10_000 * unit.Second), pace.Never}, // 316 years
		{1, unit.Never, pace.Never},
	} {
		if got := (pace.Clock{Epoch: epoch, Dilation: c.dilation}).Wall(c.model); got != c.wall {
			t.Errorf("K = %d: %d ps is due at %d, want %d", c.dilation, c.model, got, c.wall)
		}
	}
}

// Wall(t) <= w exactly if t <= Model(w): nothing is early, and an instant is seen to be due at that very nanosecond.
func TestTheTwoDirectionsOfAClockAgree(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200_000 {
		clock := pace.Clock{Epoch: random.Int64N(1 << 50), Dilation: 1 + random.Int64N(1_000_000)>>random.IntN(20)}
		at := unit.Time(random.Int64N(int64(8_000*unit.Second)) >> random.IntN(60))
		wall := clock.Wall(at)
		if clock.Model(wall) < at || clock.Model(wall-1) >= at {
			t.Fatalf("%+v: %d ps is due at %d, where model time is %d, and %d one nanosecond before",
				clock, at, wall, clock.Model(wall), clock.Model(wall-1))
		}
		wall = random.Int64N(1 << 51)
		if m := clock.Model(wall); clock.Wall(m) > wall || clock.Wall(m+1) <= wall {
			t.Fatalf("%+v: at %d model time is %d ps, which is due at %d; the next at %d",
				clock, wall, m, clock.Wall(m), clock.Wall(m+1))
		}
	}
}

func TestAStandstillMovesTheEpochByWhatItTook(t *testing.T) {
	const ms = 1_000_000
	var drift pace.Drift
	for i, c := range []struct{ lag, move, after int64 }{
		{-5 * ms, 0, 0},
		{60 * ms, 0, 60 * ms},   // a lag that grows is made up for
		{150 * ms, 0, 150 * ms}, // however large it becomes step by step
		{250 * ms, 0, 250 * ms},
		{351 * ms, 101 * ms, 250 * ms},
		{1250 * ms, 1000 * ms, 250 * ms},
		{240 * ms, 0, 240 * ms},
		{0, 0, 0},
		{100*ms + 1, 100*ms + 1, 0},
	} {
		if move, _ := drift.Begin(c.lag, false); move != c.move || drift.Lag != c.after {
			t.Errorf("window %d, %d ns late: the epoch moves by %d and the lag is %d, want %d and %d",
				i, c.lag, move, drift.Lag, c.move, c.after)
		}
	}
	if drift.Lags.Count() != 9 || drift.Lags.Max() != 1250*ms {
		t.Errorf("%d lags are counted, at most %v; want 9 and all that the standstill was behind", drift.Lags.Count(),
			time.Duration(drift.Lags.Max()))
	}
}

// A window that begins late only because the one before it did has no delay of its own.
func TestAWindowsOwnDelay(t *testing.T) {
	const us = 1000
	var drift pace.Drift
	own := func(lag int64, awaited bool, want int64) {
		t.Helper()
		if _, got := drift.Begin(lag, awaited); got != want {
			t.Errorf("%d ns late, awaited %v: its own delay is %d, want %d", lag, awaited, got, want)
		}
	}
	own(5000*us, true, 5000*us) // it woke late
	own(4999*us, false, -1*us)  // and the next ones catch up
	own(4998*us, false, -1*us)
	own(5300*us, false, 302*us) // the one before it took long
	own(240*us, true, 240*us)   // the lag is made up for, and this one woke late again
	own(-5*us, true, -5*us)
	own(9*us, false, 9*us)
	own(200_009*us, false, 200_000*us) // a standstill: the lag stays as it was
	own(10*us, false, 1*us)
}
