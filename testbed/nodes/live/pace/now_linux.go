package pace

import (
	"time"

	"golang.org/x/sys/unix"
)

// Go's own monotonic time is CLOCK_MONOTONIC less a constant, and read without a
// system call. started and base are one instant of both.
var started, base = pair()

// pair reads both as close to each other as a few attempts get.
func pair() (inGo time.Time, monotonic int64) {
	best := Never
	for range 32 {
		before := monotonicNow()
		t := time.Now()
		after := monotonicNow()
		if after-before < best {
			best, inGo, monotonic = after-before, t, before+(after-before)/2
		}
	}
	return inGo, monotonic
}

func monotonicNow() int64 {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &t); err != nil {
		panic("pace: CLOCK_MONOTONIC: " + err.Error())
	}
	return t.Nano()
}

// Now returns the time on CLOCK_MONOTONIC in nanoseconds, to well within a
// microsecond; in one process it never goes back.
func Now() int64 { return base + int64(time.Since(started)) }

// both reads CLOCK_REALTIME and CLOCK_MONOTONIC.
func both() (real, monotonic int64) {
	t := time.Now()
	return t.UnixNano(), base + int64(t.Sub(started))
}
