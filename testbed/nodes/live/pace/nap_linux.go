package pace

import (
	"time"

	"golang.org/x/sys/unix"
)

const (
	// naps is the number of sleeps by which their price is measured.
	naps = 16
	// restful is the longest time without a sleep: a guard of real-time priority takes that away from a thread that does
	// not sleep for half a second.
	restful = 50 * time.Millisecond
)

// Nap decides whether a thread sleeps or spins until an instant. On a virtual machine a sleep of some microseconds takes
// tens of microseconds of the processor, for the timer and for the way back to the thread; spinning for less takes less
// of it, and ends in time. Its zero value always sleeps.
type Nap struct {
	// Price is the processor time that a sleep takes, Late the least time by which one ends after its instant. Unit: ns.
	// Range: 0 to Grain.
	Price, Late int64

	slept int64
}

// Measure sets both to those of sleeps of a Grain by the calling thread.
func (n *Nap) Measure() {
	before, late := threadTime(), int64(Grain)
	for range naps {
		until := Now() + int64(Grain)
		Keep(until, nil)
		late = min(late, max(0, Now()-until)) // one that a signal ends counts as exact
	}
	n.Price = min(max(0, threadTime()-before)/naps, int64(Grain))
	n.Late = min(late, n.Price)
}

// Until returns when to wake for an instant: not before a Grain has passed since the last time. Of a sleep the timer is
// set to timer. While wake-ups follow each other that is the same; if the instant is farther off it is set ahead by what
// sleeps are late at least, and of one that ends before the rest is spun.
func (n *Nap) Until(instant, woken int64) (until, timer int64) {
	if least := woken + int64(Grain); instant <= least {
		return least, least
	}
	if instant == Never {
		return Never, Never
	}
	return instant, instant - n.Late
}

// Spins reports whether to spin until an instant, now.
func (n *Nap) Spins(now, until int64) bool {
	if until-now < n.Price && now-n.slept < int64(restful) {
		return true
	}
	n.slept = now
	return false
}

// Spin keeps the processor until an instant.
func Spin(until int64) {
	for Now() < until {
	}
}

// threadTime returns the processor time of the calling thread, in nanoseconds.
func threadTime() int64 {
	var t unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t)
	return t.Nano()
}
