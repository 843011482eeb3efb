package model

import (
	"time"

	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Progress is the progress of a run.
type Progress struct {
	// Now is the model time; Until the end of the run, 0 if it ends with its flows.
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
	// Tally has the nodes' counts so far; its queues by port are known in memory only. Final marks the last report,
	// when the run is over.
	Tally record.Tally
	Final bool
}
