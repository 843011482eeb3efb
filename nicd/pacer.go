package nicd

import (
	"github.com/rocelab/rocelab/emulator/unit"
)

// pace notes that a packet that counts for b bytes started now: the next may
// start one gap later. The gap is b bytes at the rate in force, or
// Decision.Gap where that is set. It is kept in picoseconds, rounded up by
// less than one of them; the port's own serialisation bounds it from below.
func (q *sender) pace(n *NIC, now unit.Time, b unit.Bytes) {
	q.lastStart, q.lastBytes = now, b
	q.nextAvail = now.Add(q.gapAfter(n, b))
}

// gapAfter returns the gap after a packet of b bytes; most packets of a flow
// have one size, so the last answer is kept.
func (q *sender) gapAfter(n *NIC, b unit.Bytes) unit.Duration {
	if q.force.Gap > 0 {
		return q.force.Gap
	}
	if b != q.gapBytes {
		q.gapBytes = b
		q.gap = n.accounting.SerialTimeOf(b, q.force.Rate)
	}
	return q.gap
}

// repace re-times the pending gap after a change of rate or gap, nextAvail +=
// gap(new) - gap(old): a flow that sent its last packet at a tiny rate would
// otherwise sleep through its recovery (public RDMA simulator, alibaba-edu
// HPCC ns-3, ChangeRate).
func (q *sender) repace(n *NIC, now unit.Time) {
	q.gapBytes = 0
	if q.lastBytes > 0 && q.nextAvail > now {
		q.nextAvail = q.lastStart.Add(q.gapAfter(n, q.lastBytes))
	}
}
