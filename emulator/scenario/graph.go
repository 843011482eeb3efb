package scenario

import (
	"slices"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/topology"
)

// makeGraph generates or wires the fabric; nil if it cannot be.
func (b *builder) makeGraph() *topology.Graph {
	f := &b.fabric
	between, core := orLike(f.between, f.line), orLike(f.core, f.line)
	switch f.kind {
	case "star":
		return topology.Star(max(2, f.hosts), f.line)
	case "dumbbell":
		between.Rate = f.haul.rate(between.Rate)
		g := topology.Dumbbell(f.left, f.right, f.line, between)
		if f.haul.node != nil {
			b.stretch(g, []haul{{len(g.Links) - 1, &f.haul}})
		}
		return g
	case "leaf-spine":
		if hosts, links := f.leaves*f.hostsPerLeaf, f.leaves*f.spines*f.uplinks; hosts < 2 || hosts > maxHosts || links > maxLinks {
			b.add(f.at, "%d hosts and %d links between switches: allowed are 2 to %d hosts and up to %d such links", hosts, links, maxHosts, maxLinks)
			return nil
		}
		return topology.LeafSpine(f.leaves, f.spines, f.hostsPerLeaf, f.uplinks, f.line, between)
	case "two-dc":
		b.plan.Fabric = f.named()
		g := b.sized(f.twoDC(between))
		if g != nil && f.centre.sites > 1 {
			b.stretch(g, f.dci(g))
		}
		return g
	case "pc4-testbed":
		if f.nicsPerServer%f.spines != 0 {
			b.said(f.node)
			return nil
		}
		return b.sized(&topology.Racks{Double: f.centre.double, Single: f.centre.single, Spines: f.spines, NICs: f.nicsPerServer, Line: f.line, Uplink: between})
	case "hpcc-fat-tree":
		c := &f.centre
		return b.sized(&topology.Pods{Pods: c.pods, ToRs: c.tors, Aggs: c.aggs, Hosts: c.hostsPerToR, Cores: c.cores, Line: f.line, Uplink: between, Core: core})
	case "fat-tree":
		if f.k < 2 || f.k%2 != 0 {
			b.said(f.node)
			return nil
		}
		return topology.FatTree(f.k, f.line, core)
	case "explicit":
		return b.wire()
	}
	b.said(f.node)
	return nil
}

// orLike fills what a line does not say from another.
func orLike(l, other topology.Line) topology.Line {
	if l.Rate == 0 {
		l.Rate = other.Rate
	}
	if l.Latency == 0 {
		l.Latency = other.Latency
	}
	return l
}

// sized makes a fabric unless it is too small or too large.
func (b *builder) sized(of interface {
	Size() (hosts, links int)
	Graph() *topology.Graph
}) *topology.Graph {
	if hosts, links := of.Size(); hosts < 2 || hosts > maxHosts || links > maxLinks {
		b.add(b.fabric.at, "%d hosts and %d links: allowed are 2 to %d hosts and up to %d links", hosts, links, maxHosts, maxLinks)
		return nil
	}
	return of.Graph()
}

// wire makes the graph of the nodes and links that are written out.
func (b *builder) wire() *topology.Graph {
	before := len(b.list)
	nodes := b.numberNodes()
	links := b.findEnds(nodes)
	if len(b.list) > before || len(links) == 0 {
		b.said(b.fabric.node)
		return nil
	}
	b.givePorts(links, nodes)
	if len(b.list) > before {
		return nil
	}
	var switches, hosts []string
	for _, n := range b.fabric.nodes {
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
	var hauls []haul
	for i := range b.fabric.links {
		if w := &b.fabric.links[i].haul; w.node != nil {
			hauls = append(hauls, haul{i, w})
		}
	}
	b.stretch(g, hauls)
	return g
}

// numberNodes numbers the nodes as the graph does: switches first.
func (b *builder) numberNodes() map[string]plan.NodeID {
	number := map[string]plan.NodeID{}
	lines := map[string]int{}
	next := plan.NodeID(0)
	for _, hosts := range []bool{false, true} {
		for _, n := range b.fabric.nodes {
			if n.host != hosts {
				continue
			}
			if n.name == "" {
				b.said(n.node)
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
func (b *builder) findEnds(nodes map[string]plan.NodeID) []plan.Link {
	var links []plan.Link
	b.fabric.links = slices.DeleteFunc(b.fabric.links, func(d linkDraft) bool {
		if d.ends[0].node != "" && d.ends[1].node != "" {
			return false
		}
		b.said(d.written)
		return true
	})
	for _, d := range b.fabric.links {
		var ends [2]plan.End
		for i, e := range d.ends {
			n, ok := nodes[e.node]
			if !ok {
				b.add(e.at, "%s", unknown("node", e.node, b.nodeNames()))
			}
			ends[i] = plan.End{Node: n, Port: e.port}
		}
		if d.ends[0].node == d.ends[1].node {
			b.add(d.ends[1].at, "link from %q to itself: a link joins two nodes", d.ends[0].node)
		}
		line := orLike(d.line, b.fabric.line)
		line.Rate = d.haul.rate(line.Rate)
		c := fabric.Channel{Rate: line.Rate, Latency: line.Latency}
		links = append(links, plan.Link{A: ends[0], B: ends[1], Forward: c, Backward: c, Line: d.at.line})
	}
	return links
}

func (b *builder) nodeNames() []string {
	var names []string
	for _, n := range b.fabric.nodes {
		if len(names) == 12 {
			return append(names, "...")
		}
		names = append(names, n.name)
	}
	return names
}

// givePorts gives ends without a port their node's next free one, and refuses
// ports that are used twice, gaps, and hosts with several ports.
func (b *builder) givePorts(links []plan.Link, nodes map[string]plan.NodeID) {
	used := make([]map[int]int, len(nodes)) // the line that uses each port
	for i := range used {
		used[i] = map[int]int{}
	}
	each := func(visit func(e *plan.End, d *endDraft, line int)) {
		for i := range links {
			d := &b.fabric.links[i]
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
			b.add(d.at, "%q has port %d but not port %d: ports count from 0 without gaps; leave the number away to take the next free one", d.node, e.Port, e.Port-1)
		}
	})
	for _, n := range b.fabric.nodes {
		if n.host && len(used[nodes[n.name]]) > 1 {
			b.add(n.at, "host %q has %d links: a host has one port; write a server with several NICs as several hosts", n.name, len(used[nodes[n.name]]))
		}
	}
}

// hostPosition is where a host is written, the topology if it is generated.
func (b *builder) hostPosition(name string) position {
	for _, n := range b.fabric.nodes {
		if n.name == name {
			return n.at
		}
	}
	return b.fabric.at
}
