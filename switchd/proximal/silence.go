package proximal

import "github.com/rocelab/rocelab/plugins/cc/unit"

// Silence has the flows that a congested device need not report, because their proximal devices foresee the congestion
// and hold them to their shares. The zero value has none.
type Silence struct {
	of map[Flow]quiet
}

// quiet is the end of the silence about a flow, and the number of flows by which its device shares the port.
type quiet struct {
	until unit.Time
	live  int
}

// maxSilence bounds the flows; beyond that a device goes on speaking of them.
const maxSilence = 1 << 16

// Set keeps silent about a flow until the given instant, whose device believes that
// live flows share the port; an instant that has passed ends the silence.
func (s *Silence) Set(flow Flow, now, until unit.Time, live int) {
	if until <= now {
		delete(s.of, flow)
		return
	}
	if s.of == nil {
		s.of = map[Flow]quiet{}
	}
	if _, ok := s.of[flow]; ok || len(s.of) < maxSilence {
		s.of[flow] = quiet{until, live}
	}
}

// Any reports whether there may be flows that are not reported.
func (s *Silence) Any() bool { return len(s.of) > 0 }

// Covers reports whether a flow is to be left out now.
func (s *Silence) Covers(flow Flow, now unit.Time) bool {
	_, ok := s.covering(flow, now)
	return ok
}

func (s *Silence) covering(flow Flow, now unit.Time) (quiet, bool) {
	q, ok := s.of[flow]
	if ok && q.until <= now {
		delete(s.of, flow)
		return quiet{}, false
	}
	return q, ok
}

// Misled reports whether the device of an unreported flow holds it to a wrong share. It does if there are more flows
// than it believes: shares that are a quarter too large fill a queue within milliseconds. Fewer flows matter only if
// lately, too, there were at most three quarters of the number that it believes.
func (s *Silence) Misled(flow Flow, now unit.Time, live, lately int) bool {
	q, ok := s.covering(flow, now)
	return ok && (live > q.live || 4*lately <= 3*q.live)
}

// Told records that the device of a flow was notified of the number of flows that share the port.
func (s *Silence) Told(flow Flow, live int) {
	if q, ok := s.of[flow]; ok {
		q.live = live
		s.of[flow] = q
	}
}
