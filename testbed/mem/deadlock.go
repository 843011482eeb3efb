package mem

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/switchd"
)

// deadlockPeriod is the time between two looks for queues that wait for each
// other; a cycle seen at two looks in a row is a deadlock.
const deadlockPeriod = unit.Millisecond

// deadlocks observes the switches of a run for cyclic buffer dependencies.
type deadlocks struct {
	models  *models
	peers   map[switchd.PortRef]switchd.PortRef
	last    map[string]bool // cycles of the last look
	known   map[string]bool // cycles already reported
	found   []result.Deadlock
	blocked [][]switchd.Blocked
}

func newDeadlocks(m *models) *deadlocks {
	d := &deadlocks{models: m, peers: map[switchd.PortRef]switchd.PortRef{}, known: map[string]bool{},
		blocked: make([][]switchd.Blocked, len(m.switches))}
	switches := plan.NodeID(len(m.switches))
	for i := range m.plan.Links {
		l := &m.plan.Links[i]
		if l.A.Node < switches && l.B.Node < switches {
			a, b := switchd.PortRef{Switch: int(l.A.Node), Port: l.A.Port}, switchd.PortRef{Switch: int(l.B.Node), Port: l.B.Port}
			d.peers[a], d.peers[b] = b, a
		}
	}
	return d
}

// look is called when all events before now are handled.
func (d *deadlocks) look(now unit.Time) {
	waiting := 0
	for i, s := range d.models.switches {
		d.blocked[i] = s.Blocked()
		waiting += len(d.blocked[i])
	}
	if waiting < 2 {
		d.last = nil
		return
	}
	cycles := switchd.Cycles(d.blocked, func(p switchd.PortRef) (switchd.PortRef, bool) {
		peer, ok := d.peers[p]
		return peer, ok
	})
	seen := map[string]bool{}
	for _, cycle := range cycles {
		name := fmt.Sprint(cycle)
		seen[name] = true
		if d.last[name] && !d.known[name] {
			d.known[name] = true
			d.found = append(d.found, result.Deadlock{At: now, Queues: d.names(cycle)})
		}
	}
	d.last = seen
}

func (d *deadlocks) names(cycle []switchd.QueueRef) (names []string) {
	for _, q := range cycle {
		names = append(names, fmt.Sprintf("%s:%d/%d", d.models.plan.Switches[q.Switch].Name, q.Port, q.Class))
	}
	return names
}
