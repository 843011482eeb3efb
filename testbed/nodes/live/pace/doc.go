// Package pace holds model time to the clock on the wall.
//
// A Clock maps an instant of model time to the wall: its epoch plus dilation times model time. A Drift detects a run
// that stood still for so long a time that the epoch moves instead of the run catching up in a burst. Stamps converts
// the kernel's time stamps, which follow a clock that may be set, to the clock that may not. Wait sleeps until an
// instant, or until a socket has something to read.
//
// Wall time is nanoseconds of CLOCK_MONOTONIC everywhere: it is the same in all processes of a machine, never goes
// back, and cannot be set.
package pace
