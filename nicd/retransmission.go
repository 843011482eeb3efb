package nicd

import (
	"github.com/rocelab/rocelab/emulator/link"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/unit"
)

// retransmission is a QP's retransmission timer: it runs from the last progress
// and takes max(RTOFloor, RTOFactor x RTT) with the newest RTT, which is not
// smoothed, since the floor is far above what one sample could do harm to. Before
// the first sample it takes RTOInitial. There is no backoff.
//
// Its event is not moved for each packet: its handler compares it with deadline.
type retransmission struct {
	// since is the last progress: an ACK of something new, or the start of the
	// oldest unacknowledged packet. after is the timeout in force.
	since unit.Time
	after unit.Duration
	// floor and factor are the profile's.
	floor  unit.Duration
	factor unit.Duration
	timer  link.Timer
}

func newRetransmission(nic *profile.NIC) retransmission {
	return retransmission{
		after:  nic.RTOInitial,
		floor:  nic.RTOFloor,
		factor: unit.Duration(nic.RTOFactor),
	}
}

// deadline is when the timer runs out unless there is progress.
func (r *retransmission) deadline() unit.Time { return r.since.Add(r.after) }

// overdue reports whether more than half of the timeout will have passed at the given instant.
func (r *retransmission) overdue(at unit.Time) bool { return at.Sub(r.since) > r.after/2 }

// sampled takes a sample of the round trip and reports whether the timeout
// changed.
func (r *retransmission) sampled(rtt unit.Duration) bool {
	before := r.after
	r.after = max(r.floor, r.factor*rtt)
	return r.after != before
}
