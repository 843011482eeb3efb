package scenario

import (
	"slices"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/topology"
)

// wire makes the graph of the nodes and links that are written out.
func (x *explicitDraft) wire(b *builder) *topology.Graph {
	before := b.found
	nodes := x.numberNodes(b)
	links := x.findEnds(b, nodes)
	if b.found > before || len(links) == 0 {
		b.requireReported(b.fabric.node)
		return nil
	}
	x.givePorts(b, links, nodes)
	if b.found > before {
		return nil
	}
	var names [3][]string
	for i := range x.nodes {
		order := x.nodes[i].order()
		names[order] = append(names[order], x.nodes[i].name)
		if x.nodes[i].isEdge() {
			b.edges = append(b.edges, &x.nodes[i].edgeDraft)
		}
	}
	switches, hosts := names[0], append(names[1], names[2]...)
	graph, err := topology.Wire(switches, hosts, links)
	if err != nil {
		b.add(b.fabric.at, "%s", err)
		return nil
	}
	if len(hosts) < 2 {
		b.add(b.fabric.at, "the topology has %d hosts: traffic needs at least two", len(hosts))
		return nil
	}
	var hauls []wanLink
	for i := range x.links {
		if w := &x.links[i].haul; w.node != nil {
			hauls = append(hauls, wanLink{i, w})
		}
	}
	b.insertWANs(graph, hauls)
	return graph
}

// order is the place of a node's kind among the numbers of the graph: switches, NICs,
// edges.
func (n *nodeDraft) order() int {
	switch {
	case n.isSwitch():
		return 0
	case n.isNIC():
		return 1
	}
	return 2
}

// numberNodes numbers the nodes as the graph does: switches first, edges last.
func (x *explicitDraft) numberNodes(b *builder) map[string]plan.NodeID {
	number := map[string]plan.NodeID{}
	lines := map[string]int{}
	next := plan.NodeID(0)
	for order := range 3 {
		for i := range x.nodes {
			drafted := &x.nodes[i]
			if drafted.order() != order {
				continue
			}
			if drafted.name == "" {
				b.requireReported(drafted.node)
				continue
			}
			if line, twice := lines[drafted.name]; twice {
				b.add(drafted.at, "node %q is written twice: line %d has it already", drafted.name, line)
				continue
			}
			lines[drafted.name] = drafted.at.Line
			number[drafted.name] = next
			next++
		}
	}
	return number
}

// findEnds makes links of the drafts, one of each, their ports as written.
// Drafts without both ends are dropped: they were refused when they were read.
func (x *explicitDraft) findEnds(b *builder, nodes map[string]plan.NodeID) []plan.Link {
	var links []plan.Link
	x.links = slices.DeleteFunc(x.links, func(draft linkDraft) bool {
		if draft.ends[0].node != "" && draft.ends[1].node != "" {
			return false
		}
		b.requireReported(draft.written)
		return true
	})
	edges := x.edgeNames()
	for _, draft := range x.links {
		var ends [2]plan.End
		for i, e := range draft.ends {
			n, ok := nodes[e.node]
			if !ok {
				b.add(e.at, "%s", unknown("node", e.node, x.nodeNames()))
			}
			ends[i] = plan.End{Node: n, Port: e.port}
			if names := x.portNames(e.node); ok && e.name != "" {
				if ends[i].Port = slices.Index(names, e.name); ends[i].Port < 0 {
					b.add(e.at, "endpoint %q: %s", shorten(e.node+":"+e.name), x.noPort(e.node, e.name))
				}
			}
		}
		if draft.ends[0].node == draft.ends[1].node {
			b.add(draft.ends[1].at, "link from %q to itself: a link joins two nodes", draft.ends[0].node)
		}
		line := draft.line
		if edges[draft.ends[0].node] || edges[draft.ends[1].node] {
			line = b.edgeLink(&draft)
		}
		line = withDefaults(line, b.fabric.line)
		line.Rate = draft.haul.rate(line.Rate)
		c := fabric.Channel{Rate: line.Rate, Latency: line.Latency}
		links = append(links, plan.Link{
			A:        ends[0],
			B:        ends[1],
			Forward:  c,
			Backward: c,
			Line:     draft.at.Line,
		})
	}
	return links
}

// edgeNames returns the names of the edges.
func (x *explicitDraft) edgeNames() map[string]bool {
	names := map[string]bool{}
	for i := range x.nodes {
		if x.nodes[i].isEdge() {
			names[x.nodes[i].name] = true
		}
	}
	return names
}

// edgeLink returns the line of an edge's link.
func (b *builder) edgeLink(draft *linkDraft) topology.Line {
	if draft.haul.node != nil {
		b.add(draft.haul.node.At, "wan does not apply to the link of an edge: put a switch between the edge and the path")
	} else if least := draft.line.Latency; least != 0 && least < leastEdgeLatency {
		key := "latency"
		if draft.written.Child("length") != nil {
			key = "length"
		}
		b.add(draft.written.Where(key), "the latency of an edge's link is %v: allowed is %v or more, for it is how late a "+
			"frame may be", least, leastEdgeLatency)
	}
	return withDefaults(draft.line, edgeLine)
}

func (x *explicitDraft) nodeNames() []string {
	var names []string
	for _, n := range x.nodes {
		if len(names) == 12 {
			return append(names, "...")
		}
		names = append(names, n.name)
	}
	return names
}

// givePorts gives ends without a port their node's next free one, and refuses
// ports that are used twice, gaps, and hosts with several ports.
func (x *explicitDraft) givePorts(b *builder, links []plan.Link, nodes map[string]plan.NodeID) {
	used := make([]map[int]int, len(nodes)) // the line that uses each port
	for i := range used {
		used[i] = map[int]int{}
	}
	each := func(visit func(e *plan.End, d *endDraft, line int)) {
		for i := range links {
			d := &x.links[i]
			visit(&links[i].A, &d.ends[0], d.at.Line)
			visit(&links[i].B, &d.ends[1], d.at.Line)
		}
	}
	each(func(end *plan.End, draft *endDraft, line int) {
		if end.Port < 0 {
			return
		}
		if before, twice := used[end.Node][end.Port]; twice {
			b.add(draft.at, "port %d of %q is used twice: line %d uses it already", end.Port, draft.node, before)
		}
		used[end.Node][end.Port] = line
	})
	free := make([]int, len(nodes))
	each(func(end *plan.End, draft *endDraft, line int) {
		if end.Port >= 0 {
			return
		}
		for used[end.Node][free[end.Node]] != 0 {
			free[end.Node]++
		}
		end.Port = free[end.Node]
		used[end.Node][end.Port] = line
	})
	each(func(end *plan.End, draft *endDraft, _ int) {
		if _, ok := used[end.Node][end.Port-1]; end.Port > 0 && !ok {
			b.add(draft.at, "%q has port %d but not port %d: ports count from 0 without gaps; "+
				"leave the number away to take the next free one", draft.node, end.Port, end.Port-1)
		}
	})
	for i := range x.nodes {
		n := &x.nodes[i]
		switch ports := len(used[nodes[n.name]]); {
		case ports < 2 || n.isSwitch():
		case n.isNIC():
			b.add(n.at, "host %q has %d links: a host has one port; write a server with several NICs as several hosts",
				n.name, ports)
		default:
			b.add(n.at, "%q has %d links: an edge has one port", n.name, ports)
		}
	}
}

// hostPosition is where a host is written, the topology if it is generated.
func (b *builder) hostPosition(name string) position {
	if x, ok := b.fabric.own.(*explicitDraft); ok {
		for _, n := range x.nodes {
			if n.name == name {
				return n.at
			}
		}
	}
	return b.fabric.at
}

// nameServers takes the servers of nodes that are written out. A server's
// name is its own: no switch has it, and no host that is not in it.
func (x *explicitDraft) nameServers(b *builder) {
	hosts := map[string]*nodeDraft{}
	for i := range x.nodes {
		hosts[x.nodes[i].name] = &x.nodes[i]
	}
	held := map[string]int{}
	for i := range b.plan.NICs {
		nic := &b.plan.NICs[i]
		draft := hosts[nic.Name]
		if nic.Server = draft.server; nic.Server == "" {
			nic.Server = nic.Name
		}
		if held[nic.Server]++; held[nic.Server] == maxNICsPerServer+1 {
			b.add(draft.serverAt, "server %q has more than %d hosts: allowed are up to %d",
				nic.Server, maxNICsPerServer, maxNICsPerServer)
		}
		other := hosts[nic.Server]
		switch {
		case other == nil || other == draft:
		case other.isSwitch():
			b.add(draft.serverAt, "server %q has the name of a switch: a server's name is its own", nic.Server)
		case other.isEdge() || other.server != nic.Server:
			b.add(draft.serverAt, "server %q has the name of a host that is not in it: give that host the same server, "+
				"or the server another name", nic.Server)
		}
	}
}
