// Package nap decides when a loop of windows wakes, and whether it sleeps or spins until then.
//
// On a virtual machine a sleep of some microseconds takes tens of microseconds of the processor, for the timer and for
// the way back to the thread, and ends as late. So a loop wakes seldom, does together what became due meanwhile, and
// spins if that takes less of the processor than a sleep.
package nap

import (
	"time"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/testbed/nodes/live/pace"
)

// Grain is the least time between two wake-ups by a timer: what becomes due within it is late by that much at most. It
// is half of the least latency that an edge's link may have on the wall, so no frame leaves later for a window that
// began so late.
const Grain = 50 * time.Microsecond

const (
	// naps is the number of sleeps that are measured.
	naps = 16
	// restful is the longest time without a sleep: a guard takes real-time priority away from a thread that does not
	// sleep for half a second.
	restful = 50 * time.Millisecond
)

// Nap has the costs of a thread's sleeps. Its zero value always sleeps.
type Nap struct {
	// Price is the processor time of a sleep, Late the least delay of its end. Unit: ns. Range: 0 to Grain.
	Price, Late int64

	slept int64
}

// Measure measures sleeps of a Grain by the calling thread.
func (n *Nap) Measure() {
	before, late := threadTime(), int64(Grain)
	for range naps {
		until := pace.Now() + int64(Grain)
		pace.Keep(until, nil)
		late = min(late, max(0, pace.Now()-until)) // one that a signal ends counts as exact
	}
	n.Price = min(max(0, threadTime()-before)/naps, int64(Grain))
	n.Late = min(late, n.Price)
}

// Until returns when to wake for an instant: not before a Grain has passed since the last time. The timer of a sleep is
// to be set to timer. While wake-ups follow each other that is the same; for an instant that is farther off it is set
// ahead by what sleeps are late at least. Spin keeps the processor for the rest of a sleep that ends before.
func (n *Nap) Until(instant, woken int64) (until, timer int64) {
	if least := woken + int64(Grain); instant <= least {
		return least, least
	}
	if instant == pace.Never {
		return instant, instant
	}
	return instant, instant - n.Late
}

// Spins reports whether to spin until an instant, now. If not, the timer of the sleep is set to asleep, which is timer
// or later: a sleep whose timer has passed would be none.
func (n *Nap) Spins(now, until, timer int64) (spins bool, asleep int64) {
	if until-now < n.Price && now-n.slept < int64(restful) {
		return true, timer
	}
	n.slept = now
	return false, max(timer, now+int64(time.Microsecond))
}

// Spin keeps the processor until an instant, or until over, if it is not nil, reports that the wait is over.
func Spin(until int64, over func() bool) {
	for pace.Now() < until && (over == nil || !over()) {
	}
}

// threadTime returns the processor time of the calling thread, in nanoseconds.
func threadTime() int64 {
	var t unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t)
	return t.Nano()
}
