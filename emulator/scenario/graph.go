package scenario

import "github.com/rocelab/rocelab/emulator/topology"

// makeGraph generates or wires the fabric; nil if it cannot be.
func (b *builder) makeGraph() *topology.Graph {
	if b.fabric.kind == nil {
		b.requireReported(b.fabric.node)
		return nil
	}
	return b.fabric.kind.graph(b, &b.fabric)
}

// withDefaults fills what a line does not say from another.
func withDefaults(line, other topology.Line) topology.Line {
	if line.Rate == 0 {
		line.Rate = other.Rate
	}
	if line.Latency == 0 {
		line.Latency = other.Latency
	}
	return line
}

// graphWithinLimits makes a fabric unless it is too small or too large.
func (b *builder) graphWithinLimits(of interface {
	Size() (hosts, links int)
	Graph() *topology.Graph
}) *topology.Graph {
	if hosts, links := of.Size(); hosts < 2 || hosts > maxHosts || links > maxLinks {
		b.add(b.fabric.at, "%d hosts and %d links: allowed are 2 to %d hosts and up to %d links",
			hosts, links, maxHosts, maxLinks)
		return nil
	}
	return of.Graph()
}
