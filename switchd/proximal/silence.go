package proximal

import "github.com/rocelab/rocelab/emulator/unit"

// Silence is the flows of which a congested device need not speak, because
// their proximal devices foresee the congestion. The zero value has none.
type Silence struct {
	until map[Flow]unit.Time
}

// maxSilence bounds the flows; beyond that a device goes on speaking of them.
const maxSilence = 1 << 16

// Set keeps silent about a flow until the given instant; one that has passed ends the
// silence.
func (s *Silence) Set(flow Flow, now, until unit.Time) {
	if until <= now {
		delete(s.until, flow)
		return
	}
	if s.until == nil {
		s.until = map[Flow]unit.Time{}
	}
	if _, ok := s.until[flow]; ok || len(s.until) < maxSilence {
		s.until[flow] = until
	}
}

// Covers reports whether a flow is to be left out now.
func (s *Silence) Covers(flow Flow, now unit.Time) bool {
	until, ok := s.until[flow]
	if ok && until <= now {
		delete(s.until, flow)
		return false
	}
	return ok
}
