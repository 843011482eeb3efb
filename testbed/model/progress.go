package model

import "github.com/rocelab/rocelab/emulator/unit"

// Progress is how far a run is.
type Progress struct {
	// Now is the model time; Until the instant at which the run ends, 0
	// if it ends with its flows.
	Now, Until unit.Time
	// Hops counts frames sent so far, by any port.
	Hops uint64
	// Done and Total are the acknowledged and the whole payload of the flows
	// that have a size.
	Done, Total unit.Bytes
}
