package result

import (
	"fmt"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Priority is the real-time priority of the thread on which a participant ran its windows.
type Priority struct {
	// Participant names it.
	Participant string
	// Given is set if its thread had real-time priority (SCHED_FIFO). Lost is the reason why it got none or lost it; ""
	// if it had it to the end.
	Given bool
	Lost  string
}

// heldPriority counts the participants that had real-time priority to the end.
func (t *Timing) heldPriority() (n int) {
	for _, p := range t.Priorities {
		if p.Given && p.Lost == "" {
			n++
		}
	}
	return n
}

// mostRemarks is the maximum number of reasons for normal priority that are reported.
const mostRemarks = 4

// Remarks say who lost real-time priority or got none, and why: participants with the same reason together.
func (t *Timing) Remarks() (list []string) {
	var reasons []string
	names := map[string][]string{}
	for _, p := range t.Priorities {
		if p.Lost == "" {
			continue
		}
		reason := "got no real-time priority: " + p.Lost
		if p.Given {
			reason = "lost its real-time priority: " + p.Lost
		}
		if names[reason] == nil {
			reasons = append(reasons, reason)
		}
		names[reason] = append(names[reason], p.Participant)
	}
	for i, reason := range reasons {
		if i == mostRemarks {
			return append(list, fmt.Sprintf("real-time priority was missing or lost for %s more; the manifest "+
				"lists them",
				unit.Count(len(reasons)-i, "reason")))
		}
		who := names[reason][0]
		if more := len(names[reason]) - 1; more > 0 {
			who += fmt.Sprintf(" and %d more", more)
		}
		list = append(list, fmt.Sprintf("%s %s; without it a run goes on at normal priority", who, reason))
	}
	return list
}
