package nicd

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/fifo"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/plugins/cc"
)

// decisions are what a flow's algorithm decided: its latest decision, what of it
// is in force, and those between, which a NIC with a decision delay puts into
// force later. Rate and gap in force are the pacer's.
//
// For each event, hand latest to the algorithm, then settle with what it was
// before. What settle returns is put into force by apply, at once or after a wait
// in delayed. A wake-up in force is answered once: by timerFired or bytesFired.
type decisions struct {
	// latest is what the algorithm decided last and is given to change.
	latest cc.Decision
	// window, wakeAt, wakeBytes and own are in force; see cc.Decision.
	window    unit.Bytes
	wakeAt    unit.Time
	wakeBytes unit.Bytes
	own       [cc.OwnBytes]byte
	// delayed wait to come into force, the oldest first.
	delayed fifo.Queue[change]

	lineRate unit.BitRate
	// carriesOwn says that data packets carry what the algorithm puts into Own.
	carriesOwn bool
}

// newDecisions returns those of a flow that nothing was decided about: line rate
// and no window.
func newDecisions(lineRate unit.BitRate, carriesOwn bool) decisions {
	return decisions{latest: cc.Decision{Rate: lineRate}, lineRate: lineRate, carriesOwn: carriesOwn}
}

// change is a decision on its way into force. The wake-ups count only where
// this decision set them: one that fired meanwhile must not come back.
type change struct {
	cc.Decision
	wakeAt, wakeBytes bool
	// none says that the event changed nothing.
	none bool
}

// unchanged reports whether the latest decision is what it was before. It
// compares field by field: == would be a call.
func (d *decisions) unchanged(before *cc.Decision) bool {
	l := &d.latest
	return l.Rate == before.Rate && l.Window == before.Window && l.Gap == before.Gap && l.WakeAt == before.WakeAt &&
		l.WakeBytes == before.WakeBytes && (!d.carriesOwn || l.Own == before.Own)
}

// settle checks the latest decision, which answers an event of that kind and
// time and differs from the one before; it bounds the rate by the line, counts
// what changed and returns it. The error says what is wrong and what is allowed.
func (d *decisions) settle(before *cc.Decision, kind cc.EventKind, now unit.Time, r *record.Sender) (change, error) {
	l := &d.latest
	if err := check(l, before, kind, now); err != nil {
		return change{}, err
	}
	l.Rate = min(l.Rate, d.lineRate)
	if l.Rate != before.Rate || l.Window != before.Window || l.Gap != before.Gap {
		if r.Decisions == 0 {
			r.RateMin, r.RateMax = l.Rate, l.Rate
		}
		r.Decisions++
		r.RateMin, r.RateMax = min(r.RateMin, l.Rate), max(r.RateMax, l.Rate)
	}
	return change{
		Decision:  *l,
		wakeAt:    l.WakeAt != before.WakeAt,
		wakeBytes: l.WakeBytes != before.WakeBytes,
	}, nil
}

// apply puts a change into force, rate and gap apart. It reports whether a
// wake-up at wakeAt is to be seen to.
func (d *decisions) apply(c *change) (wake bool) {
	d.window, d.own = c.Window, c.Own
	if c.wakeAt {
		d.wakeAt = c.WakeAt
	}
	if c.wakeBytes {
		d.wakeBytes = c.WakeBytes
	}
	return c.wakeAt && d.wakeAt != 0
}

// timerFired takes the wake-up at wakeAt, which has come.
func (d *decisions) timerFired() (fired unit.Time) {
	fired, d.wakeAt = d.wakeAt, 0
	return fired
}

// bytesFired reports whether the flow, having sent so many bytes, reached the
// wake-up at wakeBytes, and takes it.
func (d *decisions) bytesFired(sent unit.Bytes) (fired unit.Bytes, ok bool) {
	if d.wakeBytes == 0 || sent < d.wakeBytes {
		return 0, false
	}
	fired, d.wakeBytes = d.wakeBytes, 0
	return fired, true
}

// check refuses a decision that means nothing. before is what was decided when the
// event came: with a decision delay its wake-up may lie in the past.
func check(d, before *cc.Decision, kind cc.EventKind, now unit.Time) error {
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
