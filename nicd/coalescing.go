package nicd

import (
	"github.com/rocelab/rocelab/emulator/link"
	"github.com/rocelab/rocelab/emulator/unit"
)

// coalescing is the ACK that a receiver holds back until a packet asks for one,
// or for a time of its own, after.
//
// Call accepted for each packet that is taken and sent for each ACK. When the
// timer's event comes, an ACK is due if held, at the time at.
type coalescing struct {
	// unacked counts accepted packets that no ACK has covered; at is when they get
	// one without being asked for, unit.Never where there are none.
	unacked int
	at      unit.Time
	after   unit.Duration
	timer   link.Timer
}

func newCoalescing(after unit.Duration) coalescing { return coalescing{at: unit.Never, after: after} }

// accepted counts a packet. It reports whether an ACK is held back from now on,
// so that the timer is to fire at the time at; asked says that the packet asks for
// one, which must be sent.
func (c *coalescing) accepted(now unit.Time, asked bool) (holds bool) {
	c.unacked++
	if asked || c.held() {
		return false
	}
	c.at = now.Add(c.after)
	return true
}

// held reports whether an ACK is held back.
func (c *coalescing) held() bool { return c.at != unit.Never }

// sent notes that an ACK covers all packets.
func (c *coalescing) sent() { c.unacked, c.at = 0, unit.Never }
