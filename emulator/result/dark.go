package result

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Dark is a link or a long-haul path that carried nothing at the end of a run, or none of the ACKs.
type Dark struct {
	// Name is the name of the long-haul path, or the port at which the link begins, "switch:port".
	Name string
	// Since is the beginning of the loss of every frame, or every ACK.
	Since unit.Time
	// ACKs is true if it is on the way of ACKs only: data of the flows arrived by other links, or the link loses
	// nothing but ACKs.
	ACKs bool
	// Flows are the flows that had it on their way: of those with a size the ones that did not complete, of those
	// until stopped the ones that were not stopped before.
	Flows []int
}

// FindDark finds the paths that lead nowhere: links and long-haul paths on the ways of flows that are down, or lose
// all, at the end of the run. Flows with a size count if they did not complete, others if they were not stopped before
// the path went dark. way is as in FindSlow; back returns the ports that the ACKs of a flow leave.
func (o *Outcome) FindDark(way, back func(flow int) []Step) {
	if !mayBeDark(o.Plan) {
		return
	}
	type place struct {
		name string
		acks bool
	}
	found := map[place]int{}
	walk := func(number int, steps []Step, acks bool) (dark bool) {
		for _, step := range steps {
			link := o.Plan.Node(step.Node).Links[step.Port]
			darkOn(o, link, step.End, acks, func(name string, since unit.Time) {
				if flow := o.flow(number); flow.stoppedBy(since) {
					return
				}
				at, known := found[place{name, acks}]
				if !known {
					at, found[place{name, acks}] = len(o.Dark), len(o.Dark)
					o.Dark = append(o.Dark, Dark{Name: name, Since: since, ACKs: acks})
				}
				if flows := o.Dark[at].Flows; len(flows) == 0 || flows[len(flows)-1] != number {
					o.Dark[at].Flows = append(flows, number)
				}
				dark = true
			})
		}
		return dark
	}
	for number := range o.Flows {
		if flow := o.flow(number); !flow.isIncomplete() && !flow.isEndless() {
			continue
		}
		if !walk(number, way(number), false) {
			walk(number, back(number), true)
		}
	}
}

// mayBeDark reports whether the plan has anything that goes dark; most have not, and ways of flows cost time.
func mayBeDark(p *plan.Plan) bool {
	return len(p.WANs) > 0 || slices.ContainsFunc(p.Links, func(l plan.Link) bool {
		return len(l.Outages) > 0 || l.Loss >= 1
	})
}

// darkOn calls for each part of what begins at a port of a link that is dark for data, or for ACKs.
func darkOn(o *Outcome, link int, from plan.End, acks bool, each func(name string, since unit.Time)) {
	passes := fabric.AckFrames
	if acks {
		passes = fabric.DataFrames
	}
	planned := &o.Plan.Links[link]
	toB := planned.A == from
	if since, down := lastOutage(planned.Outages, o.End); down {
		each(portAt(o.Plan, from), since)
	} else if planned.Loss >= 1 && planned.LossIn == nil && planned.LossOf != passes &&
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
	darkOn(o, path.Links[beyond.Port], beyond, acks, each)
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
			text := fmt.Sprintf("%s has been dark since %v, and %s sent into it", dark.Name, dark.Since,
				unit.CountOf(n, "of them is", "of them are"))
			if dark.ACKs {
				text = fmt.Sprintf("%s has passed no ACK since %v, and the ACKs of %d of them are sent "+
					"there", dark.Name,
					dark.Since, n)
			}
			parts = append(parts, text)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "; " + strings.Join(parts[:min(len(parts), maxDark)], "; ") + ": routes do not avoid dark links"
}

// maxDark is the largest number of dark paths that a finding names.
const maxDark = 4
