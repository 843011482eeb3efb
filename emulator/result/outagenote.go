package result

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Outages is the check that reports outages of links.
const Outages Subject = "outage"

// outageNotes name each outage of a link, or of a switch with all of its links, the flows that stood still for it, and
// the iterations that it met. None of this is a fault of the run.
func outageNotes(o *Outcome) (notes []Finding) {
	for _, noted := range notedOutages(o) {
		outage := &noted.Outage
		text := fmt.Sprintf("%s was down from %v to %s: ", noted.what, outage.From, untilText(outage.To, o.End))
		if len(outage.Still) == 0 {
			notes = append(notes, Finding{Pass, Outages, text + "no flow stood still for it"})
			continue
		}
		text += stillText(o, outage)
		for _, met := range iterationsMet(o, outage) {
			text += "; " + met.String()
		}
		if !reroutes(o.Plan) {
			text += "; routes do not avoid a link that is down"
		}
		notes = append(notes, Finding{Pass, Outages, text})
	}
	return notes
}

// notedOutage is an outage with a note of its own: of a link, or of a switch with all of its links.
type notedOutage struct {
	what string
	Outage
}

// notedOutages returns the outages, in the order of their beginnings. The outages of the links of a switch that is
// down, for a reboot or after a drain, are one, and so are the outages of one flow for several of its links: the last.
func notedOutages(o *Outcome) (list []notedOutage) {
	type down struct {
		number int
		fabric.Outage
	}
	at := map[down]int{}
	for i := range o.Outages {
		outage := &o.Outages[i]
		link := &o.Plan.Links[outage.Link]
		noted, whole := notedOutage{"link " + linkName(o.Plan, outage.Link), *outage}, down{number: -1}
		for _, end := range []plan.End{link.A, link.B} {
			node := o.Plan.Node(end.Node)
			if node.Kind == plan.KindSwitch && whole.number < 0 &&
				slices.Contains(o.Plan.Switches[node.Index].Reboots, outage.Outage) {
				whole = down{node.Index, outage.Outage}
				noted.what = fmt.Sprintf("switch %s, with %s,", o.Plan.NodeName(end.Node),
					unit.Count(len(o.Plan.Switches[node.Index].Links), "link"))
			}
		}
		before, met := at[whole]
		if whole.number < 0 || !met {
			at[whole] = len(list)
			noted.Still = slices.Clone(outage.Still)
			list = append(list, noted)
			continue
		}
		list[before].Still = lastOfEach(append(list[before].Still, outage.Still...))
	}
	return list
}

// lastOfEach keeps for each flow, in the order of the plan, the last time for which it stood still.
func lastOfEach(still []Still) (list []Still) {
	slices.SortStableFunc(still, func(a, b Still) int {
		return cmp.Or(cmp.Compare(a.Flow, b.Flow), cmp.Compare(b.until(), a.until()))
	})
	return slices.CompactFunc(still, func(a, b Still) bool { return a.Flow == b.Flow })
}

// reroutes reports whether switches react to outages.
func reroutes(p *plan.Plan) bool { return p.Failover != nil }

// stillText is the number of flows that stood still, with the name of the last to go on and the parts of its recovery.
func stillText(o *Outcome, outage *Outage) string {
	last := outage.longest()
	name := o.Plan.Flows[last.Flow].Name
	text := name + " stood still"
	if n := len(outage.Still); n > 1 {
		text = fmt.Sprintf("%d flows stood still, the last of them %s", n, name)
	}
	text += fmt.Sprintf(" from %v", last.From)
	_, failed := outage.unrecovered(o.Flows)
	switch {
	case failed > 0:
		return text + ", and " + unit.CountOf(failed, "QP", "QPs") + " went into the error state"
	case !last.Over:
		return text + " on"
	case last.until() > outage.To:
		text += fmt.Sprintf(" until %v after it", last.until().Sub(outage.To))
	default:
		text += fmt.Sprintf(" for %v", last.Length)
	}
	return fmt.Sprintf("%s; it took %v from the outage on: %s", text, last.Recovery, last.Parts.String())
}

// metIterations are the iterations of a collective whose flows stood still that were under way meanwhile.
type metIterations struct {
	job         string
	first, last int
	// done is set if all of them were done. longer is the ratio of the longest of them to the median of the others, 0
	// if there are no others.
	done   bool
	longer float64
}

// count returns the number of iterations.
func (m *metIterations) count() int { return m.last - m.first + 1 }

// String names them.
func (m metIterations) String() string {
	text := fmt.Sprintf("iteration %d of %s met it", m.first, m.job)
	if m.count() > 1 {
		text = fmt.Sprintf("iterations %d to %d of %s met it", m.first, m.last, m.job)
	}
	switch {
	case !m.done && m.count() > 1:
		text += " and one of them was not done"
	case !m.done:
		text = fmt.Sprintf("iteration %d of %s was hit by it and not done", m.first, m.job)
	case m.longer > 0:
		text += fmt.Sprintf(", and took up to %.3g times the median of the others", m.longer)
	}
	return text
}

// iterationsMet returns the iterations of all collectives that met the outage, in the order of the plan.
func iterationsMet(o *Outcome, outage *Outage) (met []metIterations) {
	until := map[string]unit.Time{}
	for _, still := range outage.Still {
		group := o.Plan.Flows[still.Flow].Group
		until[group] = max(until[group], still.until())
	}
	for i := range o.Plan.Collectives {
		c := &o.Plan.Collectives[i]
		if end, hit := until[c.Name]; hit {
			if m := iterationsBetween(o, c, outage.From, end); m.first >= 0 {
				met = append(met, m)
			}
		}
	}
	return met
}

// jobsOf joins the names of the collectives that were met.
func jobsOf(met []metIterations) string {
	var names []string
	for i := range met {
		names = append(names, met[i].job)
	}
	return strings.Join(names, "; ")
}

// iterationsBetween finds the iterations of a collective that were under way between two instants; first is -1 if
// none were.
func iterationsBetween(o *Outcome, c *plan.Collective, from, to unit.Time) metIterations {
	m := metIterations{job: c.Name, first: -1, done: true}
	longest := 0.0
	var others []float64
	for k := range c.Iterations {
		row := iterationOf(o, c, k)
		switch took := row.iterationTime(); {
		case row.begun < to && row.ended > from:
			if m.first < 0 {
				m.first = k
			}
			m.last = k
			m.done = m.done && row.ended != unit.Never
			longest = max(longest, took)
		case row.ended != unit.Never:
			others = append(others, took)
		}
	}
	if m.done && len(others) > 0 {
		m.longer = longest / distribution(others).P50
	}
	return m
}
