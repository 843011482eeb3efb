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
	if !mayBeDark(o.Plan) {
		return
	}
	for _, flow := range incomplete(o) {
		for _, step := range way(flow) {
			node := o.Plan.Node(step.Node)
			darkOn(o, node.Links[step.Port], step.End, func(name string, since unit.Time) { add(name, since, flow) })
		}
	}
}

// mayBeDark reports whether the plan has anything that goes dark; most have not, and ways of flows cost time.
func mayBeDark(p *plan.Plan) bool {
	return len(p.WANs) > 0 || slices.ContainsFunc(p.Links, func(l plan.Link) bool {
		return len(l.Outages) > 0 || l.Loss >= 1
	})
}

// darkOn calls for each dark part of what begins at a port of a link.
func darkOn(o *Outcome, link int, from plan.End, each func(name string, since unit.Time)) {
	planned := &o.Plan.Links[link]
	toB := planned.A == from
	if since, down := lastOutage(planned.Outages, o.End); down {
		each(portAt(o.Plan, from), since)
	} else if planned.Loss >= 1 && planned.LossOf != fabric.AckFrames &&
		(planned.LossWay == plan.BothWays || (planned.LossWay == plan.AToB) == toB) {
		each(portAt(o.Plan, from), 0)
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
	darkOn(o, path.Links[beyond.Port], beyond, each)
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
func darkNote(paths []Dark, flows []int) string {
	var parts []string
	for i := range paths {
		dark := &paths[i]
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
