package veth

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/notification"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/nodes/packet"
)

// Daemons determines how many nodes a daemon hosts. Containers and veths are there in every case.
type Daemons string

// The ways.
const (
	// PerNode has a daemon for each node.
	PerNode Daemons = "node"
	// PerServer has one for all NICs of a server, and one for each other node.
	PerServer Daemons = "server"
	// Pool has one for all nodes, in its own container, with sockets in
	// every node's namespace; fewest processes, so the fastest.
	Pool Daemons = "pool"
)

// ParseDaemons reads the name of a way.
func ParseDaemons(text string) (Daemons, error) {
	switch d := Daemons(text); d {
	case PerNode, PerServer, Pool:
		return d, nil
	}
	return "", fmt.Errorf("%q is not a way to place daemons: allowed are node, server, pool", text)
}

// trailerRoom is the room in the MTU of a veth beyond the longest frame.
const trailerRoom = 64

// vethMTU returns the MTU of the veths of a plan. If packets are small, the longest frame is a notification between
// switches: Ethernet 14, IPv4 20, UDP 8, message.
func vethMTU(p *plan.Plan) unit.Bytes {
	return max(p.MaxFrame(), 14+20+8+notification.MaxLen) + trailerRoom
}

// poolName is the name and the kind of the container that hosts all nodes, serverKind the kind of containers that hold
// NICs. Any other container is of its node's kind.
const (
	poolName   = "pool"
	serverKind = "server"
)

// layout decides what goes where: NICs in the container of their server, every other
// node in a separate container, which has the node's name and kind.
func layout(p *plan.Plan, s *State) error {
	servers := map[string]int{}
	count := map[int]int{} // NICs of each container
	for n := range p.EachNode {
		node := NodeState{Name: n.Name, Kind: string(n.Kind), Container: len(s.Containers)}
		if n.Kind != plan.KindNIC {
			for port := range n.Links {
				node.Interfaces = append(node.Interfaces, fmt.Sprintf("p%d", port))
			}
			s.Nodes = append(s.Nodes, node)
			s.addContainer(n.Name, string(n.Kind), 1)
			continue
		}
		server := serverOf(&p.NICs[n.Index])
		c, ok := servers[server]
		if !ok {
			c = len(s.Containers)
			servers[server] = c
			s.addContainer(server, serverKind, 0)
		}
		node.Container, node.Interfaces = c, []string{fmt.Sprintf("roce%d", count[c])}
		s.Nodes = append(s.Nodes, node)
		count[c]++
		if count[c] == 1 || s.Daemons == PerNode {
			s.addSocket(c)
		}
	}
	if s.Daemons == Pool {
		s.addContainer(poolName, "pool", 1)
	}
	seen := map[string]bool{}
	for i := range s.Containers {
		if seen[s.Containers[i].Name] {
			return fmt.Errorf("two containers would be called %s: rename the switch, the server or the long-haul path",
				s.Containers[i].Name)
		}
		seen[s.Containers[i].Name] = true
	}
	for i := range p.Links {
		s.Links = append(s.Links, LinkState{s.end(p.Links[i].A), s.end(p.Links[i].B)})
	}
	s.addHosts(p)
	s.MTU = vethMTU(p)
	s.assignParticipants()
	return nil
}

// serverOf names the server that holds a NIC.
func serverOf(n *plan.NIC) string {
	if n.Server != "" {
		return n.Server
	}
	return n.Name
}

func (s *State) addContainer(name, kind string, daemons int) {
	i := len(s.Containers)
	s.Containers = append(s.Containers, ContainerState{Name: name, Kind: kind, NetNS: s.path("net", name),
		Log: s.path("log", name)})
	for range daemons {
		s.addSocket(i)
	}
}

func (s *State) addSocket(c int) {
	list := &s.Containers[c].Sockets
	*list = append(*list, s.path("control", fmt.Sprintf("%d.%d", c, len(*list))))
}

func (s *State) end(e plan.End) linkEnd {
	n := &s.Nodes[e.Node]
	return linkEnd{n.Name, e.Port, n.Interfaces[e.Port]}
}

// assignParticipants gives each node its participant: participants are numbered by
// containers, and in a container by its daemons.
func (s *State) assignParticipants() {
	if s.Daemons == Pool {
		for i := range s.Nodes {
			s.Nodes[i].Host = poolName
		}
		return
	}
	first := make([]int, len(s.Containers))
	for c := 1; c < len(first); c++ {
		first[c] = first[c-1] + len(s.Containers[c-1].Sockets)
	}
	used := make([]int, len(s.Containers))
	for i := range s.Nodes {
		n := &s.Nodes[i]
		c := &s.Containers[n.Container]
		k := min(used[n.Container], len(c.Sockets)-1)
		used[n.Container]++
		n.Participant = first[n.Container] + k
		n.Host = c.Name
		if len(c.Sockets) > 1 {
			n.Host = fmt.Sprintf("%s/%d", c.Name, k)
		}
	}
}

// participant is a daemon with nodes.
type participant struct {
	container int
	socket    string
	nodes     []int
}

// participants lists the participants by their numbers.
func (s *State) participants() []participant {
	var list []participant
	for c := range s.Containers {
		if s.Daemons == Pool && s.Containers[c].Kind != poolName {
			continue
		}
		for _, socket := range s.Containers[c].Sockets {
			list = append(list, participant{container: c, socket: socket})
		}
	}
	for i := range s.Nodes {
		m := &list[s.Nodes[i].Participant]
		m.nodes = append(m.nodes, i)
	}
	return list
}

// participantName names the participant for messages.
func (s *State) participantName(m *participant) string {
	c := &s.Containers[m.container]
	if c.Kind == poolName {
		return "the pool's daemon"
	}
	var nodes []string
	for _, n := range m.nodes {
		nodes = append(nodes, s.Nodes[n].Name)
	}
	return daemonFor(c.Kind) + " of " + strings.Join(nodes, ", ")
}

// FitError reports that a plan cannot run on a testbed.
type FitError struct{ text string }

func (e *FitError) Error() string { return e.text }

// Participants is the number of daemons that host nodes.
func (s *State) Participants() int { return len(s.participants()) }

// Fits refuses a plan whose graph is not the testbed's. Its errors are
// *FitError.
func (s *State) Fits(p *plan.Plan) error {
	if err := s.fits(p); err != nil {
		return &FitError{err.Error()}
	}
	return nil
}

func (s *State) fits(p *plan.Plan) error {
	if !s.Ready {
		return fmt.Errorf("testbed %s was not brought up completely: `rocelab destroy --testbed %[1]s` removes it", s.Name)
	}
	want := &State{Name: s.Name, Daemons: s.Daemons}
	if err := layout(p, want); err != nil {
		return err
	}
	same := len(want.Nodes) == len(s.Nodes) && len(want.Links) == len(s.Links)
	for i := 0; same && i < len(s.Nodes); i++ {
		same = want.Nodes[i].Name == s.Nodes[i].Name && want.Nodes[i].Container == s.Nodes[i].Container
	}
	for i := 0; same && i < len(s.Links); i++ {
		same = want.Links[i] == s.Links[i]
	}
	if !same || !s.sameHosts(want) {
		return fmt.Errorf("testbed %s has another graph than the scenario (it was deployed with %s): latency and rate may "+
			"change, nodes and links may not", s.Name, s.Scenario)
	}
	if want.MTU > s.MTU {
		return fmt.Errorf("testbed %s carries frames of up to %v, the scenario has some of up to %v: deploy it "+
			"again", s.Name,
			s.MTU-trailerRoom, want.MTU-trailerRoom)
	}
	return nil
}

// checkPlugins refuses programs that the testbed's containers do not hold.
func (s *State) checkPlugins(plugins map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(plugins)) {
		if s.Plugins[name] != plugins[name] {
			return &FitError{fmt.Sprintf(
				"testbed %s does not hold %s, the program of algorithm %s: deploy it again with that plugin", s.Name,
				plugins[name], name)}
		}
	}
	return nil
}

// largestFrame is the largest frame that a veth of that MTU carries, with an 802.1Q
// tag. Rings hold it, so that no foreign frame is too long for them.
func largestFrame(mtu unit.Bytes) int {
	const tag = 4
	return packet.MinFrame + tag + int(mtu)
}
