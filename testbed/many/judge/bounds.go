package judge

import "github.com/rocelab/rocelab/plugins/cc/unit"

// The bounds of the checks, the same for all algorithms. Parts are of the line.
const (
	// leastJain is what Jain's index of four equal flows must reach.
	leastJain = 0.9
	// leastUsed is the part of the port that flows which share it must use,
	// leastShare what one that joins must have of it.
	leastUsed, leastShare = 0.5, 0.2

	// mostSent is what a sender may still send within reactionRTTs base RTTs of
	// a doubled load, as a part of what it sent before.
	mostSent     = 2.0 / 3
	reactionRTTs = 20

	// recovered is the part of the line that a flow must hold again once it is
	// alone, within the time that its algorithm claims; usualRecovery is that
	// of an algorithm that claims nothing (cc.Description).
	recovered       = 0.8
	defaultRecovery = 50 * unit.Millisecond

	// longestQueue is how long the queue of sixteen flows may be once they had
	// their time, as 0.32 ms of the port. The burst at their start, which many
	// algorithms let run at line rate until a signal is back, is reported and
	// not bound: PFC holds it where the algorithm does not.
	longestQueue = 4 * unit.Bytes(1_000_000)

	// outageDelay is by how much a flow may be late whose link was down for 1
	// ms: the outage, a timer of 4 ms that began with it, and as long again for
	// what the algorithm makes of a timeout.
	outageDelay = 20 * unit.Millisecond

	// wrongClocksDelay is how many times as long an incast may take on clocks
	// that are wrong.
	wrongClocksDelay = 1.5
)
