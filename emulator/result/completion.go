package result

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/unit"
)

// slowestArrival is the slowdown that a flow of an arrival process may have and still be expected to complete: flows
// that arrive shortly before the end of a run cannot, and only those that arrive earlier show that a fabric is stuck.
const slowestArrival = 100

// completion judges how the run ended.
func completion(outcome *Outcome, summary *Summary) []Finding {
	left := outcome.incomplete()
	sized := summary.Flows - summary.Endless
	switch overdue := slices.DeleteFunc(slices.Clone(left), outcome.arrivedLate); {
	case outcome.Interrupted:
		return []Finding{{Interrupted, Completion, fmt.Sprintf("stopped from outside at %v", outcome.End)}}
	case outcome.Exhausted:
		return []Finding{{Failed, Completion, fmt.Sprintf("the run's limit of %v came with %d of %d flows incomplete (%s)%s",
			outcome.Plan.Limit, summary.Incomplete, summary.Flows, outcome.firstOf(left), outcome.darkNote(left))}}
	case len(overdue) > 0 && !outcome.expectsIncomplete():
		return []Finding{{Failed, Completion, fmt.Sprintf("%d of %d flows with a size did not complete by the end of the "+
			"run at %v (%s)%s", len(overdue), sized, outcome.End, outcome.firstOf(overdue), outcome.darkNote(overdue))}}
	default:
		if note := outcome.darkNote(left); note != "" {
			return []Finding{{Pass, Completion, fmt.Sprintf("%d of %d flows with a size did not complete%s", len(left),
				sized, note)}}
		}
	}
	return nil
}

// expectsIncomplete reports whether the scenario has its own word on flows that do not complete.
func (o *Outcome) expectsIncomplete() bool {
	return o.Plan.Expect.AnyCompletion || slices.ContainsFunc(o.Plan.Expect.Checks, func(c plan.Check) bool {
		return slices.ContainsFunc([]string{c.Metric, c.Of}, func(metric string) bool {
			return metric == "completed" || metric == "incomplete"
		})
	})
}

// incomplete lists the flows with a size that did not complete, except those that the scenario stopped.
func (o *Outcome) incomplete() (flows []int) {
	for i := range o.Flows {
		planned := &o.Plan.Flows[i]
		if stopped := planned.Stop > 0 && planned.Stop <= o.End; planned.Size > 0 && !stopped &&
			o.Flows[i].Sender.Completed > o.End {
			flows = append(flows, i)
		}
	}
	return flows
}

// arrivedLate reports whether a flow came by an arrival process, too late to complete at slowestArrival.
func (o *Outcome) arrivedLate(flow int) bool {
	planned := &o.Plan.Flows[flow]
	return slices.Contains(o.Plan.Expect.Arrivals, planned.Group) &&
		planned.Start.Add(slowestArrival*o.Flows[flow].Ideal) > o.End
}

// firstOf names the first of flows that did not complete and how far it came; one that waits for other flows only
// if there are no others.
func (o *Outcome) firstOf(flows []int) string {
	waits := "none"
	for _, i := range flows {
		flow, sender := &o.Plan.Flows[i], &o.Flows[i].Sender
		if flow.Messages == nil {
			return fmt.Sprintf("%s had %v of %v acknowledged", flow.Name, sender.Acked, flow.Size)
		}
		for k := range sender.Messages {
			if sender.Messages[k].Completed > o.End {
				return fmt.Sprintf("message %d of %d of %s, which might be sent from %v on, was not acknowledged", k+1,
					len(flow.Messages), flow.Name, sender.Messages[k].Ready)
			}
		}
		if waits == "none" {
			waits = fmt.Sprintf("%s waited to send message %d of %d", flow.Name, len(sender.Messages)+1, len(flow.Messages))
		}
	}
	return waits
}

// Dark is a link or a long-haul path that carried nothing at the end of a run.
type Dark struct {
	// Name is that of the long-haul path, or the port at which the link begins, "switch:port".
	Name string
	// Since is the instant from which on it lost every frame.
	Since unit.Time
	// Flows are the flows with a size that did not complete and have it on their way.
	Flows []int
}

// FindDark finds the paths that lead nowhere: links and long-haul paths on the ways of flows that did not complete
// that are down, or lose all, at the end of the run. way is as in FindSlow.
func (o *Outcome) FindDark(way func(flow int) []Step) {
	found := map[string]int{}
	add := func(name string, since unit.Time, flow int) {
		i, known := found[name]
		if !known {
			i, found[name] = len(o.Dark), len(o.Dark)
			o.Dark = append(o.Dark, Dark{Name: name, Since: since})
		}
		if flows := o.Dark[i].Flows; len(flows) == 0 || flows[len(flows)-1] != flow {
			o.Dark[i].Flows = append(flows, flow)
		}
	}
	if !o.mayBeDark() {
		return
	}
	for _, flow := range o.incomplete() {
		for _, step := range way(flow) {
			node := o.Plan.Node(step.Node)
			o.darkOn(node.Links[step.Port], step.End, func(name string, since unit.Time) { add(name, since, flow) })
		}
	}
}

// mayBeDark reports whether the plan has anything that goes dark; most have not, and ways of flows cost time.
func (o *Outcome) mayBeDark() bool {
	return len(o.Plan.WANs) > 0 || slices.ContainsFunc(o.Plan.Links, func(l plan.Link) bool {
		return len(l.Outages) > 0 || l.Loss >= 1
	})
}

// darkOn calls for each dark part of what begins at a port of a link.
func (o *Outcome) darkOn(link int, from plan.End, each func(name string, since unit.Time)) {
	planned := &o.Plan.Links[link]
	toB := planned.A == from
	if since, down := lastOutage(planned.Outages, o.End); down {
		each(o.portAt(from), since)
	} else if planned.Loss >= 1 && planned.LossOf != fabric.AckFrames &&
		(planned.LossWay == plan.BothWays || (planned.LossWay == plan.AToB) == toB) {
		each(o.portAt(from), 0)
	}
	far := planned.B
	if !toB {
		far = planned.A
	}
	node := o.Plan.Node(far.Node)
	if node.Kind != plan.KindWAN {
		return
	}
	path := &o.Plan.WANs[node.Index]
	if since, down := lastOutage(path.Profile.Flaps, o.End); down {
		each(path.Name, since)
	} else if since, lost := lostSince(path.Profile.Phases, o.End); lost {
		each(path.Name, since)
	}
	beyond := plan.End{Node: far.Node, Port: 1 - far.Port}
	o.darkOn(path.Links[beyond.Port], beyond, each)
}

// portAt is the name of a port.
func (o *Outcome) portAt(end plan.End) string {
	node := o.Plan.Node(end.Node)
	return portName(node.Name, end.Port)
}

// lastOutage returns when the outage began that holds at an instant, false if there is none.
func lastOutage(outages []fabric.Outage, at unit.Time) (since unit.Time, down bool) {
	for _, outage := range outages {
		if outage.From < at && at <= outage.To {
			return outage.From, true
		}
	}
	return 0, false
}

// lostSince returns from when on a long-haul path loses every frame, false if it does not at an instant.
func lostSince(phases []profile.WANPhase, at unit.Time) (since unit.Time, lost bool) {
	for i := range phases {
		if phases[i].From >= at {
			break
		}
		all := phases[i].Loss.Mean() >= 1
		if all && !lost {
			since = phases[i].From
		}
		lost = all
	}
	return since, lost
}

// darkNote names the paths that lead nowhere of some flows, "" if there are none.
func (o *Outcome) darkNote(flows []int) string {
	var parts []string
	for i := range o.Dark {
		dark := &o.Dark[i]
		n := uint64(0)
		for _, flow := range dark.Flows {
			if _, of := slices.BinarySearch(flows, flow); of {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%s has been dark since %v, and %s sent into it", dark.Name, dark.Since,
				countOf(n, "of them is", "of them are")))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "; " + strings.Join(parts[:min(len(parts), maxDark)], "; ") + ": routes do not avoid what is dark"
}

// maxDark is the largest number of dark paths that a finding names.
const maxDark = 4
