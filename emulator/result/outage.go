package result

import (
	"cmp"
	"slices"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// LinkOutage is an outage of a link of the plan, by number, and when the fabric knew of it.
type LinkOutage struct {
	Link int
	// Place is its place among the outages of the link.
	Place int
	fabric.Outage
	Reaction
}

// Reaction has the times of the fabric's reaction to an outage of a link.
type Reaction struct {
	// Detected is the time at which both ends know of it. From Settled on routes avoid the link and the dead ends
	// towards it: unit.Never if routes stay as they are. Restored is the time at which both ends use the link again,
	// Returned the time at which all tables are as before it, unit.Never if none changes back.
	Detected, Settled, Restored, Returned unit.Time
}

// FlowOutage is an outage on the way of a flow.
type FlowOutage struct {
	LinkOutage
	// Known is the time at which the ends of the link that send for the flow know of it. From Whole on its ways, there
	// and back, lead to their ends over links that are up: past the link if Rerouted, else over it again.
	Known, Whole unit.Time
	Rerouted     bool
}

// Outage is an outage of a link that began before the run ended, and what it did.
type Outage struct {
	LinkOutage
	// Still are the flows that stood still for it, in the order of the plan.
	Still []Still
	// OutageLoss is the count of both ends of the link, NoRoute the drops of switches for want of a route meanwhile.
	record.OutageLoss
	NoRoute record.Loss
}

// Still is a flow that stood still for an outage. Over is false if it did so until it ended or the run did.
type Still struct {
	Flow int
	record.Gap
	Over bool
	// Recovery is the time from the beginning of the outage until the flow went on, Parts what it went to.
	Recovery unit.Duration
	Parts    recoveryParts
}

// until returns the time at which the flow went on.
func (s *Still) until() unit.Time { return s.From.Add(s.Length) }

// FindOutages finds what the outages of the plan's links did, which all lists in the order of their beginnings. on
// returns those on the way of a flow, in the order of the gaps in its receiver's record.
//
// A flow stood still for an outage if it had to repair anything at any time, and none of its packets was accepted for
// at least a tenth of the time in which routes led into it, and ten base RTTs, at a time that met the outage. That time
// may be longer than the outage: it may last until a timeout.
func (o *Outcome) FindOutages(all []LinkOutage, on func(flow int) []FlowOutage) {
	place := map[LinkOutage]int{}
	for _, outage := range all {
		if outage.From < o.End {
			place[outage] = len(o.Outages)
			o.Outages = append(o.Outages, Outage{LinkOutage: outage, OutageLoss: o.outageLoss(&outage)})
		}
	}
	o.addNoRoute()
	for number := range o.Flows {
		flow := o.flow(number)
		for i, outage := range on(number) {
			at, began := place[outage.LinkOutage]
			if still, ok := flow.stoodStill(i, &outage); ok && began {
				still.Flow = number
				o.Outages[at].Still = append(o.Outages[at].Still, still)
			}
		}
	}
}

// outageLoss returns the losses of the ports at both ends of a link to an outage.
func (o *Outcome) outageLoss(outage *LinkOutage) (sum record.OutageLoss) {
	link := &o.Plan.Links[outage.Link]
	for _, end := range []plan.End{link.A, link.B} {
		if port, _ := o.port(end); outage.Place < len(port.Outages) {
			lost := &port.Outages[outage.Place]
			sum.Void.Add(lost.Void)
			sum.Flushed.Add(lost.Flushed)
		}
	}
	return sum
}

// addNoRoute adds the drops of switches for want of a route to the outages. Drops since a change of a switch's table
// belong to the outage that began last by then, among the outages after whose end the tables had not all been put back.
func (o *Outcome) addNoRoute() {
	for i := range o.Switches {
		epochs := o.Plan.Switches[i].Epochs
		for k, lost := range o.Switches[i].NoRoute {
			if k == 0 || lost.Frames == 0 {
				continue // of no outage
			}
			at := epochs[k-1].At
			for n := len(o.Outages) - 1; n >= 0; n-- {
				outage := &o.Outages[n]
				if outage.From <= at && at < max(outage.To, outage.Returned) {
					outage.NoRoute.Add(lost)
					break
				}
			}
		}
	}
}

// stoodStill returns for how long the flow stood still for the i-th outage on its way, false if it did not.
func (r *ranFlow) stoodStill(i int, outage *FlowOutage) (still Still, ok bool) {
	if s := r.Sender; s.Resent == 0 && s.Timeouts == 0 {
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
	lasted := min(outage.Whole, r.runEnd).Sub(outage.From)
	if still.Length <= 0 || still.Length < max(lasted/10, 10*r.BaseRTT) {
		return still, false
	}
	still.Recovery = still.until().Sub(max(outage.From, start))
	still.Parts = r.recoveryParts(i, outage, &still)
	return still, true
}

// longest is the flow that stood still last, nil if none did.
func (o *Outage) longest() *Still {
	if len(o.Still) == 0 {
		return nil
	}
	last := slices.MaxFunc(o.Still, func(a, b Still) int { return cmp.Compare(a.until(), b.until()) })
	return &last
}

// unrecovered counts the flows that did not go on, and the QPs among them that fell into error.
func (o *Outage) unrecovered(flows []Flow) (still, failed uint64) {
	for i := range o.Still {
		if s := &o.Still[i]; !s.Over {
			still++
			if flows[s.Flow].Sender.Failed != 0 {
				failed++
			}
		}
	}
	return still, failed
}

// recoveries is the distribution of the recoveries, in microseconds.
func (o *Outage) recoveries() Distribution {
	var took []float64
	for i := range o.Still {
		took = append(took, o.Still[i].Recovery.Microseconds())
	}
	return distribution(took)
}

// linkName names a link as scenarios do.
func linkName(p *plan.Plan, number int) string { return plan.LinkName(p, number) }
