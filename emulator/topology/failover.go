package topology

import (
	"cmp"
	"encoding/binary"
	"errors"
	"maps"
	"math"
	"slices"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Failover is the input of routes: which end of a link avoids it at which times, and the time that the news takes.
//
// Every table is at every instant a subset of the shortest paths without faults, as in RFC 7938, section 5.2.1, for a
// Clos fabric with an AS number for each tier; so a frame never goes in circles, for any times. A switch leaves a port
// out while its own end of the link does, or while the switch at the far end has no path left, as far as the news has
// come: that takes Propagate, at each hop.
type Failover struct {
	// Buckets is the size of a group's table, 0 for an entry for each port.
	Buckets int
	// Weighted weights a port by its rate x the part of the capacity that is left beyond it.
	Weighted bool
	// Propagate is, by switch, how long after a neighbour it changes its table. Range: 0 or above.
	Propagate []unit.Duration
	// Losses are the spans during which ends avoid their links.
	Losses []Loss
}

// Loss is a span during which one end of a link avoids it.
type Loss struct {
	Link int
	// End is 0 for A, 1 for B.
	End      int
	From, To unit.Time
	// Drained is set if the link is still used when there is no other way.
	Drained bool
	// Cause numbers the outage, from 0, for Effect.
	Cause int
}

// Effect is the change made by a cause.
type Effect struct {
	// Settled is the last change of a table by the beginning of its losses, Returned the last by their end; unit.Never
	// for none.
	Settled, Returned unit.Time
	// Switches is the number of switches whose tables the beginning changes.
	Switches int
}

// level is the quality of a way.
type level struct {
	rank rank
	// left is the part of the capacity without faults that is left. Range: 0 to 1.
	left float64
}

type rank uint8

const (
	lost       rank = iota
	lastResort      // a way through a link that is drained
	usable
)

// whole is a way without faults.
var whole = level{usable, 1}

// step is a change of a level.
type step struct {
	at unit.Time
	level
	causes []cause
}

// cause is a loss that begins, or ends.
type cause struct {
	number int
	ends   bool
}

// mergeCauses returns the causes of a list, each once.
func mergeCauses(list []cause) []cause {
	slices.SortFunc(list, func(a, b cause) int {
		if a.number == b.number && a.ends != b.ends {
			return map[bool]int{false: -1, true: 1}[a.ends]
		}
		return cmp.Compare(a.number, b.number)
	})
	return slices.Compact(list)
}

// Converge gives the switches of a plan their epochs, and the sets of next hops that they need, and returns what
// each of a number of causes changes. It fails if a switch needs more sets than there are numbers for.
func (r *Routes) Converge(f *Failover, switches []plan.Switch, causes int) ([]Effect, error) {
	c := &convergence{
		Routes:   r,
		Failover: f,
		grouping: grouping{f.Weighted, f.Buckets},
		switches: switches,
		tables:   map[plan.NodeID]*changingTable{},
		effects:  make([]Effect, causes),
		touched:  make([]map[plan.NodeID]bool, causes),
	}
	for i := range c.effects {
		c.effects[i] = Effect{Settled: unit.Never, Returned: unit.Never}
		c.touched[i] = map[plan.NodeID]bool{}
	}
	c.regroup()
	c.findOwn()
	for _, d := range r.destinations() {
		c.follow(&d)
	}
	for i := range c.effects {
		c.effects[i].Switches = len(c.touched[i])
	}
	return c.effects, c.finish()
}

// destination is a switch that has hosts, and the runs of their numbers.
type destination struct {
	node plan.NodeID
	host int // one of them
	runs []fabric.RouteChange
}

// destinations returns the switches that have hosts, in the order of their first ones.
func (r *Routes) destinations() (list []destination) {
	place := map[plan.NodeID]int{}
	for host, at := range r.attach {
		if at < 0 || r.graph.IsHost(at) {
			continue
		}
		i, ok := place[at]
		if !ok {
			i = len(list)
			place[at] = i
			list = append(list, destination{node: at, host: host})
		}
		runs := list[i].runs
		if n := len(runs); n > 0 && runs[n-1].First+runs[n-1].Count == host {
			runs[n-1].Count++
			continue
		}
		list[i].runs = append(runs, fabric.RouteChange{First: host, Count: 1})
	}
	return list
}

// convergence is the work of Converge.
type convergence struct {
	*Routes
	*Failover
	grouping
	switches []plan.Switch
	// own are the levels of the ports whose ends lose their links, by the direction in which they send.
	own    map[fabric.LinkID][]step
	losers []int // the links of own, in their order
	tables map[plan.NodeID]*changingTable
	// effects and touched are by cause; touched are the switches that it changes.
	effects []Effect
	touched []map[plan.NodeID]bool
	failed  bool
}

// regroup gives the sets of next hops the entries that they have without faults.
func (c *convergence) regroup() {
	if c.plain() {
		return
	}
	for i := range c.switches {
		for k, ports := range c.switches[i].NextHops {
			weights := c.rates(plan.NodeID(i), ports)
			c.switches[i].NextHops[k] = c.entries(ports, weights, ports, weights)
		}
	}
}

// rates returns the rates at which a node sends at ports, as weights; 1 if groups are not weighted.
func (c *convergence) rates(node plan.NodeID, ports []uint16) []float64 {
	rates := make([]float64, len(ports))
	for i, port := range ports {
		if rates[i] = 1; c.Weighted {
			rates[i] = float64(c.graph.channel(node, int(port)).Rate)
		}
	}
	return rates
}

// findOwn finds the levels of the ports whose ends lose their links.
func (c *convergence) findOwn() {
	byEnd := map[fabric.LinkID][]Loss{}
	for _, l := range c.Losses {
		if at := fabric.LinkID(2*l.Link + l.End); l.From < l.To {
			byEnd[at] = append(byEnd[at], l)
		}
	}
	c.own = map[fabric.LinkID][]step{}
	for _, at := range slices.Sorted(maps.Keys(byEnd)) {
		c.own[at] = levelsOf(byEnd[at])
		c.losers = append(c.losers, int(at/2))
	}
	c.losers = slices.Compact(c.losers)
}

// levelsOf returns the levels of a port with losses.
func levelsOf(losses []Loss) []step {
	var changes []step
	for _, l := range losses {
		changes = append(changes, step{at: l.From, causes: []cause{{l.Cause, false}}})
		if l.To != unit.Never {
			changes = append(changes, step{at: l.To, causes: []cause{{l.Cause, true}}})
		}
	}
	slices.SortStableFunc(changes, func(a, b step) int { return cmp.Compare(a.at, b.at) })
	steps := []step{{level: whole}}
	for i := 0; i < len(changes); {
		next := changes[i]
		next.level = whole
		for i++; i < len(changes) && changes[i].at == next.at; i++ {
			next.causes = append(next.causes, changes[i].causes...)
		}
		for _, l := range losses {
			if l.From <= next.at && next.at < l.To {
				if next.rank = min(next.rank, lastResort); !l.Drained {
					next.rank = lost
				}
			}
		}
		if next.level != steps[len(steps)-1].level {
			steps = append(steps, next)
		}
	}
	return steps
}

// follow finds the tables of all switches for one destination: nearer switches come before the switches that are
// farther away, which hear of it from them.
func (c *convergence) follow(d *destination) {
	distance := c.distance[d.host]
	farthest := int32(0)
	waiting := map[int32][]plan.NodeID{} // the switches that change, by distance
	known := map[plan.NodeID]bool{}
	add := func(node plan.NodeID) {
		if !known[node] {
			known[node] = true
			waiting[distance[node]] = append(waiting[distance[node]], node)
			farthest = max(farthest, distance[node])
		}
	}
	for _, i := range c.losers {
		l := &c.graph.Links[i]
		if c.graph.IsHost(l.A.Node) || c.graph.IsHost(l.B.Node) {
			continue
		}
		switch a, b := distance[l.A.Node], distance[l.B.Node]; {
		case a == unreached || b == unreached:
		case a == b+1 && c.own[fabric.LinkID(2*i)] != nil:
			add(l.A.Node)
		case b == a+1 && c.own[fabric.LinkID(2*i+1)] != nil:
			add(l.B.Node)
		}
	}
	levels := map[plan.NodeID][]step{}
	for at := int32(1); at <= farthest; at++ {
		nodes := waiting[at]
		slices.Sort(nodes)
		for _, node := range nodes {
			steps := c.levelsAt(d, node, levels)
			if len(steps) == 1 {
				continue
			}
			levels[node] = steps
			for _, p := range c.graph.ports[node] {
				if !c.graph.IsHost(p.peer) && distance[p.peer] == at+1 {
					add(p.peer)
				}
			}
		}
	}
}

// way is a port on the shortest paths: the levels of its own end, and the levels of the switch at the far end.
type way struct{ own, far []step }

// advance moves the levels to an instant, and returns the causes of the changes at it. Changes at the far end are known
// later by the given time.
func (w *way) advance(at unit.Time, later unit.Duration) (causes []cause) {
	for len(w.own) > 1 && w.own[1].at <= at {
		w.own = w.own[1:]
		causes = append(causes, w.own[0].causes...)
	}
	for len(w.far) > 1 && w.far[1].at.Add(later) <= at {
		w.far = w.far[1:]
		causes = append(causes, w.far[0].causes...)
	}
	return causes
}

func (w *way) level() level { return level{min(w.own[0].rank, w.far[0].rank), w.far[0].left} }

var always = []step{{level: whole}}

// levelsAt returns the levels of a switch for a destination, and records the changes of its table. levels has the
// levels of the nearer switches that change.
func (c *convergence) levelsAt(d *destination, node plan.NodeID, levels map[plan.NodeID][]step) []step {
	ports := c.nextHops(node, d.host)
	rates := c.rates(node, ports)
	later := c.Propagate[node]
	ways := make([]way, len(ports))
	var instants []unit.Time
	for i, port := range ports {
		at := c.graph.ports[node][port]
		w := way{always, always}
		if own := c.own[c.directionOf(at.link, node, int(port))]; own != nil {
			w.own = own
		}
		if far := levels[at.peer]; far != nil {
			w.far = far
		}
		for _, s := range w.own[1:] {
			instants = append(instants, s.at)
		}
		for _, s := range w.far[1:] {
			instants = append(instants, s.at.Add(later))
		}
		ways[i] = w
	}
	slices.Sort(instants)
	table := c.table(node)
	entries := table.entriesOf(d.host)
	steps := []step{{level: whole}}
	for _, at := range slices.Compact(instants) {
		if at == unit.Never {
			break
		}
		now := step{at: at}
		for i := range ways {
			now.causes = append(now.causes, ways[i].advance(at, later)...)
			now.rank = max(now.rank, ways[i].level().rank)
		}
		var left []uint16
		var weights []float64
		for i := range ways {
			if l := ways[i].level(); now.rank != lost && l.rank == now.rank {
				left, weights = append(left, ports[i]), append(weights, rates[i]*l.left)
			}
		}
		if now.left = 1; c.Weighted {
			now.left = sumOf(weights) / sumOf(rates)
		}
		if next := c.entries(left, weights, ports, rates); !slices.Equal(next, entries) {
			entries = next
			table.change(c, d, at, entries)
			c.note(node, at, now.causes)
		}
		if now.level != steps[len(steps)-1].level {
			now.causes = mergeCauses(now.causes)
			steps = append(steps, now)
		}
	}
	return steps
}

func sumOf(list []float64) (sum float64) {
	for _, x := range list {
		sum += x
	}
	return sum
}

// directionOf returns the direction of a link in which a node's port sends.
func (c *convergence) directionOf(link int, node plan.NodeID, port int) fabric.LinkID {
	if c.graph.Links[link].A == (plan.End{Node: node, Port: port}) {
		return fabric.LinkID(2 * link)
	}
	return fabric.LinkID(2*link + 1)
}

// note records that causes change a table.
func (c *convergence) note(node plan.NodeID, at unit.Time, causes []cause) {
	for _, by := range causes {
		effect := &c.effects[by.number]
		last := &effect.Settled
		if by.ends {
			last = &effect.Returned
		} else {
			c.touched[by.number][node] = true
		}
		if *last == unit.Never || *last < at {
			*last = at
		}
	}
}

// changingTable is the table of a switch that changes.
type changingTable struct {
	sw      *plan.Switch
	sets    map[string]uint16
	changes []tableChange
}

type tableChange struct {
	at unit.Time
	fabric.RouteChange
}

func (c *convergence) table(node plan.NodeID) *changingTable {
	t := c.tables[node]
	if t == nil {
		t = &changingTable{sw: &c.switches[node], sets: map[string]uint16{}}
		for i, set := range t.sw.NextHops {
			t.sets[keyOf(set)] = uint16(i)
		}
		c.tables[node] = t
	}
	return t
}

// keyOf is a set as a key of a map.
func keyOf(set []uint16) string {
	key := make([]byte, 0, 2*len(set))
	for _, p := range set {
		key = binary.BigEndian.AppendUint16(key, p)
	}
	return string(key)
}

// entriesOf returns the entries for a host at the start.
func (t *changingTable) entriesOf(host int) []uint16 { return t.sw.NextHops[t.sw.Routes[host]] }

// change gives the hosts of a destination other entries.
func (t *changingTable) change(c *convergence, d *destination, at unit.Time, entries []uint16) {
	key := keyOf(entries)
	set, ok := t.sets[key]
	if !ok {
		if len(t.sw.NextHops) > math.MaxUint16 {
			c.failed = true
			return
		}
		set = uint16(len(t.sw.NextHops))
		t.sets[key] = set
		t.sw.NextHops = append(t.sw.NextHops, entries)
	}
	for _, run := range d.runs {
		run.Set = set
		t.changes = append(t.changes, tableChange{at, run})
	}
}

// finish makes epochs of the changes.
func (c *convergence) finish() error {
	if c.failed {
		return errors.New("a switch needs more than 65536 sets of next hops")
	}
	for _, node := range slices.Sorted(maps.Keys(c.tables)) {
		c.tables[node].epochs()
	}
	return nil
}

// epochs puts the changes of an instant into one epoch, and changes of consecutive stations to the same set into one
// change.
func (t *changingTable) epochs() {
	slices.SortFunc(t.changes, func(a, b tableChange) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.First, b.First))
	})
	for _, change := range t.changes {
		n := len(t.sw.Epochs)
		if n == 0 || t.sw.Epochs[n-1].At != change.at {
			t.sw.Epochs = append(t.sw.Epochs, fabric.Epoch{At: change.at})
			n++
		}
		list := t.sw.Epochs[n-1].Changes
		if m := len(list); m > 0 && list[m-1].Set == change.Set && list[m-1].First+list[m-1].Count == change.First {
			list[m-1].Count += change.Count
			continue
		}
		t.sw.Epochs[n-1].Changes = append(list, change.RouteChange)
	}
}
