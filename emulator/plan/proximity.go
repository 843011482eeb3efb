package plan

import "github.com/rocelab/rocelab/emulator/unit"

// Proximity is what a switch knows of the fabric for proximal CNP, from the
// controller: where each sender's proximal device is, and the way there.
type Proximity struct {
	// Loopbacks gives, for each switch by number, the set in NextHops of ports
	// on shortest paths to it; Loops how long a message from here to there, or
	// back, and data the other way take on empty queues: 0 for the switch itself
	// and for one that cannot be reached.
	Loopbacks []uint16
	Loops     []unit.Duration
	// Access is, for each station, how long a CNP from its switch and the data that
	// follow take.
	Access []unit.Duration
	// Nearest is, for each station, the number of the switch that it hangs on,
	// below 0 where that takes no part, and for edges.
	Nearest []int
	// Edge is, for each port, whether it leads to a NIC.
	Edge []bool
}

// FirstLoopback is the address of switch 0, 172.16.0.1; switch i has
// FirstLoopback + i.
const FirstLoopback = 172<<24 | 16<<16 | 1
