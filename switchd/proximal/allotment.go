package proximal

import "github.com/rocelab/rocelab/plugins/cc/unit"

// Allotment is the allowed rate of a flow at a congested port: Least for any rates of the others, and Most if they
// leave it the rest.
type Allotment struct{ Least, Most unit.BitRate }

// Allotment returns what a flow may send of the queue's port, 0 and 0 if the reading does not say:
//
//	Least = fair, Most = max(fair, level x C x drain)
//
// with fair and drain as Fair has them.
func (r *Reading) Allotment() Allotment {
	fair := r.Fair()
	if fair == 0 {
		return Allotment{}
	}
	return Allotment{fair, max(fair, unit.Whole[unit.BitRate](float64(float64(r.Rate)*r.Level)*r.drain()))}
}

// told is the rate last sent to the sender of a flow, in a CNP that carries one, and the time from which on that shows.
type told struct {
	rate unit.BitRate
	from unit.Time
}

// worthTelling is the share by which a flow's rate must be off for a CNP: a meter of 50 us is no finer.
const worthTelling = 0.03

// Allot records the flow's allotment at a point, valid until the given instant, and returns the rate to send to its
// sender, 0 for none. Among several points that are valid now the least counts.
//
// It is sent both to lower and to raise the rate. Below Least a flow was cut too much: by CNPs of its receiver, which
// come until the first of them has had its effect, or by a share among more flows than there are now. No one else
// raises it soon. Between Least and Most it has all that it can use.
//
// Until its meter knows, the flow is assumed to send at the last rate sent to it, or, if there was none, too fast.
func (e *Entry) Allot(point Point, allotted Allotment, until, now unit.Time) unit.BitRate {
	p := e.at(point)
	p.allotted, p.allottedUntil = allotted, until
	for i := range e.points {
		if other := &e.points[i]; other.allottedUntil > now {
			allotted.Least = min(allotted.Least, other.allotted.Least)
			allotted.Most = min(allotted.Most, other.allotted.Most)
		}
	}
	rate, known := e.Meter.Rate(now)
	if !known {
		if rate = e.told.rate; rate == 0 || e.told.from != e.Meter.start {
			return allotted.Most
		}
	}
	switch {
	case float64(rate) > (1+worthTelling)*float64(allotted.Most):
		return allotted.Most
	case float64(rate) < (1-worthTelling)*float64(allotted.Least):
		return allotted.Least
	}
	return 0
}

// Told records that a rate was sent to the flow's sender, which shows from the given instant on: the meter restarts.
func (e *Entry) Told(rate unit.BitRate, from unit.Time) {
	e.told = told{rate, from}
	e.Meter.Restart(from)
}
