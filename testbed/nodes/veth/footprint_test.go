package veth

import (
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/nodes/live/device"
)

// A fabric of long links only gets windows, and so rings, that fit.
func TestWindowsOfLongLinksAreCut(t *testing.T) {
	p := star(t, 3, "")
	if got := longestWindow(p); got != p.Lookahead() {
		t.Errorf("1 us links: windows of %v, want the lookahead of %v", got, p.Lookahead())
	}
	for i := range p.Links {
		p.Links[i].Forward.Latency, p.Links[i].Backward.Latency = 600*unit.Microsecond, 600*unit.Microsecond
	}
	if got, want := longestWindow(p), 6720*unit.Nanosecond; got != want { // 1000 frames of 84 B at 100 Gb/s
		t.Errorf("600 us links: windows of %v, want %v", got, want)
	}
	if rings := runFootprint(p).Memory; rings > 200*unit.MB {
		t.Errorf("the rings of three links take %v", rings)
	}
}

// Servers of several NICs take a container each, and a daemon, unless each NIC has
// one of its own.
func TestNeedCountsServers(t *testing.T) {
	p := servers(t)
	for d, nodes := range map[Daemons]int{PerServer: 3, PerNode: 5, Pool: 4} {
		var s State
		s.Daemons = d
		if err := layout(p, &s); err != nil {
			t.Fatal(err)
		}
		n := Footprint(p, d)
		if n.Nodes != nodes || n.Nodes != max(len(s.Containers), s.Participants()) {
			t.Errorf("a daemon per %s: %d nodes needed for %d containers and %d daemons, want %d", d, n.Nodes,
				len(s.Containers), s.Participants(), nodes)
		}
		if rings := runFootprint(p).Memory; n.Memory != rings+unit.Bytes(nodes)*nodeMemory {
			t.Errorf("a daemon per %s: %v needed, the rings take %v", d, n.Memory, rings)
		}
	}
}

// The device of an edge has a ring and descriptors of its own.
func TestNeedCountsDevicesOfEdges(t *testing.T) {
	const h2, h3 = "{node: h2, interface: b, mtu: 9000B}", "{node: h3, interface: a, mtu: 9000B}"
	one := runFootprint(star(t, 4, "edges: ["+h3+"]\n"))
	two := runFootprint(star(t, 4, "edges: ["+h2+", "+h3+"]\n"))
	if ring := two.Memory - one.Memory; ring != unit.Bytes(device.Default(9000).Bytes()) {
		t.Errorf("the ring of another device takes %v", ring)
	}
	if more := two.Descriptors - one.Descriptors; more != 3 {
		t.Errorf("%d descriptors more, want 3", more)
	}
}
