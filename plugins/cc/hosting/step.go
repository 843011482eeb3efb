package hosting

import (
	"fmt"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Failing is a Sender or a Receiver that may break down though its author's
// code did nothing wrong, because that code runs elsewhere. A broken sender
// answers with a rate of 0, a broken receiver with a base rate of -1; a NIC
// that meets either asks for the reason.
type Failing interface {
	// NameFlow hands over the flow's name, for the text of Err.
	NameFlow(name string)
	// Err returns why it broke down, nil if it did not. It names the flow
	// whose event did it, which may be another's: what runs elsewhere breaks
	// down for all its flows.
	Err() error
}

// Step is one event of a batch, with what the NIC does to the standing
// decision between two events: so the events of a flow can be handled in a row,
// far from the NIC, with the same results as one by one.
type Step struct {
	Sender cc.Sender
	Event  cc.Event
	// Fired is the wake-up that an EventTimer or EventSent came for, the
	// WakeAt or WakeBytes that was in force; see Clear.
	Fired int64
	// Decision is the answer. In the first step of a sender in a batch it is
	// also the decision that the event finds; a later step goes on from the
	// answer of the one before, its rate bounded by the line rate.
	Decision cc.Decision
	// Values, if not nil, takes the values that the sender has before the event: see cc.Valued.
	Values []float64
}

// Batcher handles events of many senders together.
type Batcher interface {
	// HandleAll handles the steps in order and fills in their decisions.
	HandleAll(steps []Step)
}

// Batched is a Sender whose events are better handled together with the events of other senders of the same Batcher.
type Batched interface {
	cc.Sender
	Batcher() Batcher
}

// Clear takes the wake-up back that an event of the given kind came for, unless
// another one was asked for meanwhile.
func Clear(d *cc.Decision, kind cc.EventKind, fired int64) {
	switch {
	case kind == cc.EventTimer && int64(d.WakeAt) == fired:
		d.WakeAt = 0
	case kind == cc.EventSent && int64(d.WakeBytes) == fired:
		d.WakeBytes = 0
	}
}

// CheckDecision returns the fault of a decision that answers an event of a kind at an instant, nil for none. before is
// the decision that the event found: with a decision delay its wake-up may lie in the past.
func CheckDecision(d, before *cc.Decision, kind cc.EventKind, now unit.Time) error {
	switch {
	case d.Rate <= 0:
		return fmt.Errorf("rate %d b/s, allowed is above 0", int64(d.Rate))
	case d.Window < 0:
		return fmt.Errorf("window %d B, allowed is 0 (none) and more", int64(d.Window))
	case d.Gap < 0:
		return fmt.Errorf("gap %v, allowed is 0 (from the rate) and more", d.Gap)
	case d.WakeAt < 0 || d.WakeBytes < 0:
		return fmt.Errorf("next timer at %v or %d B, allowed is 0 (none) and more", d.WakeAt, int64(d.WakeBytes))
	case kind == cc.EventTimer && d.WakeAt != before.WakeAt && d.WakeAt != 0 && d.WakeAt <= now:
		return fmt.Errorf("next timer at %v in the timer event of %v, allowed is later: time would stand still",
			d.WakeAt, now)
	}
	return nil
}
