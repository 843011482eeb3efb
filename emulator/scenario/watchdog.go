package scenario

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/plan"
)

// warnWatchdogs warns of watchdogs that take ordinary congestion for a storm, once for all switches that
// agree in that.
func (r *Report) warnWatchdogs(planned *plan.Plan) {
	seen := map[string]bool{}
	for i := range planned.Switches {
		s := &planned.Switches[i]
		node := planned.Node(planned.SwitchNode(i))
		least := s.Profile.LeastDetect(planned.AttachmentsOf(&node))
		w := &s.Profile.Watchdog
		if !w.Enabled || !s.Profile.PFC.Enabled || w.Detect >= least {
			continue
		}
		text := fmt.Sprintf("watchdog.detect is %v, below 4 x buffer / the slowest port's rate, which is %v: the watchdog "+
			"may take ordinary congestion for a storm, and drop what no storm holds", w.Detect, least)
		if !seen[text] {
			seen[text] = true
			r.Warnings = append(r.Warnings, fmt.Sprintf("%s; %s", text, s.Name))
		}
	}
}
