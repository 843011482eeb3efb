package proximal

import (
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// burst is the record of a flow's bursts: the packets between two silences. In a training a burst is the messages of
// one iteration.
type burst struct {
	last   unit.Time  // the last packet
	start  unit.Time  // of the present burst
	bursts uint64     // how many began
	bytes  unit.Bytes // of the present burst

	// met is set if the flow had to be slowed down in the present burst; point is its last place of congestion, and
	// said the last reading of that.
	met   bool
	point Point
	said  Reading
	// most is N of the present burst: the largest number of flows heard of at the point, 0 for none. among is N of the
	// last burst that had one: a learned flow begins a burst with its share among that many. It is 0 after a burst that
	// met no congestion.
	most, among int

	// learned is set if congestion at the point is foreseen. The rest is for learned flows.
	learned  bool
	period   unit.Duration
	needless int        // bursts in a row in which the flow had not to be slowed down
	usual    unit.Bytes // bytes of a burst
	unusual  int        // bursts in a row that were not of that size
}

// Step is a device's action at the beginning of a burst.
type Step uint8

// The steps.
const (
	// None: nothing.
	None Step = iota
	// Act: ask the congested device to be silent, and hold the flow to its share.
	Act
	// Forget: ask the device to speak again, for the flow is no longer learned.
	Forget
)

// A learned flow is forgotten after this many needless bursts in a row, or bursts of unusual size, and after one with
// another N.
const (
	mostNeedless = 3
	mostUnusual  = 2
)

// Packet takes note of a packet of length bytes, and returns what to do if it
// begins a burst.
func (e *Entry) Packet(now unit.Time, length unit.Bytes, settings *profile.ProximalLearning) (began bool, step Step) {
	gap := max(settings.Gap, e.period/10)
	if e.bursts == 0 || now.Sub(e.last) > gap {
		began = true
		if settings.Enabled && e.bursts > 0 {
			step = e.begin(now)
		}
		e.start, e.bytes, e.met = now, 0, false
		e.bursts++
	}
	e.last = now
	e.bytes += length
	return began, step
}

// begin looks back at the burst that ended, and decides about the one that begins. Two bursts in a row that met
// congestion with one N are followed by one that is foreseen to: no message is sent for a foreseen burst that asks for
// too much, as messages carry N when it changes. A burst with another N ends it. A share of another N is worse than
// none: it is too small if others left the port, and a flow cut below its share is not raised again soon.
func (e *Entry) begin(now unit.Time) Step {
	e.period = now.Sub(e.start)
	flows, before := e.most, e.among
	if e.most = 0; flows > 0 {
		e.among = flows
	}
	another := flows > 0 && changes(flows, before)
	if !e.learned {
		if !e.met {
			e.among = 0
		}
		if e.among == 0 || another {
			return None
		}
		e.learned, e.needless, e.unusual, e.usual, e.said.Live = true, 0, 0, e.bytes, e.among
		return Act
	}
	if e.needless++; e.met {
		e.needless = 0
	}
	if e.unusual++; !differs(e.bytes, e.usual) {
		e.unusual = 0
	}
	if another || e.needless == mostNeedless || e.unusual == mostUnusual {
		if e.learned = false; !e.met {
			e.among = 0
		}
		return Forget
	}
	e.said.Live = e.among // what was heard last is of the burst's end, when others had ended
	return Act
}

// differs reports whether a burst is more than a quarter off its usual size.
func differs(bytes, usual unit.Bytes) bool {
	d := bytes - usual
	return 4*max(d, -d) > usual
}

// changes reports whether flows are another number than before: a quarter off, or more.
func changes(flows, before int) bool {
	d := flows - before
	return 4*max(d, -d) >= before
}

// Heard records a reading of a point at which the flow met congestion.
func (e *Entry) Heard(at Point, reading *Reading) {
	if e.point != at {
		return
	}
	e.most = max(e.most, reading.Live)
	if e.learned {
		e.said = *reading
	}
}

// SlowedDown records that the flow had to be slowed down for a reading of a point.
func (e *Entry) SlowedDown(at Point, reading *Reading) {
	if e.point != at {
		e.most = 0
	}
	e.met, e.point, e.said, e.most = true, at, *reading, max(e.most, reading.Live)
}

// A learned flow that sends more than holdAbove of its share is brought down to
// holdTo of it. What else takes the port, answers to what comes the other way above
// all, is 2 % of it; and a flow rises again between two looks at it.
const (
	holdAbove = 0.98
	holdTo    = 0.97
)

// Wanted returns the part of its rate that a learned flow is to keep so that it has its share of the congested point, 1
// if it sends no more. The share is C/N, for any queue: the congested device takes care of the queue.
func (e *Entry) Wanted(now unit.Time) float64 {
	if !e.learned {
		return 1
	}
	said := e.said
	said.Depth = said.Threshold
	share := float64(said.Fair())
	rate, known := e.Meter.Rate(now)
	if !known || share == 0 || float64(rate) <= float64(holdAbove*share) {
		return 1
	}
	return float64(holdTo*share) / float64(rate)
}

// Held takes note that the flow was slowed down to its share.
func (e *Entry) Held() { e.met = true }

// Learned reports whether congestion of the flow is foreseen.
func (e *Entry) Learned() bool { return e.learned }

// CongestionPoint returns where the flow meets the congestion.
func (e *Entry) CongestionPoint() Point { return e.point }

// Live returns of how many flows at that point was last heard.
func (e *Entry) Live() int { return e.said.Live }

// SilenceTime is for how long a device is asked to be silent: three periods.
func (e *Entry) SilenceTime() unit.Duration { return 3 * e.period }

// Idle reports whether the flow was idle for long enough to be forgotten.
func (e *Entry) Idle(now unit.Time, settings *profile.ProximalLearning) bool {
	return now.Sub(e.last) > max(3*e.period, settings.Age)
}
