package model

import (
	"time"

	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Progress is how far a run is.
type Progress struct {
	// Now is the model time; Until the instant at which the run ends, 0
	// if it ends with its flows.
	Now, Until unit.Time
	// Hops counts frames sent so far, by any port.
	Hops uint64
	// Dilation is above 0 where the run is held to the clock on the wall, and then Lag how far
	// model time is behind that.
	Dilation int64
	Lag      time.Duration
	// Done and Total are the acknowledged and the whole payload of the flows
	// that have a size.
	Done, Total unit.Bytes
	// Tally is what the nodes counted so far; its queues by port are known in memory alone. Final
	// says that this is the last report, when the run is over.
	Tally record.Tally
	Final bool
}
