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
	// Price is the processor time that a sleep takes. Unit: ns. Range: 0 to Grain.
	Price int64

	slept int64
}

// Measure sets the price to that of sleeps of a Grain by the calling thread.
func (n *Nap) Measure() {
	before := threadTime()
	for range naps {
		Keep(Now()+int64(Grain), nil)
	}
	n.Price = min(max(0, threadTime()-before)/naps, int64(Grain))
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
