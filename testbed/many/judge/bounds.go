package judge

import "github.com/rocelab/rocelab/plugins/cc/unit"

// The bounds of the checks, the same for all algorithms. Parts are of the line.
const (
	// leastJain is the required value of Jain's index of four equal flows.
	leastJain = 0.9
	// leastUsed is the part of the port that flows which share it must use,
	// leastShare what one that joins must have of it.
	leastUsed, leastShare = 0.5, 0.2

	// mostSent is the part of its earlier rate that a sender may still send within reactionRTTs base RTTs of a doubled
	// load.
	mostSent     = 2.0 / 3
	reactionRTTs = 20

	// recovered is the part of the line that a flow must hold again once it is
	// alone, within the time that its algorithm claims; defaultRecovery is the
	// time of an algorithm that claims nothing (cc.Description).
	recovered       = 0.8
	defaultRecovery = 50 * unit.Millisecond

	// longestQueue is the limit of the queue of sixteen flows once they had their time, as 0.32 ms of the port. The
	// burst at their start, which many algorithms let run at line rate until a signal is back, is reported and not
	// bound: PFC holds it if the algorithm does not.
	longestQueue = 4 * unit.Bytes(1_000_000)

	// outageDelay is the allowed delay of a flow whose link was down for 1 ms: the outage, a timer of 4 ms that began
	// with it, and as long again for the algorithm's reaction to a timeout.
	outageDelay = 20 * unit.Millisecond

	// wrongClocksDelay is the allowed factor of an incast's time on wrong clocks.
	wrongClocksDelay = 1.5
)
