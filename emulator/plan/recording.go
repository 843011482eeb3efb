package plan

import (
	"slices"

	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// The default recording of a run over time is bounded, for any fabric.
const (
	// mostPorts and mostFlows are the maximum numbers of ports of a fabric and flows of a plan with series of their
	// own.
	mostPorts = 256
	mostFlows = 256
	// firstWidth is the least width of a bin, mostBins the maximum number of bins of a series: half as many at least,
	// once the run has been long enough.
	firstWidth = unit.Microsecond
	mostBins   = 512
	leastBins  = 32
	// mostRecorded is the maximum memory of all series of a run.
	mostRecorded = 8 * unit.MB
	// mostSends is the maximum memory of the states of all senders beside them: 43000 flows have leastBins.
	mostSends = 16 * unit.MB
	// queuesOfPort and queuesOfSwitch are the numbers of queues with a series: of a port, in the order of their first
	// frames, and of a switch whose ports have none, in the order in which they pass Kmin.
	queuesOfPort   = 4
	queuesOfSwitch = 2
	// seriesOfActivity and seriesOfProgress are the numbers of series of a port or tier, and of a flow or group.
	seriesOfActivity = 4
	seriesOfProgress = 5
	// seriesOfSends is the number of series of a sender's states.
	seriesOfSends = 3
	// valuesOfFlow is the most that an algorithm may name of its own.
	valuesOfFlow = 8
	binBytes     = 4
)

// Recording selects the records that a run keeps over model time. It depends only on the plan, so that every runner and
// number of workers keeps the same.
type Recording struct {
	// Grid is zero if nothing is recorded.
	Grid record.Grid
	// Ports is set if each port has its series; otherwise the ports of a switch that lead to one Tier share theirs.
	// Flows is set if each flow has its own; otherwise the flows of a group share them.
	Ports, Flows bool
	// Values is the grid of the values that algorithms report about themselves, the same or of fewer bins; zero if
	// flows have no series, or there is no room for it. It does not depend on the algorithms.
	Values record.Grid
	// Sends is the grid of the states of each sender, the same or of fewer bins; zero if nothing is recorded, or for
	// too many flows.
	Sends record.Grid
	// Queues is the number of queues with a series of their length, per port, or per switch if ports have none.
	Queues int
}

// MostBins returns how many bins a series may have in a run that lasts up to limit.
func (r Record) MostBins(limit unit.Time) int {
	switch {
	case r.Off:
		return 0
	case r.Interval > 0:
		return int(int64(limit)/int64(r.Interval)) + 1
	}
	return mostBins
}

// Recording returns what a run of the plan keeps.
func (p *Plan) Recording() Recording {
	switch {
	case p.Record.Off:
		return Recording{}
	case p.Record.Interval > 0:
		return Recording{
			Grid:   record.Grid{Width: p.Record.Interval},
			Values: record.Grid{Width: p.Record.Interval},
			Sends:  record.Grid{Width: p.Record.Interval},
			Ports:  true,
			Flows:  true,
			Queues: profile.Classes,
		}
	}
	r := Recording{
		Grid:   record.Grid{Width: firstWidth, Most: mostBins},
		Ports:  p.ports() <= mostPorts,
		Flows:  len(p.Flows) <= mostFlows,
		Queues: queuesOfPort,
	}
	if !r.Ports {
		r.Queues = queuesOfSwitch
	}
	room := int(mostRecorded / unit.Bytes(max(1, p.series(&r))*binBytes))
	r.Grid.Most = min(mostBins, max(leastBins, room))
	r.Values = p.valuesGrid(&r)
	r.Sends = gridWithin(r.Grid, len(p.Flows)*seriesOfSends, mostSends)
	// A run begins with bins so wide that it lasts long enough for them: it has the same bins at its end as
	// if they had been narrower first.
	shortest := p.Shortest()
	r.Grid.Width = r.Grid.WidthAt(shortest)
	for _, grid := range []*record.Grid{&r.Values, &r.Sends} {
		if grid.On() {
			grid.Width = grid.WidthAt(shortest)
		}
	}
	return r
}

// valuesGrid returns the finest grid for which the values of all flows have room beside the other series.
func (p *Plan) valuesGrid(r *Recording) record.Grid {
	if !r.Flows {
		return record.Grid{}
	}
	left := mostRecorded - unit.Bytes(p.series(r)*r.Grid.Most*binBytes)
	return gridWithin(r.Grid, len(p.Flows)*valuesOfFlow, left)
}

// gridWithin returns the finest grid, of fewer bins than another one, for which a number of series fit into memory;
// zero if that would be fewer than leastBins.
func gridWithin(grid record.Grid, series int, memory unit.Bytes) record.Grid {
	for unit.Bytes(series*grid.Most*binBytes) > memory {
		if grid.Most /= 2; grid.Most < leastBins {
			return record.Grid{}
		}
	}
	return grid
}

// recordedBytes returns the maximum memory of the series of a run; for series with a given interval it assumes the
// shortest run possible.
func recordedBytes(p *Plan) unit.Bytes {
	r := p.Recording()
	if !r.Grid.On() {
		return 0
	}
	bins := func(grid record.Grid) int {
		if grid.Most > 0 {
			return grid.Most
		}
		return int(int64(p.Shortest())/int64(grid.Width)) + 1
	}
	bytes := unit.Bytes(p.series(&r) * bins(r.Grid) * binBytes)
	if r.Flows && r.Values.On() {
		bytes += unit.Bytes(len(p.Flows) * valuesOfFlow * bins(r.Values) * binBytes)
	}
	return bytes
}

// ports returns the number of ports of all nodes.
func (p *Plan) ports() (n int) {
	for node := range p.EachNode {
		n += len(node.Links)
	}
	return n
}

// series returns how many series a recording has at most.
func (p *Plan) series(r *Recording) (n int) {
	if r.Ports {
		n = p.ports() * (seriesOfActivity + r.Queues)
	} else {
		for _, tiers := range p.Tiers() {
			n += r.Queues
			for t := range NumTiers {
				if slices.Contains(tiers, t) {
					n += seriesOfActivity
				}
			}
		}
	}
	if r.Flows {
		return n + len(p.Flows)*seriesOfProgress
	}
	type part struct {
		group string
		nic   int
	}
	parts := map[part]bool{}
	for i := range p.Flows {
		parts[part{p.Flows[i].Group, p.Flows[i].Src}] = true
	}
	return n + len(parts)*(seriesOfProgress-1) // no rate
}

// Groups returns the groups of the plan's flows, in the order of their first flows.
func (p *Plan) Groups() (names []string) {
	seen := map[string]bool{}
	for i := range p.Flows {
		if name := p.Flows[i].Group; !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	return names
}
