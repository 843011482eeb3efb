package result

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/unit"
)

// LinkOutage is an outage of a link of the plan, by number.
type LinkOutage struct {
	Link int
	fabric.Outage
}

// Outage is an outage of a link that began before the run ended, and what it did.
type Outage struct {
	LinkOutage
	// Still are the flows that stood still for it, in the order of the plan.
	Still []Still
}

// Still is a flow that stood still for an outage. Over is false if it did so until it ended or the run did.
type Still struct {
	Flow int
	record.Gap
	Over bool
}

// until is when the flow went on.
func (s *Still) until() unit.Time { return s.From.Add(s.Length) }

// FindOutages finds what the outages of the plan's links did, which all lists in the order of their beginnings. on
// returns those on the way of a flow, in the order of the gaps in its receiver's record.
//
// A flow stood still for an outage if it had to repair anything at any time, and no packet of it was accepted for at
// least a tenth of the outage, and ten base RTTs, at a time that met the outage. That time may be longer than the
// outage: it may last until a timeout.
func (o *Outcome) FindOutages(all []LinkOutage, on func(flow int) []LinkOutage) {
	place := map[LinkOutage]int{}
	for _, outage := range all {
		if outage.From < o.End {
			place[outage] = len(o.Outages)
			o.Outages = append(o.Outages, Outage{LinkOutage: outage})
		}
	}
	for number := range o.Flows {
		flow := o.flow(number)
		for i, outage := range on(number) {
			at, began := place[outage]
			if still, ok := flow.stoodStill(i, outage.Outage); ok && began {
				still.Flow = number
				o.Outages[at].Still = append(o.Outages[at].Still, still)
			}
		}
	}
}

// stoodStill returns for how long the flow stood still for the i-th outage on its way, false if it did not.
func (r *ranFlow) stoodStill(i int, outage fabric.Outage) (still Still, ok bool) {
	if s := &r.Sender; s.Resent == 0 && s.Timeouts == 0 {
		return still, false
	}
	still.Over = true
	if i < len(r.Receiver.Gaps) {
		still.Gap = r.Receiver.Gaps[i]
	}
	start, end := r.life()
	if r.Sender.Failed != 0 {
		end = min(end, r.Sender.Failed)
	}
	if last := r.Receiver.Last; r.Sender.Completed == unit.Never {
		if last == unit.Never {
			last = start
		}
		if length := end.Sub(last); last < outage.To && outage.From < end && length > still.Length {
			still.Gap, still.Over = record.Gap{From: last, Length: length}, false
		}
	}
	lasted := min(outage.To, r.runEnd).Sub(outage.From)
	return still, still.Length > 0 && still.Length >= max(lasted/10, 10*r.BaseRTT)
}

// outageNotes name each outage, the flows that stood still for it, and the iterations that it met. None of this is a
// fault of the run.
func outageNotes(o *Outcome) (notes []Finding) {
	for i := range o.Outages {
		outage := &o.Outages[i]
		text := fmt.Sprintf("link %s was down from %v to %s: ", linkName(o.Plan, outage.Link), outage.From,
			untilText(outage.To, o.End))
		if len(outage.Still) == 0 {
			notes = append(notes, Finding{Pass, Outages, text + "no flow stood still for it"})
			continue
		}
		text += stillText(o, outage)
		if met := iterationsMet(o, outage); met != "" {
			text += "; " + met
		}
		notes = append(notes, Finding{Pass, Outages, text + "; routes do not avoid a link that is down"})
	}
	return notes
}

// stillText says how many flows stood still, and names the one that did so last.
func stillText(o *Outcome, outage *Outage) string {
	last := slices.MaxFunc(outage.Still, func(a, b Still) int { return cmp.Compare(a.until(), b.until()) })
	name := o.Plan.Flows[last.Flow].Name
	text := name + " stood still"
	if n := len(outage.Still); n > 1 {
		text = fmt.Sprintf("%d flows stood still, the last of them %s", n, name)
	}
	text += fmt.Sprintf(" from %v", last.From)
	failed := uint64(0)
	for _, still := range outage.Still {
		if o.Flows[still.Flow].Sender.Failed != 0 && !still.Over {
			failed++
		}
	}
	switch {
	case failed > 0:
		text += ", and " + unit.CountOf(failed, "QP", "QPs") + " fell into error"
	case !last.Over:
		text += " on"
	case last.until() > outage.To:
		text += fmt.Sprintf(" until %v after it", last.until().Sub(outage.To))
	default:
		text += fmt.Sprintf(" for %v", last.Length)
	}
	return text
}

// iterationsMet names the iterations of collectives whose flows stood still that were under way meanwhile, with the
// longest of them over the median of the others; "" if there are none.
func iterationsMet(o *Outcome, outage *Outage) string {
	until := map[string]unit.Time{}
	for _, still := range outage.Still {
		group := o.Plan.Flows[still.Flow].Group
		until[group] = max(until[group], still.until())
	}
	var parts []string
	for i := range o.Plan.Collectives {
		c := &o.Plan.Collectives[i]
		if end, hit := until[c.Name]; hit {
			if text := iterationsBetween(o, c, outage.From, end); text != "" {
				parts = append(parts, text)
			}
		}
	}
	return strings.Join(parts, "; ")
}

// iterationsBetween names the iterations of a collective that were under way between two instants.
func iterationsBetween(o *Outcome, c *plan.Collective, from, to unit.Time) string {
	first, last, longest, done := -1, -1, 0.0, true
	var others []float64
	for k := range c.Iterations {
		row := iterationOf(o, c, k)
		switch took := row.iterationTime(); {
		case row.begun < to && row.ended > from:
			if first < 0 {
				first = k
			}
			last = k
			done = done && row.ended != unit.Never
			longest = max(longest, took)
		case row.ended != unit.Never:
			others = append(others, took)
		}
	}
	if first < 0 {
		return ""
	}
	text := fmt.Sprintf("iteration %d of %s met it", first, c.Name)
	if last > first {
		text = fmt.Sprintf("iterations %d to %d of %s met it", first, last, c.Name)
	}
	switch {
	case !done:
		text += " and one of them was not done"
		if last == first {
			text = fmt.Sprintf("iteration %d of %s met it and was not done", first, c.Name)
		}
	case len(others) > 0:
		text += fmt.Sprintf(", and took up to %.3g times the median of the others", longest/distribution(others).P50)
	}
	return text
}

// linkName names a link as scenarios do: its two ends, with their ports if several links join them.
func linkName(p *plan.Plan, number int) string {
	l := &p.Links[number]
	for i := range p.Links {
		if other := &p.Links[i]; i != number && (other.A.Node == l.A.Node && other.B.Node == l.B.Node ||
			other.A.Node == l.B.Node && other.B.Node == l.A.Node) {
			return portAt(p, l.A) + "-" + portAt(p, l.B)
		}
	}
	return p.NodeName(l.A.Node) + "-" + p.NodeName(l.B.Node)
}
