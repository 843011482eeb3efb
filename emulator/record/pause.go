package record

import (
	"fmt"
	"math/bits"

	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/wire"
)

// Pauses counts what PFC frames say, by class: a frame that enables several
// classes counts for each of them (IEEE 802.1Q, 36.1.3.2).
type Pauses struct {
	// XOFF counts pauses, refreshes included; XON counts resumes.
	XOFF, XON [profile.Classes]uint64
}

// Count counts a frame if it is a PFC frame.
func (p *Pauses) Count(frame *wire.Frame) {
	if !frame.IsPFC() {
		return
	}
	for rest := frame.ClassEnable; rest != 0; rest &= rest - 1 {
		if c := bits.TrailingZeros8(rest); frame.Pause[c] != 0 {
			p.XOFF[c]++
		} else {
			p.XON[c]++
		}
	}
}

// Uncount takes back what Count added for a frame.
func (p *Pauses) Uncount(frame *wire.Frame) {
	var once Pauses
	once.Count(frame)
	for c := range profile.Classes {
		p.XOFF[c] -= once.XOFF[c]
		p.XON[c] -= once.XON[c]
	}
}

// rarePauses counts PFC frames at a port that has none to count in most runs.
type rarePauses struct {
	// Counts are the counts, nil without any.
	Counts *Pauses
}

// Own returns the counts, made at first use.
func (r *rarePauses) Own() *Pauses {
	if r.Counts == nil {
		r.Counts = new(Pauses)
	}
	return r.Counts
}

// Count counts a frame if it is a PFC frame.
func (r *rarePauses) Count(frame *wire.Frame) {
	if frame.IsPFC() {
		r.Own().Count(frame)
	}
}

// All returns the counts.
func (r *rarePauses) All() Pauses {
	if r.Counts == nil {
		return Pauses{}
	}
	return *r.Counts
}

// Plus returns the sum of two counts.
func (p Pauses) Plus(other Pauses) Pauses {
	for c := range profile.Classes {
		p.XOFF[c] += other.XOFF[c]
		p.XON[c] += other.XON[c]
	}
	return p
}

// PausesSent counts the PFC frames that this port sent to its peer: its own, and at a long-haul path the ones that it
// carried here.
func (p *Port) PausesSent() Pauses {
	sent := p.PausesOut.All()
	for c, class := range p.Classes.All() {
		sent.XOFF[c] += class.SentXOFF
		sent.XON[c] += class.SentXON
	}
	return sent
}

// PausesReceived returns what the PFC frames said that arrived at this port,
// whether it obeys them or not.
func (p *Port) PausesReceived() Pauses {
	received := p.PausesIn.All()
	for c, class := range p.Classes.All() {
		received.XOFF[c] += class.ReceivedXOFF
		received.XON[c] += class.ReceivedXON
	}
	return received
}

// String returns the totals of all classes, for messages.
func (p Pauses) String() string {
	var xoff, xon uint64
	for c := range profile.Classes {
		xoff += p.XOFF[c]
		xon += p.XON[c]
	}
	return fmt.Sprintf("%d XOFF and %d XON", xoff, xon)
}
