package scenario

import (
	"fmt"
	"slices"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Convergence has the times at which nodes learn of an outage of a link, or of a drain, and the routes' reaction. An
// instant that never comes is nil.
type Convergence struct {
	Link string `json:"link"`
	// Drain is set if the link is withdrawn from the routes from Down to Up, whether it is up or down.
	Drain bool       `json:"drain,omitempty"`
	Down  unit.Time  `json:"down_ps"`
	Up    *unit.Time `json:"up_ps,omitempty"`
	// Ends are the nodes at its ends, Detected and Restored when they take it out of use and use it again.
	Ends     [2]string     `json:"ends"`
	Detected [2]*unit.Time `json:"detected_ps"`
	Restored [2]*unit.Time `json:"restored_ps"`
	// Settled is the last change of a table that the loss causes, Returned the last that its end causes; Switches is
	// the number of switches that the loss changes.
	Settled  *unit.Time `json:"settled_ps,omitempty"`
	Returned *unit.Time `json:"returned_ps,omitempty"`
	Switches int        `json:"switches"`
}

// instant is a time that may never come.
func instant(at unit.Time) *unit.Time {
	if at == unit.Never {
		return nil
	}
	return &at
}

func convergences(planned *plan.Plan) (list []Convergence) {
	if planned.Failover == nil {
		return nil
	}
	for _, c := range planned.Failover.Convergence {
		l := &planned.Links[c.Link]
		row := Convergence{
			Link:     plan.LinkName(planned, c.Link),
			Drain:    c.Drain,
			Down:     c.From,
			Up:       instant(c.To),
			Ends:     [2]string{planned.NodeName(l.A.Node), planned.NodeName(l.B.Node)},
			Settled:  instant(c.Settled),
			Returned: instant(c.Returned),
			Switches: c.Switches,
		}
		for i, end := range c.Ends {
			row.Detected[i], row.Restored[i] = instant(end.Detected), instant(end.Restored)
		}
		list = append(list, row)
	}
	return list
}

// warnFailover warns of outages that are over, and of runs that end, before the routes have followed, and of tables
// that do not spread flows as evenly as ports do.
func (r *Report) warnFailover(planned *plan.Plan) {
	if planned.Failover == nil {
		return
	}
	end := planned.Until
	if end == 0 {
		end = planned.Limit
	}
	var unseen, late, cut []string
	for _, c := range planned.Failover.Convergence {
		name := fmt.Sprintf("link %s from %v to %v", plan.LinkName(planned, c.Link), c.From, c.To)
		last := max(seenAt(c.Ends[0]), seenAt(c.Ends[1]))
		if c.Settled != unit.Never {
			last = max(last, c.Settled)
		}
		switch {
		case c.Drain || c.From >= end:
		case c.Ends[0].Detected == unit.Never && c.Ends[1].Detected == unit.Never:
			unseen = append(unseen, name)
		case last >= c.To:
			late = append(late, fmt.Sprintf("%s, settled at %v", name, last))
		case last >= end:
			cut = append(cut, fmt.Sprintf("%s, settled at %v", name, last))
		}
	}
	r.warnOf(unseen, "no end of a link that is down learns of it, since detect is longer: no route changes")
	r.warnOf(late, "a link is up again before the routes have followed: detect and propagate take longer than the outage")
	r.warnOf(cut, fmt.Sprintf("the run ends at %v, before the routes have followed a link that is down", end))
	r.warnBuckets(planned)
}

// seenAt returns the time at which an end learns of an outage, 0 if it does not.
func seenAt(end plan.EndTimes) unit.Time {
	if end.Detected == unit.Never {
		return 0
	}
	return end.Detected
}

// warnOf warns of a condition that several things share, naming the first.
func (r *Report) warnOf(list []string, text string) {
	switch len(list) {
	case 0:
	case 1:
		r.Warnings = append(r.Warnings, text+"; "+list[0])
	default:
		r.Warnings = append(r.Warnings, fmt.Sprintf("%s; %s, and %d more", text, list[0], len(list)-1))
	}
}

// warnBuckets warns of groups whose size does not divide the number of buckets: some ports get more flows than others,
// and flows have other ports than without buckets even before anything fails.
func (r *Report) warnBuckets(planned *plan.Plan) {
	buckets := planned.Failover.Buckets
	if buckets == 0 {
		return
	}
	for i := range planned.Switches {
		sw := &planned.Switches[i]
		for _, set := range sw.Routes {
			ports := slices.Clone(sw.NextHops[set])
			slices.Sort(ports)
			if n := len(slices.Compact(ports)); n > 1 && buckets%n != 0 {
				r.Warnings = append(r.Warnings, fmt.Sprintf("buckets is %d, and %s has groups of %d ports: some get more flows "+
					"than others, and flows take other ports than with buckets: 0; allowed without are multiples of %d", buckets,
					sw.Name, n, n))
				return
			}
		}
	}
}
