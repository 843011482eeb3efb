package nicd

import (
	"github.com/rocelab/rocelab/emulator/link"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// coalescing is the ACK that a receiver delays until a packet asks for one, or for
// its own time, delay, 0 for none.
//
// Call accepted for each packet that is taken and sent for each ACK. When the
// timer's event comes, an ACK is due if one is pending, at deadline.
type coalescing struct {
	// unacked counts accepted packets not yet covered by an ACK; deadline is the time of an unrequested ACK for them,
	// unit.Never if there are none.
	unacked  int
	deadline unit.Time
	delay    unit.Duration
	timer    link.Timer
}

func newCoalescing(delay unit.Duration) coalescing {
	return coalescing{deadline: unit.Never, delay: delay}
}

// accepted counts a packet. It reports whether an ACK is delayed from now on, so that the timer is to fire at deadline;
// asked is set if the packet asks for one, which must be sent.
func (c *coalescing) accepted(now unit.Time, asked bool) (delayed bool) {
	c.unacked++
	if asked || c.pending() || c.delay == 0 {
		return false
	}
	c.deadline = now.Add(c.delay)
	return true
}

// pending reports whether an ACK is delayed.
func (c *coalescing) pending() bool { return c.deadline != unit.Never }

// sent notes that an ACK covers all packets.
func (c *coalescing) sent() { c.unacked, c.deadline = 0, unit.Never }
