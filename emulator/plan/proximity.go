package plan

import "github.com/rocelab/rocelab/plugins/cc/unit"

// Proximity is a switch's knowledge of the fabric for proximal CNP, from the controller: each sender's proximal device,
// and the way there.
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
	// Home is, for each station, the number of the switch that it hangs on, below 0
	// for none. Onward is, for each switch, how long data that wait here take to it and
	// through it, and a CNP the other way through both; Receipt, for each station, data
	// from its switch and the CNP that answers. Latency is each switch's own.
	Home            []int
	Onward, Receipt []unit.Duration
	Latency         []unit.Duration
	// Nearest is, for each station, the number of the switch that it hangs on, below 0 if that does not take part, and
	// for edges.
	Nearest []int
	// Edge is, for each port, whether it leads to a NIC; Longest the longest feedback loop of its queues to a device
	// that is notified of them, 0 if there is none.
	Edge    []bool
	Longest []unit.Duration
}

// FirstLoopback is the address of switch 0, 172.16.0.1; switch i has
// FirstLoopback + i.
const FirstLoopback = 172<<24 | 16<<16 | 1
