package scenario

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

var watchdogPass = pass{
	name:  "watchdogs",
	after: []*pass{&switchPass, &dciThresholds},
	run:   resolveWatchdogs,
}

// resolveWatchdogs computes the detection time of the switches that set none.
func resolveWatchdogs(b *builder) {
	longest, _ := leastDetect(b.plan)
	for i := range b.plan.Switches {
		s := &b.plan.Switches[i].Profile
		if s.Watchdog.Detect == 0 {
			s.Watchdog.Detect = profile.DefaultDetect(longest)
		}
		for _, own := range b.ownPorts[i] {
			at := *s.OfPort(own.number)
			if at.Watchdog.Detect == 0 {
				at.Watchdog.Detect = profile.DefaultDetect(longest)
			}
			s.SetPort(own.number, &at)
		}
	}
}

// leastDetect returns the time that a queue may stand paused in ordinary congestion, and the switch that takes that
// long to drain; 0 if none is lossless. It is one bound for the whole fabric: a queue waits for the switch ahead, which
// may wait for the next, so that the buffer that takes longest may be any number of switches away.
func leastDetect(p *plan.Plan) (longest unit.Duration, at string) {
	for i := range p.Switches {
		s := &p.Switches[i]
		node := p.Node(p.SwitchNode(i))
		if least := s.Profile.LeastDetect(p.AttachmentsOf(&node)); s.Profile.PFC.Enabled && least > longest {
			longest, at = least, s.Name
		}
	}
	return longest, at
}

// warnWatchdogs warns of watchdogs that take ordinary congestion for a storm, once for all switches that
// agree in that.
func (r *Report) warnWatchdogs(planned *plan.Plan) {
	least, at := leastDetect(planned)
	seen := map[unit.Duration]bool{}
	for i := range planned.Switches {
		s := &planned.Switches[i]
		for port := range s.Links {
			w := s.Profile.OfPort(port).Watchdog
			if !w.Enabled || !s.Profile.PFC.Enabled || w.Detect >= least || seen[w.Detect] {
				continue
			}
			seen[w.Detect] = true
			r.Warnings = append(r.Warnings, fmt.Sprintf("watchdog.detect is %v, below 4 x buffer / the slowest "+
				"port's rate, which is %v at %s: the watchdog may take ordinary congestion for a storm, and drop "+
				"frames without one; %s",
				w.Detect, least, at, s.Name))
		}
	}
}
