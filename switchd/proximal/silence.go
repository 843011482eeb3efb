package proximal

import "github.com/rocelab/rocelab/emulator/unit"

// Silence is the flows of which a congested device need not speak, because
// their proximal devices foresee the congestion. The zero value has none.
type Silence struct {
	until map[Flow]unit.Time
}

// maxSilence bounds the flows; beyond that a device goes on speaking of them.
const maxSilence = 1 << 16

// Keep is silent about f until the given instant; one that has passed ends it.
func (s *Silence) Keep(f Flow, now, until unit.Time) {
	if until <= now {
		delete(s.until, f)
		return
	}
	if s.until == nil {
		s.until = map[Flow]unit.Time{}
	}
	if _, ok := s.until[f]; ok || len(s.until) < maxSilence {
		s.until[f] = until
	}
}

// About tells whether f is to be left out now.
func (s *Silence) About(f Flow, now unit.Time) bool {
	until, ok := s.until[f]
	if ok && until <= now {
		delete(s.until, f)
		return false
	}
	return ok
}
