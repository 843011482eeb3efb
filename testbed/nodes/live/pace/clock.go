package pace

import (
	"math"
	"time"

	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Clock converts model time to wall time, and back. It is plain data and may be kept in memory that processes share.
type Clock struct {
	// Epoch is the instant on the wall of model time 0, in nanoseconds of
	// CLOCK_MONOTONIC.
	Epoch int64
	// Dilation is the wall time that one unit of model time takes. Range: 1 to
	// MaxDilation.
	Dilation int64
}

// MaxDilation is the largest dilation: what takes a microsecond then takes a second.
const MaxDilation = 1_000_000

// Never is the instant on the wall that does not come.
const Never int64 = math.MaxInt64

// perNanosecond is the model time of a nanosecond.
const perNanosecond = int64(unit.Nanosecond)

// Wall returns the instant on the wall at which model time t is due, rounded up to a nanosecond; beyond the clock's
// range it is Never. Wall(t) <= w exactly if t <= Model(w).
func (c Clock) Wall(t unit.Time) int64 {
	span := -int64(unit.Duration(-t).Scale(c.Dilation, perNanosecond))
	if t == unit.Never || span > Never-max(c.Epoch, 0) {
		return Never
	}
	return c.Epoch + span
}

// Model returns the last instant of model time that is due at an instant on the
// wall. It is negative before the epoch, unit.Never at Never.
func (c Clock) Model(wall int64) unit.Time {
	if wall == Never {
		return unit.Never
	}
	return unit.Time(unit.Duration(wall-c.Epoch).Scale(perNanosecond, c.Dilation))
}

// Lag returns the delay with which a window that starts at t begins now; it is negative if its time is still to come.
func (c Clock) Lag(now int64, t unit.Time) int64 { return now - c.Wall(t) }

// Standstill is how much later than the window before it a window may begin, relative to its time on the wall, before
// that counts as a standstill.
const Standstill = 100 * time.Millisecond

// Drift is the distance of a run behind its clock. A growing lag is made up for, as fast as the machine can; a
// standstill, as of a stopped process or a paused virtual machine, is not: hosts outside went through it too. The epoch
// then moves by the length of the standstill, and the lag stays the same. Drift is plain data, and may be kept in
// memory that processes share; its zero value has no lag.
type Drift struct {
	// Lag is the lag of the last window, in nanoseconds on the wall.
	Lag int64
	// Lags are the lags of all windows, that which showed a standstill among them: model time was that far
	// behind.
	Lags record.Lateness
}

// Begin takes the delay of a window, below 0 if it is early, and whether its time was awaited. It returns the necessary
// move of the epoch, 0 or the length of the standstill that ended just now, and the window's own part of the delay: all
// of it if its time was awaited, and else its growth since the window before, below 0 if it fell.
func (d *Drift) Begin(lag int64, awaited bool) (move, own int64) {
	d.Lags.Add(lag)
	if own = lag; !awaited {
		own -= d.Lag
	}
	lag = max(lag, 0)
	if took := lag - d.Lag; took > int64(Standstill) {
		return took, own
	}
	d.Lag = lag
	return 0, own
}
