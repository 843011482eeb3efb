package model

import (
	"cmp"
	"slices"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/link"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/unit"
)

// outagesOn returns the outages of links on the ways of a flow, of its data and its ACKs, in the order of their
// beginnings.
func outagesOn(p *plan.Plan, ways ...[]result.Step) (list []result.FlowOutage) {
	var links []int
	for _, way := range ways {
		for _, step := range way {
			links = append(links, p.Node(step.Node).Links[step.Port])
		}
	}
	slices.Sort(links)
	for _, outage := range outagesOf(p, slices.Compact(links)) {
		list = append(list, result.FlowOutage{LinkOutage: outage, Whole: outage.To})
	}
	makeWhole(list)
	return list
}

// makeWhole moves each instant from which on the ways of a flow lead past a link out of the outages of its other links.
func makeWhole(list []result.FlowOutage) {
	ends := make([]unit.Time, len(list))
	for i := range list {
		ends[i] = list[i].Whole
	}
	for i := range list {
		whole := &list[i].Whole
		for j := range list { // in the order of their beginnings
			if list[j].From <= *whole && *whole < ends[j] {
				*whole = ends[j]
			}
		}
	}
}

// allOutages returns those of all links.
func allOutages(p *plan.Plan) []result.LinkOutage {
	links := make([]int, len(p.Links))
	for i := range links {
		links[i] = i
	}
	return outagesOf(p, links)
}

// outagesOf returns the outages of links, in the order of their beginnings; those of a link that touch are one.
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
				Reaction: reactionTo(next),
			})
			place++
		}
	}
	slices.SortFunc(list, func(a, b result.LinkOutage) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.Link, b.Link))
	})
	return list
}

// reactionTo is when the fabric reacts to an outage: its ends know at once, and routes stay as they are.
func reactionTo(outage fabric.Outage) result.Reaction {
	return result.Reaction{Detected: outage.From, Settled: unit.Never, Restored: outage.To}
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
	on := make([][]result.FlowOutage, len(p.Flows))
	for i := range on {
		on[i] = outagesOn(p, wayOf(p, i), backOf(p, i))
	}
	for _, node := range f.Nodes {
		nic, ok := node.Design.(*NIC)
		if !ok {
			continue
		}
		for _, end := range nic.Ends {
			if c := end.Receiver; c != nil {
				for _, o := range on[c.Flow] {
					c.Outages = append(c.Outages, fabric.Outage{From: o.From, To: o.To})
				}
			}
			if c := end.Sender; c != nil {
				for _, o := range on[c.Flow] {
					c.Outages = append(c.Outages, fabric.Outage{From: o.From, To: o.Whole})
				}
			}
		}
	}
}
