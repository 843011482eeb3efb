package link

import "github.com/rocelab/rocelab/plugins/cc/unit"

// Events cannot be taken out of a queue, and most timers are moved later over and over and seldom reached. So a timer
// that moves later leaves its event in place. There are two kinds of timers, because at equal times the order of
// scheduling decides, so the moment of scheduling the next event belongs to the model:
//
//   - Timer leaves the deadline to its owner, who arms it again after it has
//     handled what came: a NIC, whose QP works its next deadline out of what the
//     event changed.
//   - Deadline keeps the deadline itself and arms itself again at once, before
//     anything is handled: a switch.

// Timer knows the earliest of its events that are pending; the others come to
// nothing. The zero value has none.
type Timer struct {
	// event is the time of the earliest pending event, less unit.Never: 0 for none, below 0 for any instant.
	event unit.Time
}

// Arm makes t fire at the given time or before. It reports whether the owner
// must schedule an event at that time.
func (t *Timer) Arm(at unit.Time) (schedule bool) {
	if at-unit.Never >= t.event {
		return false
	}
	t.event = at - unit.Never
	return true
}

// Pending reports whether an event of t's is to come.
func (t *Timer) Pending() bool { return t.event != 0 }

// Fired reports whether the event that comes now is t's earliest, and takes it.
func (t *Timer) Fired(now unit.Time) bool {
	if t.event != now-unit.Never {
		return false
	}
	t.event = 0
	return true
}

// Deadline is an instant with its timer. The zero value is never due.
type Deadline struct {
	// at is the time of the deadline, 0 for never.
	at    unit.Time
	timer Timer
}

// Pending reports whether something is due.
func (d *Deadline) Pending() bool { return d.at != 0 }

// At returns when the deadline is due, 0 for never.
func (d *Deadline) At() unit.Time { return d.at }

// Set moves d to at, which must be after 0. It reports whether the owner must
// schedule an event at that time.
func (d *Deadline) Set(at unit.Time) (schedule bool) {
	d.at = at
	return d.timer.Arm(at)
}

// Clear makes nothing due. The event that is pending comes to nothing.
func (d *Deadline) Clear() { d.at = 0 }

// Reached reports whether d, one of whose events comes now, is due; if so it is cleared. If d was moved later
// meanwhile, schedule reports that the owner must schedule an event at d.At.
func (d *Deadline) Reached(now unit.Time) (due, schedule bool) {
	if !d.timer.Fired(now) || d.at == 0 {
		return false, false
	}
	if d.at > now {
		return false, d.timer.Arm(d.at)
	}
	d.at = 0
	return true, false
}
