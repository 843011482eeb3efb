package link

import (
	"github.com/rocelab/rocelab/emulator/chance"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
)

// Faults are what goes wrong with a link, as one end of it sees it: outages, and
// frames that are lost by chance. A link without faults has none: NewFaults
// returns nil, so that its owner tests one word for every frame.
type Faults struct {
	outages Outages
	down    bool
	// loss is the probability with which a frame, one of lossOf, is lost; chance
	// draws for it, nil where nothing is lost.
	loss   float64
	lossOf fabric.Frames
	chance *chance.Stream
}

// NewFaults returns the faults of the link at a, nil if it has none. Losses draw
// from the stream of the given name.
func NewFaults(attachment *fabric.Attachment, seed uint64, stream string) *Faults {
	f := &Faults{outages: NewOutages(attachment.Outages), loss: attachment.Loss, lossOf: attachment.LossOf}
	if attachment.Loss > 0 {
		f.chance = chance.New(seed, stream)
	}
	if _, ok := f.outages.Next(); !ok && f.chance == nil {
		return nil
	}
	return f
}

// NextChange returns when the link goes down or up next, unit.Never if it does not.
func (f *Faults) NextChange() unit.Time {
	switch next, ok := f.outages.Next(); {
	case !ok:
		return unit.Never
	case f.down:
		return next.To
	default:
		return next.From
	}
}

// Toggle takes the link down, or up again, and reports whether it is down.
func (f *Faults) Toggle() (down bool) {
	if f.down {
		f.outages.RemoveFirst()
	}
	f.down = !f.down
	return f.down
}

// Lost decides whether a frame that arrives now is lost: in an outage always,
// else, if it is of the kind that the link loses, with the link's probability. It
// returns fabric.DropNone for a frame that is not, and draws a number only where
// one can be.
func (f *Faults) Lost(frame *wire.Frame) fabric.DropReason {
	switch {
	case f.down:
		return fabric.DropLinkDown
	case f.chance != nil && f.lossOf.Include(frame) && f.chance.Float64() < f.loss:
		return fabric.DropLinkLoss
	}
	return fabric.DropNone
}
