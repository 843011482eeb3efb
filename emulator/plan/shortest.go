package plan

import "github.com/rocelab/rocelab/plugins/cc/unit"

// Shortest returns a lower bound of the duration of a run of the plan, unless it is stopped from outside or nothing is
// left to happen before its flows are complete: the link of a NIC is busy for that time with its flows' data. It is 0
// for a plan with edges, whose runs are often stopped.
func (p *Plan) Shortest() unit.Time {
	switch {
	case len(p.Edges()) > 0:
		return 0
	case p.Until > 0:
		return p.Until
	}
	least := unit.Time(0)
	sent, got := make([]load, len(p.NICs)), make([]load, len(p.NICs))
	for i := range p.Flows {
		flow := &p.Flows[i]
		if flow.Size == 0 || flow.Stop > 0 {
			continue
		}
		sent[flow.Src].add(flow)
		got[flow.Dst].add(flow)
		alone := load{flow.Size, flow.Start}
		least = max(least, alone.end(p, flow.Src))
	}
	for nic := range p.NICs {
		least = max(least, sent[nic].end(p, nic), got[nic].end(p, nic))
	}
	return least
}

// load is the traffic of the flows at a NIC, and the start of the first of them.
type load struct {
	bytes unit.Bytes
	start unit.Time
}

func (l *load) add(flow *Flow) {
	if l.bytes == 0 || flow.Start < l.start {
		l.start = flow.Start
	}
	l.bytes += flow.Size
}

// end returns the earliest time at which it can have crossed the link of the NIC, at most the end of the run.
func (l *load) end(p *Plan, nic int) unit.Time {
	if l.bytes == 0 {
		return 0
	}
	link := &p.Links[p.NICs[nic].Link]
	rate, left := max(link.Forward.Rate, link.Backward.Rate), p.Limit.Sub(l.start)
	if left <= 0 || l.bytes >= rate.BytesIn(left) {
		return p.Limit
	}
	return l.start.Add(rate.SerialTime(l.bytes))
}
