package model

import (
	"slices"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// rerouting finds the ways of flows at any instant: a plan has all its tables, and when they change.
type rerouting struct {
	all []result.LinkOutage
	// epochs are the instants at which tables change, and plans the plan with the tables before the first of them and
	// from each of them on. instants are these and the ends of outages.
	epochs, instants []unit.Time
	plans            []*plan.Plan
}

func newRerouting(p *plan.Plan) *rerouting {
	r := &rerouting{all: allOutages(p), plans: []*plan.Plan{p}}
	for i := range p.Switches {
		for _, epoch := range p.Switches[i].Epochs {
			r.epochs = append(r.epochs, epoch.At)
		}
	}
	slices.Sort(r.epochs)
	r.epochs = slices.Compact(r.epochs)
	r.instants = slices.Clone(r.epochs)
	for _, outage := range r.all {
		r.instants = append(r.instants, outage.To)
	}
	slices.Sort(r.instants)
	r.instants = slices.Compact(r.instants)
	for _, at := range r.epochs {
		r.plans = append(r.plans, withEpochs(r.plans[len(r.plans)-1], at))
	}
	return r
}

// withEpochs is a plan with the tables that change at an instant.
func withEpochs(before *plan.Plan, at unit.Time) *plan.Plan {
	after := *before
	after.Switches = slices.Clone(before.Switches)
	for i := range after.Switches {
		sw := &after.Switches[i]
		for _, epoch := range sw.Epochs {
			if epoch.At != at {
				continue
			}
			sw.Routes = slices.Clone(sw.Routes)
			for _, change := range epoch.Changes {
				for station := change.First; station < change.First+change.Count; station++ {
					sw.Routes[station] = change.Set
				}
			}
		}
	}
	return &after
}

// table is the number of the tables that hold at an instant.
func (r *rerouting) table(at unit.Time) int {
	i, now := slices.BinarySearch(r.epochs, at)
	if now {
		i++
	}
	return i
}

// journey is a flow's ways by the tables, there and back.
type journey struct {
	*rerouting
	flow int
	ways map[int][]result.Step
}

func (j *journey) at(at unit.Time) []result.Step {
	table := j.table(at)
	ways, known := j.ways[table]
	if !known {
		p := j.plans[table]
		ways = slices.Concat(wayOf(p, j.flow), backOf(p, j.flow))
		j.ways[table] = ways
	}
	return ways
}

// sends returns which ends of a link send for the flow at an instant, A first.
func (j *journey) sends(link int, at unit.Time) (ends [2]bool) {
	p := j.plans[0]
	for _, step := range j.at(at) {
		if p.Node(step.Node).Links[step.Port] != link {
			continue
		}
		if p.Links[link].A == step.End {
			ends[0] = true
		} else {
			ends[1] = true
		}
	}
	return ends
}

// leads reports whether the ways lead to their ends at an instant, over no link that is down.
func (j *journey) leads(at unit.Time) bool {
	p := j.plans[0]
	flow := &p.Flows[j.flow]
	arrives := map[plan.NodeID]bool{}
	for _, step := range j.at(at) {
		link := p.Node(step.Node).Links[step.Port]
		for _, outage := range j.all {
			if outage.Link == link && outage.From <= at && at < outage.To {
				return false
			}
		}
		far := p.Peer(link, step.End).Node
		if p.Node(far).Kind == plan.KindSwitch && !j.goesOn(far, at) {
			return false
		}
		arrives[far] = true
	}
	return arrives[p.NICNode(flow.Src)] && arrives[p.StationNode(flow.Dst)]
}

// goesOn reports whether the ways leave a node at an instant.
func (j *journey) goesOn(node plan.NodeID, at unit.Time) bool {
	return slices.ContainsFunc(j.at(at), func(step result.Step) bool { return step.Node == node })
}

// outagesOn returns the outages on the ways of a flow, of its data and its ACKs, as they lead when the outage begins;
// in the order of their beginnings.
func (r *rerouting) outagesOn(flow int) (list []result.FlowOutage) {
	j := journey{rerouting: r, flow: flow, ways: map[int][]result.Step{}}
	p := r.plans[0]
	for _, outage := range r.all {
		ends := j.sends(outage.Link, outage.From)
		if !ends[0] && !ends[1] {
			continue
		}
		found := result.FlowOutage{LinkOutage: outage, Whole: unit.Never}
		knows := plan.ConvergenceOf(p, outage.Link, outage.Outage).Ends
		for end, sends := range ends {
			if sends {
				found.Known = max(found.Known, knows[end].Detected)
			}
		}
		for _, at := range r.instants {
			if at > outage.From && at != unit.Never && j.leads(at) {
				found.Whole = at
				ends := j.sends(outage.Link, at)
				found.Rerouted = !ends[0] && !ends[1]
				break
			}
		}
		list = append(list, found)
	}
	return list
}
