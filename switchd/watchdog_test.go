package switchd

import (
	"slices"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// storm pauses class 3 of port 1 from 1 us on, the last time at 3001 us: the
// pause runs out at 3336.5392 us. A frame waits from 2 us on.
func storm(t *testing.T, spoil func(*profile.Watchdog)) *bench {
	c := star(2)
	c.Profile.Watchdog.Detect, c.Profile.Watchdog.Restore = 2*unit.Millisecond, 2*unit.Millisecond
	spoil(&c.Profile.Watchdog)
	b := newBench(t, c)
	b.checked = true
	b.arrive(0, 2*us, data(1, 1))
	for i := range 11 {
		b.arrive(1, us+300*us*unit.Time(i), pfc(65535, 3))
	}
	return b
}

// TestWatchdogDrops: the queue is flushed 2 ms after it began to wait, drops
// what comes, and is normal 2 ms after the pause ended.
func TestWatchdogDrops(t *testing.T) {
	b := storm(t, func(*profile.Watchdog) {})
	normal := 5_336_539_200 * unit.Time(unit.Picosecond)
	b.arrive(0, 2002*us-1, data(1, 2)) // waits with the first
	b.arrive(0, 2003*us, data(1, 3))   // dropped on arrival
	b.arrive(0, normal, data(1, 4))    // an arrival comes before a timer
	b.arrive(0, normal+us, data(1, 5))
	b.run(2002*us - 1)
	b.wantDrops(0, fabric.DropWatchdog, 0)
	b.run(2002 * us)
	b.wantDrops(0, fabric.DropWatchdog, 2)
	b.run(9 * ms)
	b.wantDrops(0, fabric.DropWatchdog, 4)
	b.want("5337539200 ps port 1 psn 5 ecn 2")
	if n := b.record(1).Classes.At(3).WatchdogFired; n != 1 {
		t.Errorf("fired %d times", n)
	}
	b.wantStorms(record.BrokenStorm{
		Class:   3,
		At:      2002 * us,
		Until:   normal,
		Flushed: 2,
		Dropped: 2,
	})
}

func (b *bench) wantStorms(want ...record.BrokenStorm) {
	b.Helper()
	if got := b.record(1).Storms; !slices.Equal(got, want) {
		b.Errorf("storms are %+v, want %+v", got, want)
	}
}

// TestWatchdogRestoresAfterXON: an early XON brings the restoration forward.
func TestWatchdogRestoresAfterXON(t *testing.T) {
	b := storm(t, func(*profile.Watchdog) {})
	b.arrive(1, 3100*us, pfc(0, 3))
	b.arrive(0, 5100*us, data(1, 4))
	b.arrive(0, 5101*us, data(1, 5))
	b.run(9 * ms)
	b.want("5101000000 ps port 1 psn 5 ecn 2")
}

// TestWatchdogWaitsForLongPauses: a pause that is in force when Restore has
// passed since the storm was broken keeps the queue freed.
func TestWatchdogWaitsForLongPauses(t *testing.T) {
	b := storm(t, func(*profile.Watchdog) {})
	for i := range 5 {
		b.arrive(1, 3002*us+300*us*unit.Time(i), pfc(65535, 3)) // the last runs out at 4537.5392 us
	}
	b.arrive(0, 4100*us, data(1, 2)) // Restore after the storm was broken is 4002 us
	b.arrive(0, 6537*us, data(1, 3))
	b.arrive(0, 6538*us, data(1, 4))
	b.run(9 * ms)
	b.want("6538000000 ps port 1 psn 4 ecn 2")
}

func TestWatchdogForwards(t *testing.T) {
	b := storm(t, func(w *profile.Watchdog) { w.Drop = false })
	b.arrive(0, 2003*us, data(1, 3))
	b.run(9 * ms)
	b.want(`2002000000 ps port 1 psn 1 ecn 2
		2003000000 ps port 1 psn 3 ecn 2`)
	b.wantStorms(record.BrokenStorm{Class: 3, At: 2002 * us, Until: 5_336_539_200})
}

// TestWatchdogTwice: a second storm is another one, and one that lasts has no
// end yet.
func TestWatchdogTwice(t *testing.T) {
	b := storm(t, func(*profile.Watchdog) {})
	for i := range 11 {
		b.arrive(1, 6000*us+300*us*unit.Time(i), pfc(65535, 3))
	}
	b.arrive(0, 6001*us, data(1, 2))
	b.arrive(0, 8002*us, data(1, 3))
	b.run(3 * ms)
	before := b.record(1).Storms
	b.run(9 * ms)
	if before[0].Until != unit.Never {
		t.Error("a record that was taken changes")
	}
	b.wantStorms(record.BrokenStorm{Class: 3, At: 2002 * us, Until: 5_336_539_200, Flushed: 1},
		record.BrokenStorm{
			Class:   3,
			At:      8001 * us,
			Until:   unit.Never,
			Flushed: 1,
			Dropped: 1,
		})
}

func TestWatchdogOff(t *testing.T) {
	b := storm(t, func(w *profile.Watchdog) { w.Enabled = false })
	b.run(9 * ms)
	b.want("3336539200 ps port 1 psn 1 ecn 2")
}

// TestWatchdogIsRestarted: the watchdog is restarted by every resume: pauses of 1.9 ms with gaps are not a storm.
func TestWatchdogIsRestarted(t *testing.T) {
	c := star(2)
	c.Profile.Watchdog.Detect = 2 * unit.Millisecond
	b := newBench(t, c)
	for i := range 20 {
		at := unit.Time(i) * 300 * us
		b.arrive(1, at+2*us, pfc(65535, 3))
		b.arrive(0, at+3*us, data(1, uint32(i)))
		if i%6 == 5 {
			b.arrive(1, at+200*us, pfc(0, 3))
		}
	}
	b.run(20 * ms)
	if n := b.record(1).Classes.At(3).WatchdogFired; n != 0 || len(b.sent) != 20 {
		t.Errorf("fired %d times, %d sent", n, len(b.sent))
	}
}
