package pace

import (
	"time"

	"github.com/rocelab/rocelab/emulator/record"
)

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

// Begin takes the delay with which a window begins, which may be negative, and returns the necessary move of the epoch:
// 0, or the length of the standstill that ended just now.
func (d *Drift) Begin(lag int64) (move int64) {
	d.Lags.Add(lag)
	lag = max(lag, 0)
	if took := lag - d.Lag; took > int64(Standstill) {
		return took
	}
	d.Lag = lag
	return 0
}
