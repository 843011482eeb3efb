package plan

import (
	"math"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Failover is the behaviour of a plan's switches towards links that are down. Faults are fixed before the run, and so
// are the times at which nodes learn of them: Switch.Epochs has the resulting tables, Link.Knows the knowledge of the
// links' ends.
type Failover struct {
	// Buckets is the size of the table of a group of next hops, 0 for an entry for each port.
	Buckets int
	// Weighted is set if groups are weighted by capacity.
	Weighted bool
	// Convergence has the consequences of each outage and each drain of a link, in the order of their beginnings, then
	// of the links.
	Convergence []Convergence
	// Written has the scenario's further keys. Their consequences are in Convergence, Switch.Epochs and Link.Knows, so
	// that runs do not depend on it.
	Written FailoverKeys `json:"-"`
}

// FailoverKeys are keys of failover that a run does without.
type FailoverKeys struct {
	// Detect, Propagate and Restore apply to switches without their own. Dampening is nil for none.
	Detect, Propagate, Restore unit.Duration
	Dampening                  *Dampening
}

// UsualFailover has the times of a failover that has none of its own.
var UsualFailover = FailoverKeys{
	Detect:    10 * unit.Millisecond,
	Propagate: 10 * unit.Millisecond,
	Restore:   unit.Second,
}

// Dampening is that of links that go down, as RFC 2439 has it for routes.
type Dampening struct {
	// Penalty, Suppress and Reuse have no unit. Range: above 0, Reuse below Suppress.
	Penalty, Suppress, Reuse float64
	// HalfLife is that of a penalty, MaxSuppress the time from its ceiling to Reuse, 0 without a ceiling.
	HalfLife, MaxSuppress unit.Duration
}

// LeastSuppress is the longest MaxSuppress with which the penalty never exceeds suppress, rounded down to a picosecond.
func LeastSuppress(suppress, reuse float64, halfLife unit.Duration) unit.Duration {
	return unit.Whole[unit.Duration](math.Floor(float64(halfLife) * math.Log2(suppress/reuse)))
}

// Convergence has the consequences of one outage of a link, or of one drain. Touching outages of a link are one.
type Convergence struct {
	// Link is the link's number. The span is that of the outage or the drain.
	Link int
	fabric.Outage
	// Drain is set if the link is withdrawn from the routes in the span, whether it is up or down.
	Drain bool `json:",omitzero"`
	// Ends are the instants of its ends, A first.
	Ends [2]EndTimes
	// Settled is the last change of a switch's table that the loss causes, Returned the last that its end causes.
	// Each is unit.Never if there is none.
	Settled, Returned unit.Time
	// Switches is the number of switches whose tables the loss changes.
	Switches int
}

// EndTimes are the instants of one end of a link.
type EndTimes struct {
	// Detected is the time at which the end learns that the link is down, and flushes its queues; unit.Never if it is
	// up by then. For a drain it is the beginning.
	Detected unit.Time
	// Restored is the time at which the end uses the link again: after restore, and the delay of dampening; at the end
	// of the outage if nothing was detected, or if the link is a NIC's. unit.Never if it stays down.
	Restored unit.Time
}

// ConvergenceOf returns what follows from an outage of a link, with or without Failover: without, both ends know at
// once, unless the fault has a detection time, and no table changes.
func ConvergenceOf(p *Plan, link int, outage fabric.Outage) Convergence {
	if p.Failover != nil {
		for _, c := range p.Failover.Convergence {
			if c.Link == link && !c.Drain && c.From <= outage.From && outage.From < c.To {
				return c
			}
		}
	}
	c := Convergence{Link: link, Outage: outage, Settled: unit.Never, Returned: unit.Never}
	for end := range c.Ends {
		seen := p.Links[link].SeenAt(outage, end == 1)
		c.Ends[end] = EndTimes{Detected: seen.From, Restored: seen.To}
		if seen.Unheard() {
			c.Ends[end].Detected = unit.Never
		}
		if knows := p.Links[link].Knows; knows != nil {
			c.Ends[end].Detected = detectedIn(knows[end].Down, outage)
		}
	}
	return c
}

// detectedIn returns the beginning of the first span, within an outage, during which an end considers its link down,
// unit.Never if there is none.
func detectedIn(down []fabric.Outage, outage fabric.Outage) unit.Time {
	for _, known := range down {
		if outage.From <= known.From && known.From < outage.To {
			return known.From
		}
	}
	return unit.Never
}
