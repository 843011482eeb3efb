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
	// past are the outages that are over, in order.
	past []fabric.Outage
	// loss is the probability with which a frame, one of lossOf, is lost, errors that with which any bit
	// is wrong; chance draws for both, nil where nothing is lost.
	loss   float64
	lossOf fabric.Frames
	errors bitErrors
	chance *chance.Stream
}

// NewFaults returns the faults of the link at a, nil if it has none. Losses draw
// from the stream of the given name.
func NewFaults(attachment *fabric.Attachment, seed uint64, stream string) *Faults {
	f := &Faults{
		outages: NewOutages(attachment.Outages),
		loss:    attachment.Loss,
		lossOf:  attachment.LossOf,
		errors:  bitErrors{rate: attachment.BER},
	}
	if attachment.Loss > 0 || attachment.BER > 0 {
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
		over, _ := f.outages.Next()
		f.past = append(f.past, over)
		f.outages.RemoveFirst()
	}
	f.down = !f.down
	return f.down
}

// Lost decides whether a frame that started at the far end at start and arrives now is lost: always if the link
// is down now or was down at its start, else, if it is of the kind that the link loses, with the link's
// probability. It returns fabric.DropNone for a frame that is not, and draws a number only where
// one can be.
func (f *Faults) Lost(frame *wire.Frame, start unit.Time) fabric.DropReason {
	switch {
	case f.down || f.wasDown(start):
		return fabric.DropLinkDown
	case f.chance == nil:
		return fabric.DropNone
	}
	p := f.errors.of(frame)
	if f.lossOf.Include(frame) {
		p = either(f.loss, p)
	}
	if p > 0 && f.chance.Float64() < p {
		return fabric.DropLinkLoss
	}
	return fabric.DropNone
}

// wasDown reports whether the link was down at an instant, in an outage that is over.
func (f *Faults) wasDown(at unit.Time) bool {
	for i := len(f.past) - 1; i >= 0 && at < f.past[i].To; i-- {
		if at >= f.past[i].From {
			return true
		}
	}
	return false
}
