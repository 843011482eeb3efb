package proximal

import "github.com/rocelab/rocelab/plugins/cc/unit"

// Allotment is what a flow may send at a congested port: Least however much the others send, and Most if they
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

// told is the rate that the sender of a flow was told last, in a CNP that carries one, and from when on
// that shows.
type told struct {
	rate unit.BitRate
	from unit.Time
}

// worthTelling is by what share a flow's rate must be off for a CNP: a meter of 50 us is no finer.
const worthTelling = 0.03

// Allot takes note of what the flow may send at a point, good until the given instant, and returns the rate that
// its sender is to be told, 0 for none. Of several points that are good now the least counts.
//
// It is told both to send less and to send more. Below Least a flow was cut too much: by CNPs
// of its receiver, which come until the first of them has had its effect, or by a share among more flows
// than there are now. Nobody else raises it soon. Between Least and Most it has what it can use.
//
// Until its meter knows, the flow is taken to send what it was told, or, if it was told nothing, too
// much.
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

// Told takes note that the flow's sender is told a rate, which shows from the given instant on: the meter
// counts anew.
func (e *Entry) Told(rate unit.BitRate, from unit.Time) {
	e.told = told{rate, from}
	e.Meter.Restart(from)
}
