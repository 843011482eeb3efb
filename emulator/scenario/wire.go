package scenario

import (
	"slices"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/topology"
)

// wire makes the graph of the nodes and links that are written out.
func (x *explicitDraft) wire(b *builder) *topology.Graph {
	before := len(b.list)
	nodes := x.numberNodes(b)
	links := x.findEnds(b, nodes)
	if len(b.list) > before || len(links) == 0 {
		b.requireReported(b.fabric.node)
		return nil
	}
	x.givePorts(b, links, nodes)
	if len(b.list) > before {
		return nil
	}
	var switches, hosts []string
	for _, n := range x.nodes {
		if n.host {
			hosts = append(hosts, n.name)
		} else {
			switches = append(switches, n.name)
		}
	}
	g, err := topology.Wire(switches, hosts, links)
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
	b.insertWANs(g, hauls)
	return g
}

// numberNodes numbers the nodes as the graph does: switches first.
func (x *explicitDraft) numberNodes(b *builder) map[string]plan.NodeID {
	number := map[string]plan.NodeID{}
	lines := map[string]int{}
	next := plan.NodeID(0)
	for _, hosts := range []bool{false, true} {
		for _, n := range x.nodes {
			if n.host != hosts {
				continue
			}
			if n.name == "" {
				b.requireReported(n.node)
				continue
			}
			if line, twice := lines[n.name]; twice {
				b.add(n.at, "node %q is written twice: it stands at line %d already", n.name, line)
				continue
			}
			lines[n.name] = n.at.line
			number[n.name] = next
			next++
		}
	}
	return number
}

// findEnds makes links of the drafts, one of each, their ports as written.
// Drafts without both ends are dropped: they were refused when they were read.
func (x *explicitDraft) findEnds(b *builder, nodes map[string]plan.NodeID) []plan.Link {
	var links []plan.Link
	x.links = slices.DeleteFunc(x.links, func(d linkDraft) bool {
		if d.ends[0].node != "" && d.ends[1].node != "" {
			return false
		}
		b.requireReported(d.written)
		return true
	})
	for _, d := range x.links {
		var ends [2]plan.End
		for i, e := range d.ends {
			n, ok := nodes[e.node]
			if !ok {
				b.add(e.at, "%s", unknown("node", e.node, x.nodeNames()))
			}
			ends[i] = plan.End{Node: n, Port: e.port}
		}
		if d.ends[0].node == d.ends[1].node {
			b.add(d.ends[1].at, "link from %q to itself: a link joins two nodes", d.ends[0].node)
		}
		line := withDefaults(d.line, b.fabric.line)
		line.Rate = d.haul.rate(line.Rate)
		c := fabric.Channel{Rate: line.Rate, Latency: line.Latency}
		links = append(links, plan.Link{
			A:        ends[0],
			B:        ends[1],
			Forward:  c,
			Backward: c,
			Line:     d.at.line,
		})
	}
	return links
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
			visit(&links[i].A, &d.ends[0], d.at.line)
			visit(&links[i].B, &d.ends[1], d.at.line)
		}
	}
	each(func(e *plan.End, d *endDraft, line int) {
		if e.Port < 0 {
			return
		}
		if before, twice := used[e.Node][e.Port]; twice {
			b.add(d.at, "port %d of %q is used twice: it stands at line %d already", e.Port, d.node, before)
		}
		used[e.Node][e.Port] = line
	})
	free := make([]int, len(nodes))
	each(func(e *plan.End, d *endDraft, line int) {
		if e.Port >= 0 {
			return
		}
		for used[e.Node][free[e.Node]] != 0 {
			free[e.Node]++
		}
		e.Port = free[e.Node]
		used[e.Node][e.Port] = line
	})
	each(func(e *plan.End, d *endDraft, _ int) {
		if _, ok := used[e.Node][e.Port-1]; e.Port > 0 && !ok {
			b.add(d.at, "%q has port %d but not port %d: ports count from 0 without gaps; "+
				"leave the number away to take the next free one", d.node, e.Port, e.Port-1)
		}
	})
	for _, n := range x.nodes {
		if ports := len(used[nodes[n.name]]); n.host && ports > 1 {
			b.add(n.at, "host %q has %d links: a host has one port; write a server with several NICs as several hosts",
				n.name, ports)
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
		n := &b.plan.NICs[i]
		d := hosts[n.Name]
		if n.Server = d.server; n.Server == "" {
			n.Server = n.Name
		}
		if held[n.Server]++; held[n.Server] == maxNICsPerServer+1 {
			b.add(d.serverAt, "server %q has more than %d hosts: allowed are up to %d",
				n.Server, maxNICsPerServer, maxNICsPerServer)
		}
		other := hosts[n.Server]
		switch {
		case other == nil || other == d:
		case !other.host:
			b.add(d.serverAt, "server %q has the name of a switch: a server's name is its own", n.Server)
		case other.server != n.Server:
			b.add(d.serverAt, "server %q has the name of a host that is not in it: give that host the same server, "+
				"or the server another name", n.Server)
		}
	}
}
