package lockstep

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/engine"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/nodes/live/pace"
)

// Setup determines a run's windows. All participants get the same.
type Setup struct {
	// Run is the number that every frame of the run carries.
	Run uint32
	// Participants and Links count who takes part and the directions of links.
	Participants, Links int
	// Lookahead is the longest window; see fabric.Attachment.
	Lookahead unit.Duration
	// Schedule determines the end of the run.
	Schedule engine.Schedule
	// SamplePeriod is the interval at whose multiples a window ends and participants that hold switches are woken to
	// sample their blocked queues; 0 for none.
	SamplePeriod unit.Duration
	// Sampled marks these participants.
	Sampled []bool
	// Clock holds the run to the clock on the wall; nil for no clock.
	Clock *Pace
	// Looks marks the participants that take part in every window, because input may come to them from outside; nil for
	// none. It goes with a clock.
	Looks []bool
}

// What a setup may ask for, lest nonsense takes all memory of a host.
const (
	maxParticipants = 1 << 16
	maxLinks        = 1 << 20
)

// Check refuses a setup that does not determine windows.
func (s *Setup) Check() error {
	switch e := &s.Schedule; {
	case s.Participants < 1 || s.Participants > maxParticipants || s.Links < 0 || s.Links > maxLinks:
		return fmt.Errorf("setup of %d participants and %d directions of links: allowed are 1 to %d and 0 to %d",
			s.Participants, s.Links, maxParticipants, maxLinks)
	case len(s.Sampled) != s.Participants:
		return fmt.Errorf("setup of %d participants has the sampling flag of %d", s.Participants, len(s.Sampled))
	case s.Clock != nil && (s.Clock.Dilation < 1 || s.Clock.Dilation > pace.MaxDilation):
		return fmt.Errorf("setup with a dilation of %d: allowed are 1 to %d", s.Clock.Dilation, pace.MaxDilation)
	case s.Looks != nil && (s.Clock == nil || len(s.Looks) != s.Participants):
		return fmt.Errorf("setup of %d participants has the every-window flag of %d, clock %t",
			s.Participants, len(s.Looks), s.Clock != nil)
	case s.Lookahead <= 0 || s.SamplePeriod < 0:
		return fmt.Errorf("setup with windows of %v and samples every %v: allowed are above 0, and 0 and above",
			s.Lookahead, s.SamplePeriod)
	case e.Until < 0 || e.Limit <= 0 || e.Until > e.Limit || e.EndGrid < 0 || e.Until == 0 && e.EndGrid == 0:
		return fmt.Errorf("setup of a run until %v, at most %v, on an end grid of %v", e.Until, e.Limit, e.EndGrid)
	}
	return nil
}
