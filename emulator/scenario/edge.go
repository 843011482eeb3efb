package scenario

import (
	"fmt"
	"slices"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/wire"
)

// Edges are the last hosts of the graph, after the hosts with an emulated NIC. In the plan they are devices, numbered
// after the long-haul paths.

// nicNames are the hosts that have a NIC of ours.
func (b *builder) nicNames() []string { return b.graph.Hosts[:len(b.graph.Hosts)-len(b.edges)] }

// numNICs returns the number of NICs.
func (b *builder) numNICs() int { return len(b.nicNames()) }

// knownNICs lists them, for messages.
func (b *builder) knownNICs() string {
	if b.numNICs() == 0 {
		return "none"
	}
	return listEnds(b.nicNames())
}

// meansNoHost returns the reason why a word does not name a host with an emulated NIC.
func (b *builder) meansNoHost(word string) string {
	if slices.ContainsFunc(b.edges, func(e *edgeDraft) bool { return e.name == word }) {
		return fmt.Sprintf("%q is an edge: name a host with an emulated NIC, known are "+
			"%s", shorten(word), b.knownNICs())
	}
	return fmt.Sprintf("%q means no host: known are %s", shorten(word), b.knownNICs())
}

// isEdge reports whether a node of the graph is an edge.
func (b *builder) isEdge(id plan.NodeID) bool { return id >= b.graph.Host(b.numNICs()) }

// takeEdges makes edges of the hosts that the list of edges names.
func (b *builder) takeEdges() {
	if len(b.edgeList) == 0 {
		return
	}
	if b.fabric.kind == &explicit {
		b.add(b.root.Where("edges"), "edges does not apply to nodes that are written out: write kind: edge at the node")
		return
	}
	var hosts []int
	lines := map[int]int{}
	for i := range b.edgeList {
		e := &b.edgeList[i]
		if e.name == "" {
			b.requireReported(e.node)
			continue
		}
		host := slices.Index(b.graph.Hosts, e.name)
		if host < 0 {
			b.add(e.node.Where("node"), "node: no host has the name %q: known are %s", shorten(e.name),
				listEnds(b.graph.Hosts))
			continue
		}
		if line, twice := lines[host]; twice {
			b.add(e.node.Where("node"), "edge %q is written twice: line %d has it already", e.name, line)
			continue
		}
		lines[host] = e.at.Line
		hosts = append(hosts, host)
		b.edges = append(b.edges, e)
		link := b.graph.LinksOf(b.graph.Host(host))[0]
		l := &b.graph.Links[link]
		line := withDefaults(e.line, withDefaults(edgeLine, b.fabric.line))
		l.Forward.Rate, l.Backward.Rate = line.Rate, line.Rate
		l.Forward.Latency, l.Backward.Latency = line.Latency, line.Latency
	}
	b.was = b.graph.MoveLast(hosts)
}

var edgeNames = pass{
	name: "names of edges",
	run:  checkEdges,
}

// checkEdges looks at what concerns several edges, or the run with them.
func checkEdges(b *builder) {
	if len(b.edges) > maxEdges {
		b.add(b.edges[maxEdges].at, "%d edges: allowed are up to %d", len(b.edges), maxEdges)
	}
	type place struct{ namespace, name string }
	lines := map[place]int{}
	for _, e := range b.edges {
		at := place{e.Namespace, e.Interface}
		if e.Interface == "" {
			continue
		}
		if line, twice := lines[at]; twice {
			b.add(e.node.Where("interface"), "interface %q is that of two edges: line %d has it already", e.Interface, line)
		}
		lines[at] = e.at.Line
	}
}

var edgePass = pass{
	name:  "edges",
	after: []*pass{&wanPass},
	run:   addEdges,
}

// addEdges puts the edges into the plan.
func addEdges(b *builder) {
	for i, draft := range b.edges {
		station := b.numNICs() + i
		edge := draft.Edge
		edge.Host = draft.kernel
		edge.IP = plan.StationIP(station)
		b.plan.Devices = append(b.plan.Devices, plan.Device{
			Kind:  plan.KindEdge,
			Name:  draft.name,
			Links: b.linksOf(b.graph.Host(station)),
		})
		if edge.Host {
			node := int(b.graph.Host(station)) + len(b.wanLinks) // the plan is not whole, and cannot tell
			edge.MAC = wire.NodeMAC(uint32(node), 0)
		}
		if len(b.plan.Devices[i].Links) != 1 {
			b.add(draft.at, "edge %s has no link", draft.name)
			b.plan.Devices[i].Links = []int{0}
		}
		b.plan.Devices[i].Config = edge
	}
}

var treePass = pass{
	name:  "spanning tree",
	after: []*pass{&switchPass},
	run:   addTree,
}

// addTree gives the switches the tree along which they flood; only a plan with edges
// has one.
func addTree(b *builder) {
	if len(b.edges) == 0 {
		return
	}
	for i, ports := range b.graph.Tree(b.numNICs()) {
		if i < len(b.plan.Switches) {
			b.plan.Switches[i].Tree = ports
		}
	}
}

var endCheck = pass{
	name:  "end of the run",
	after: []*pass{&flowPass},
	run:   checkEnd,
}

// checkEnd refuses a run with edges that nothing ends.
func checkEnd(b *builder) {
	if len(b.edges) > 0 && len(b.plan.Flows) == 0 && len(b.traffic) == 0 && b.run.until == 0 {
		b.add(b.root.Where("run"), "no traffic of NICs and no run.until: a run with only edges ends at run.until")
	}
}
