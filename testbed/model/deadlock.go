package model

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/switchd"
)

// The longest time between two samples of the queues that wait for each other, and the least number of
// samples in what a watchdog takes to break a standstill, and in a run of a given length.
const (
	longestSample = unit.Millisecond
	leastSamples  = 4
)

// DeadlockPeriod returns the time between two samples of the queues that wait for each other: a millisecond, or a
// quarter of the shortest time after which a watchdog of the plan's switches breaks a standstill, so that cycles are
// found before it breaks them; or a quarter of the run, or of its limit, if that is shorter.
func DeadlockPeriod(p *plan.Plan) unit.Duration {
	period := longestSample
	for _, end := range []unit.Time{p.Until, p.Limit} {
		if end > 0 {
			period = min(period, unit.Duration(end)/leastSamples)
		}
	}
	for i := range p.Switches {
		s := &p.Switches[i]
		for port := range s.Links {
			if w := s.Profile.OfPort(port).Watchdog; w.Enabled && s.Profile.PFC.Enabled {
				period = min(period, w.Detect/leastSamples)
			}
		}
	}
	return max(1, period)
}

// Deadlocks finds cyclic buffer dependencies among the switches of a plan: cycles of queues
// that wait for each other and have not moved a frame for a period.
type Deadlocks struct {
	// Found are the cycles, in the order in which they were found. One is found again if it was broken, and has come
	// back.
	Found []result.Deadlock

	plan   *plan.Plan
	period unit.Duration
	// peers are the far ends of the switches' ports, by switch and port; far ends other than switches have Switch -1.
	peers [][]switchd.PortRef
	// still are the queues, by switch, that have stood still for a period.
	still [][]switchd.Blocked
	known map[switchd.QueueRef]unit.Time // when a queue was last found in a cycle
}

// NewDeadlocks returns a finder that has no sample yet.
func NewDeadlocks(p *plan.Plan) *Deadlocks {
	d := &Deadlocks{
		plan:   p,
		period: DeadlockPeriod(p),
		peers:  make([][]switchd.PortRef, len(p.Switches)),
		still:  make([][]switchd.Blocked, len(p.Switches)),
		known:  map[switchd.QueueRef]unit.Time{},
	}
	for i := range p.Switches {
		for port, link := range p.Switches[i].Links {
			far := switchd.PortRef{Switch: -1}
			peer := p.Peer(link, plan.End{Node: p.SwitchNode(i), Port: port})
			if n := p.Node(peer.Node); n.Kind == plan.KindSwitch {
				far = switchd.PortRef{Switch: n.Index, Port: peer.Port}
			}
			d.peers[i] = append(d.peers[i], far)
		}
	}
	return d
}

// peer returns the far end of a port, false if that is not a switch's.
func (d *Deadlocks) peer(p switchd.PortRef) (far switchd.PortRef, ok bool) {
	far = d.peers[p.Switch][p.Port]
	return far, far.Switch >= 0
}

// Sample takes what each switch lists as blocked when all events before now are
// handled and none after. Samples come in the order of time, at multiples of the period and at the end of
// the run.
func (d *Deadlocks) Sample(now unit.Time, blocked [][]switchd.Blocked) {
	last, waiting := now.Add(-d.period), 0
	for sw := range blocked {
		d.still[sw] = d.still[sw][:0]
		for i := range blocked[sw] {
			if blocked[sw][i].Since < last {
				d.still[sw] = append(d.still[sw], blocked[sw][i])
			}
		}
		waiting += len(d.still[sw])
	}
	if waiting < 2 {
		return
	}
	for _, cycle := range switchd.Cycles(d.still, d.peer) {
		since, found := unit.Time(0), false
		for _, q := range cycle {
			stood := q.In(d.still[q.Switch]).Since
			since = max(since, stood)
			found = found || d.known[q] > stood
		}
		for _, q := range cycle {
			d.known[q] = now
		}
		if !found {
			d.Found = append(d.Found, result.Deadlock{At: now, Since: since, Queues: d.names(cycle)})
		}
	}
}

func (d *Deadlocks) names(cycle []switchd.QueueRef) (names []string) {
	for _, q := range cycle {
		names = append(names, fmt.Sprintf("%s:%d/%d", d.plan.Switches[q.Switch].Name, q.Port, q.Class))
	}
	return names
}
