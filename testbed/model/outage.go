package model

import (
	"cmp"
	"slices"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/link"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
)

// allOutages returns the outages of all links.
func allOutages(p *plan.Plan) []result.LinkOutage {
	links := make([]int, len(p.Links))
	for i := range links {
		links[i] = i
	}
	return outagesOf(p, links)
}

// outagesOf returns the outages of links, in the order of their beginnings; touching outages of a link are one.
func outagesOf(p *plan.Plan, links []int) (list []result.LinkOutage) {
	for _, number := range links {
		place := 0
		for rest := link.NewOutages(p.Links[number].Outages); ; rest.RemoveFirst() {
			next, ok := rest.Next()
			if !ok {
				break
			}
			list = append(list, result.LinkOutage{
				Link:     number,
				Place:    place,
				Outage:   next,
				Reaction: reactionTo(p, number, next),
			})
			place++
		}
	}
	slices.SortFunc(list, func(a, b result.LinkOutage) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.Link, b.Link))
	})
	return list
}

// reactionTo returns the times of the fabric's reaction to an outage of a link.
func reactionTo(p *plan.Plan, link int, outage fabric.Outage) result.Reaction {
	c := plan.ConvergenceOf(p, link, outage)
	return result.Reaction{
		Detected: max(c.Ends[0].Detected, c.Ends[1].Detected),
		Settled:  c.Settled,
		Restored: max(c.Ends[0].Restored, c.Ends[1].Restored),
		Returned: c.Returned,
	}
}

// anyOutage reports whether any link of a plan goes down; the ways of flows cost time.
func anyOutage(p *plan.Plan) bool {
	return slices.ContainsFunc(p.Links, func(l plan.Link) bool { return len(l.Outages) > 0 })
}

// addOutages gives both ends of each flow the outages on its way: the receiver each until the link is up, the sender
// until the way is whole.
func (f *Fabric) addOutages(p *plan.Plan) {
	if !anyOutage(p) {
		return
	}
	rerouting := newRerouting(p)
	f.flows.outages = make([][]result.FlowOutage, len(p.Flows))
	for i := range p.Flows {
		f.flows.outages[i] = rerouting.outagesOn(i)
	}
}
