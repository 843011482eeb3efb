package model

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/switchd"
)

// DeadlockPeriod is the time between two samples of the queues that wait for each
// other; a cycle in two samples in a row is a deadlock.
const DeadlockPeriod = unit.Millisecond

// Deadlocks finds cyclic buffer dependencies among the switches of a plan.
type Deadlocks struct {
	// Found are the cycles in two samples in a row.
	Found []result.Deadlock

	plan  *plan.Plan
	peers map[switchd.PortRef]switchd.PortRef
	last  map[string]bool // cycles of the last sample
	known map[string]bool // cycles already reported
}

// NewDeadlocks returns a finder that has no sample yet.
func NewDeadlocks(p *plan.Plan) *Deadlocks {
	d := &Deadlocks{plan: p, peers: map[switchd.PortRef]switchd.PortRef{}, known: map[string]bool{}}
	for i := range p.Switches {
		for port, link := range p.Switches[i].Links {
			peer := p.Peer(link, plan.End{Node: p.SwitchNode(i), Port: port})
			if n := p.Node(peer.Node); n.Kind == plan.KindSwitch {
				d.peers[switchd.PortRef{Switch: i, Port: port}] = switchd.PortRef{Switch: n.Index, Port: peer.Port}
			}
		}
	}
	return d
}

// Sample takes what each switch lists as blocked when all events before now are
// handled and none after. Samples come in the order of time.
func (d *Deadlocks) Sample(now unit.Time, blocked [][]switchd.Blocked) {
	waiting := 0
	for _, list := range blocked {
		waiting += len(list)
	}
	if waiting < 2 {
		d.last = nil
		return
	}
	cycles := switchd.Cycles(blocked, func(p switchd.PortRef) (switchd.PortRef, bool) {
		peer, ok := d.peers[p]
		return peer, ok
	})
	seen := map[string]bool{}
	for _, cycle := range cycles {
		name := fmt.Sprint(cycle)
		seen[name] = true
		if d.last[name] && !d.known[name] {
			d.known[name] = true
			d.Found = append(d.Found, result.Deadlock{At: now, Queues: d.names(cycle)})
		}
	}
	d.last = seen
}

func (d *Deadlocks) names(cycle []switchd.QueueRef) (names []string) {
	for _, q := range cycle {
		names = append(names, fmt.Sprintf("%s:%d/%d", d.plan.Switches[q.Switch].Name, q.Port, q.Class))
	}
	return names
}
