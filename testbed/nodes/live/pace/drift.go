package pace

import (
	"time"

	"github.com/rocelab/rocelab/emulator/record"
)

// Standstill is how much later than the window before it a window may begin,
// measured against its time on the wall, before that counts as a standstill.
const Standstill = 100 * time.Millisecond

// Drift is how far a run is behind its clock. A lag that grows is made up for, as
// fast as the machine can; a standstill, as a stopped process or a paused virtual
// machine makes it, is not: hosts outside went through it too. The epoch then moves
// by what the standstill took, and the lag stays what it was. Drift is plain data,
// and may be kept in memory that processes share; its zero value has no lag.
type Drift struct {
	// Lag is the lag of the last window, in nanoseconds on the wall.
	Lag int64
	// Lags are the lags of all windows, that which showed a standstill among them: model time was that far
	// behind.
	Lags record.Lateness
}

// Begin is told how long after its time a window begins, which may be negative, and
// returns by how much the epoch must move: 0, or the length of the standstill that
// ended just now.
func (d *Drift) Begin(lag int64) (move int64) {
	d.Lags.Add(lag)
	lag = max(lag, 0)
	if took := lag - d.Lag; took > int64(Standstill) {
		return took
	}
	d.Lag = lag
	return 0
}
