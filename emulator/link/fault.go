package link

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Faults are the faults of a link, as one end of it sees them: outages, frames lost by chance, and harms of those that
// arrive. A link without faults has none: NewFaults returns nil, so that its owner tests one word for every frame.
type Faults struct {
	outages Outages
	down    bool
	// notices are the outages as far as the end knows of them.
	notices notices
	// past are the outages that are over, in order.
	past []fabric.Outage
	// losses count the frames lost to each outage, finished outages first. places are the outages' places in losses if
	// the end never hears of some of them; nil if the places are the same.
	losses []record.OutageLoss
	places []int
	// loss is the probability of losing a frame that is one of lossOf and lossIn, errors has the probability of a wrong
	// bit; chance draws for both, nil if neither can happen.
	loss   float64
	lossOf fabric.Frames
	lossIn *fabric.Gray
	errors bitErrors
	chance *chance.Stream
	harms  []harm
}

// NewFaults returns the faults of the link at a, nil if it has none. Losses draw
// from the stream of the given name.
func NewFaults(attachment *fabric.Attachment, seed uint64, stream string) *Faults {
	f := &Faults{
		outages: NewOutages(attachment.Outages),
		notices: newNotices(attachment.Knows),
		loss:    attachment.Loss,
		lossOf:  attachment.LossOf,
		lossIn:  attachment.LossIn,
		errors:  bitErrors{rate: attachment.BER},
		harms:   harmsOf(attachment.Harms),
	}
	if attachment.Loss > 0 || attachment.BER > 0 {
		f.chance = chance.New(seed, stream)
	}
	n := f.outages.Len()
	f.places = f.outages.removeUnheard()
	if n == 0 && f.chance == nil && len(f.harms) == 0 {
		return nil
	}
	if n > 0 {
		f.losses = make([]record.OutageLoss, n)
	}
	return f
}

// lossesOf returns where the i-th outage that the end hears of is counted.
func (f *Faults) lossesOf(i int) *record.OutageLoss {
	if f.places != nil {
		i = f.places[i]
	}
	return &f.losses[i]
}

// Losses returns the losses to each outage at this end, which still count on; nil without outages, and for a link
// without faults.
func (f *Faults) Losses() []record.OutageLoss {
	if f == nil {
		return nil
	}
	return f.losses
}

// Flushed counts a frame that is dropped at this end since the link is down.
func (f *Faults) Flushed(frame *wire.Frame) { f.lossesOf(len(f.past)).Flushed.Count(frame) }

// CutShort counts a frame that is lost since the link goes down before its last bit.
func (f *Faults) CutShort(frame *wire.Frame) { f.lossesOf(len(f.past)).Void.Count(frame) }

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
// is down now or was down at its start, which it counts, else, if it is of the kind that the link loses, with the
// link's probability. It returns fabric.DropNone for a frame that is not, to which the harms happen, and draws a number
// only where one can be.
func (f *Faults) Lost(frame *wire.Frame, start unit.Time) fabric.DropReason {
	if i := f.downAt(start); i >= 0 {
		f.lossesOf(i).Void.Count(frame)
		return fabric.DropLinkDown
	}
	if f.chance != nil {
		p := f.errors.of(frame)
		if f.lossOf.Include(frame) && f.lossIn.Include(frame) {
			p = either(f.loss, p)
		}
		if p > 0 && f.chance.Float64() < p {
			return fabric.DropLinkLoss
		}
	}
	for _, happen := range f.harms {
		happen(frame)
	}
	return fabric.DropNone
}

// downAt returns the number of the outage that took a frame which started at an instant and arrives now: the present
// one, or the finished one during which it started; -1 for none.
func (f *Faults) downAt(start unit.Time) int {
	if f.down {
		return len(f.past)
	}
	for i := len(f.past) - 1; i >= 0; i-- {
		switch began := start.Add(f.past[i].OneWay.Lag); {
		case began >= f.past[i].To:
			return -1
		case began >= f.past[i].From:
			return i
		}
	}
	return -1
}

// harm is the model of one kind of fabric.Harm: what happens to a frame that arrives.
type harm func(frame *wire.Frame)

// harms are the models by name.
var harms = map[string]harm{}

// newHarm registers a model, each in a file of its own, and returns its name for plans.
func newHarm(name string, model harm) string {
	if harms[name] != nil {
		panic(fmt.Sprintf("link: two harms have the name %q", name))
	}
	harms[name] = model
	return name
}

// harmsOf returns the models of an end's harms, in their order. An unknown kind is a broken plan.
func harmsOf(all []fabric.Harm) (list []harm) {
	for _, h := range all {
		model := harms[h.Kind]
		if model == nil {
			panic(fmt.Sprintf("link: there is no harm %q", h.Kind))
		}
		list = append(list, model)
	}
	return list
}
