package model

import (
	"cmp"
	"slices"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/link"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
)

// outagesOn returns the outages of links on ways, in the order of their beginnings.
func outagesOn(p *plan.Plan, ways ...[]result.Step) []result.LinkOutage {
	var links []int
	for _, way := range ways {
		for _, step := range way {
			links = append(links, p.Node(step.Node).Links[step.Port])
		}
	}
	slices.Sort(links)
	return outagesOf(p, slices.Compact(links))
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
		for rest := link.NewOutages(p.Links[number].Outages); ; rest.RemoveFirst() {
			next, ok := rest.Next()
			if !ok {
				break
			}
			list = append(list, result.LinkOutage{Link: number, Outage: next})
		}
	}
	slices.SortFunc(list, func(a, b result.LinkOutage) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.Link, b.Link))
	})
	return list
}

// anyOutage reports whether any link of a plan goes down; the ways of flows cost time.
func anyOutage(p *plan.Plan) bool {
	return slices.ContainsFunc(p.Links, func(l plan.Link) bool { return len(l.Outages) > 0 })
}

// addOutages gives each receiver the outages on the way of its flow.
func (f *Fabric) addOutages(p *plan.Plan) {
	if !anyOutage(p) {
		return
	}
	for _, node := range f.Nodes {
		nic, ok := node.Design.(*NIC)
		if !ok {
			continue
		}
		for _, end := range nic.Ends {
			if c := end.Receiver; c != nil {
				for _, o := range outagesOn(p, wayOf(p, int(c.Flow)), backOf(p, int(c.Flow))) {
					c.Outages = append(c.Outages, fabric.Outage{From: o.From, To: o.To})
				}
			}
		}
	}
}
