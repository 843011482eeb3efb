package topology

import (
	"encoding/binary"
	"slices"

	"github.com/rocelab/rocelab/emulator/plan"
)

// Tables returns the routing table of a switch in the form of plan.Switch:
// for each host the index of a set of ports in nextHops. Equal sets are stored
// once. A host that the switch cannot reach has the empty set. Switches with equal routes
// share the slice, as all cores of a fat tree do, so it is not to be written to.
func (r *Routes) Tables(node plan.NodeID) (routes []uint16, nextHops [][]uint16) {
	t := table{sets: map[string]uint16{}, known: r.shared.begin(len(r.graph.Switches))}
	for host := 0; host < len(r.graph.Hosts); {
		at, next := r.attach[host], host+1
		switch {
		case at == node:
			t.ports = append(t.ports[:0], uint16(r.downlink[host]))
			t.add(t.intern(), 1)
		default:
			for next < len(r.graph.Hosts) && r.attach[next] == at { // in most fabrics they follow each other
				next++
			}
			t.add(t.towards(r, node, host), next-host)
		}
		host = next
	}
	return r.shared.expand(t.runs, len(r.graph.Hosts)), t.nextHops
}

// run is a sequence of hosts to which the same set of ports leads.
type run struct {
	set   uint16
	hosts int
}

// table is the routing table of a switch while it is made.
type table struct {
	runs     []run
	nextHops [][]uint16
	// sets finds a set by its ports. ports is the set that is looked for and key its ports as sets has them.
	sets  map[string]uint16
	ports []uint16
	key   []byte
	// known is, for each switch with hosts, one more than the set towards it; 0 if that is not known yet.
	known []uint32
}

// add makes a set lead to the next hosts, as many as given.
func (t *table) add(set uint16, hosts int) {
	if last := len(t.runs) - 1; last >= 0 && t.runs[last].set == set {
		t.runs[last].hosts += hosts
		return
	}
	t.runs = append(t.runs, run{set, hosts})
}

// towards returns the set towards the switch of a host.
func (t *table) towards(r *Routes, node plan.NodeID, host int) uint16 {
	at := r.attach[host]
	if at < 0 || r.graph.IsHost(at) {
		t.ports = t.ports[:0]
		return t.intern()
	}
	if t.known[at] == 0 {
		t.ports = r.graph.appendNearer(t.ports[:0], node, r.distance[host])
		t.known[at] = uint32(t.intern()) + 1
	}
	return uint16(t.known[at] - 1)
}

// intern returns the number of the set of ports, which becomes the next one if it is new.
func (t *table) intern() uint16 {
	if last := len(t.nextHops) - 1; last >= 0 && slices.Equal(t.nextHops[last], t.ports) {
		return uint16(last)
	}
	t.key = t.key[:0]
	for _, p := range t.ports {
		t.key = binary.BigEndian.AppendUint16(t.key, p)
	}
	id, ok := t.sets[string(t.key)]
	if !ok {
		id = uint16(len(t.nextHops))
		t.sets[string(t.key)] = id
		t.nextHops = append(t.nextHops, append([]uint16(nil), t.ports...))
	}
	return id
}

// sharedTables are the routes of switches, each once.
type sharedTables struct {
	byRuns map[string][]uint16
	key    []byte
	known  []uint32
}

// begin returns the memory of a table's knowledge of the given number of switches.
func (s *sharedTables) begin(switches int) []uint32 {
	if s.byRuns == nil {
		s.byRuns, s.known = map[string][]uint16{}, make([]uint32, switches)
	}
	clear(s.known)
	return s.known
}

// expand returns the set for each host.
func (s *sharedTables) expand(runs []run, hosts int) []uint16 {
	s.key = s.key[:0]
	for _, r := range runs {
		s.key = binary.BigEndian.AppendUint16(s.key, r.set)
		s.key = binary.BigEndian.AppendUint32(s.key, uint32(r.hosts))
	}
	if routes, ok := s.byRuns[string(s.key)]; ok {
		return routes
	}
	routes := make([]uint16, 0, hosts)
	for _, r := range runs {
		for range r.hosts {
			routes = append(routes, r.set)
		}
	}
	s.byRuns[string(s.key)] = routes
	return routes
}
