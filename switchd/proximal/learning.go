package proximal

import (
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/unit"
)

// burst is what is known of a flow's bursts: the packets between two silences.
// In a training a burst is the messages of one iteration.
type burst struct {
	last  unit.Time // the last packet
	start unit.Time // of the present burst, before of the one before it
	// bursts is how many began; before is the start of the last but one.
	bursts uint64
	before unit.Time
	bytes  unit.Bytes // of the present burst

	// notified says that the present burst met congestion, at the given point
	// and this long after its start; cnps are those sent for it so far, and
	// fair what the flow could have had of the congested port.
	notified bool
	point    Point
	onset    unit.Duration
	cnps     int
	wanted   float64
	fair     unit.BitRate

	// learned says that the congestion is foreseen. The rest is of learned flows.
	learned    bool
	period     unit.Duration
	foreseen   int // CNPs at the start of a burst
	confidence int
	since      int // bursts since it was learned
	passed     bool
	usual      unit.Bytes // bytes of a burst
	unusual    int        // bursts in a row that were not of that size
}

// Step is what a device does as a burst begins.
type Step uint8

// The steps.
const (
	// None: nothing.
	None Step = iota
	// Act: send the CNPs foreseen, and ask the congested device to be silent.
	Act
	// Pass: let the burst go, and tell the device to speak again.
	Pass
	// Forget: as Pass, and the flow is no longer learned.
	Forget
)

const (
	// mostConfidence bounds the confidence; a flow just learned has two.
	mostConfidence, firstConfidence = 3, 2
	// leastOfFair is the share of what a flow could have had, below which its
	// cuts were too many.
	leastOfFair = 0.8
)

// Packet takes note of a packet of length bytes, and returns what to do if it
// begins a burst.
func (e *Entry) Packet(now unit.Time, length unit.Bytes, settings *profile.ProximalLearning) (began bool, step Step) {
	gap := max(settings.Gap, e.period/10)
	if e.bursts == 0 || now.Sub(e.last) > gap {
		began = true
		if settings.Enabled {
			step = e.begin(now, settings)
		}
		e.before, e.start, e.bytes = e.start, now, 0
		e.bursts++
		e.notified, e.cnps = false, 0
		if step == Act {
			e.cnps = e.foreseen
		}
	}
	e.last = now
	e.bytes += length
	return began, step
}

// begin looks back at the burst that ended, and decides about the one that
// begins.
func (e *Entry) begin(now unit.Time, settings *profile.ProximalLearning) Step {
	if e.bursts == 0 {
		return None
	}
	if !e.learned {
		return e.learn(now, settings)
	}
	e.period = now.Sub(e.start)
	switch {
	case e.passed && e.notified:
		e.confidence = min(e.confidence+1, mostConfidence)
		e.foreseen = max(e.cnps, 1)
	case e.passed:
		e.confidence--
	case e.tooSlow():
		e.foreseen = max(e.foreseen-1, 1)
	}
	if differs(e.bytes, e.usual) {
		e.unusual++
	} else {
		e.unusual = 0
	}
	if e.confidence == 0 || e.unusual == 2 {
		e.learned = false
		return Forget
	}
	e.since++
	if e.passed = e.since%settings.Recheck == 0; e.passed {
		return Pass
	}
	return Act
}

// learn decides whether the congestion of the burst that ended is to be foreseen:
// it met congestion, and two intervals between bursts were alike.
func (e *Entry) learn(now unit.Time, settings *profile.ProximalLearning) Step {
	if !e.notified || e.cnps == 0 {
		return None
	}
	period := now.Sub(e.start)
	if settings.After > 1 {
		if e.bursts < 2 {
			return None
		}
		if d := period - e.start.Sub(e.before); max(d, -d) > period/10 {
			return None
		}
	}
	e.learned, e.passed, e.period, e.confidence, e.since, e.unusual = true, false, period, firstConfidence, 0, 0
	e.foreseen, e.usual = e.cnps, e.bytes
	return Act
}

// tooSlow reports whether the burst that ended ran below what it could have had.
func (e *Entry) tooSlow() bool {
	return e.fair > 0 && float64(unit.RateOf(e.bytes, e.last.Sub(e.start))) < leastOfFair*float64(e.fair)
}

// differs reports whether a burst is more than a quarter off its usual size.
func differs(bytes, usual unit.Bytes) bool {
	d := bytes - usual
	return 4*max(d, -d) > usual
}

// Notified takes note of congestion of the present burst at a point: n CNPs sent for
// it, the part of its rate that it was to keep, and the rate that it could have had
// there. most bounds the CNPs that are remembered for later bursts.
func (e *Entry) Notified(now unit.Time, at Point, n, most int, wanted float64, fair unit.BitRate) {
	if !e.notified {
		e.notified, e.onset = true, now.Sub(e.start)
	}
	e.point, e.wanted, e.fair = at, wanted, fair
	e.cnps = min(e.cnps+n, most)
}

// Learned reports whether congestion of the flow is foreseen.
func (e *Entry) Learned() bool { return e.learned }

// ForeseenCNPs returns how many CNPs the foreseen congestion takes.
func (e *Entry) ForeseenCNPs() int { return e.foreseen }

// Wanted returns the part of its rate that the flow is to keep.
func (e *Entry) Wanted() float64 { return e.wanted }

// CongestionPoint returns where the flow meets the congestion.
func (e *Entry) CongestionPoint() Point { return e.point }

// SilenceTime is for how long a device is asked to be silent: three periods.
func (e *Entry) SilenceTime() unit.Duration { return 3 * e.period }

// Idle reports whether the flow was idle so long that it is forgotten.
func (e *Entry) Idle(now unit.Time, settings *profile.ProximalLearning) bool {
	return now.Sub(e.last) > max(3*e.period, settings.Age)
}
