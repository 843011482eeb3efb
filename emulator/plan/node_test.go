package plan

import (
	"slices"
	"testing"
)

// fabricOfAll has two nodes of each kind.
func fabricOfAll() *Plan {
	return &Plan{
		Switches: []Switch{{Name: "s0", Links: []int{0, 1}}, {Name: "s1", Links: []int{4}}},
		NICs:     []NIC{{Name: "h0", Link: 0}, {Name: "h1", Link: 5}},
		WANs:     []WAN{{Name: "w0", Links: [2]int{1, 2}}, {Name: "w1", Links: [2]int{6, 7}}},
		Devices:  []Device{{Kind: "host", Name: "d0", Links: []int{3}}, {Kind: "edge", Name: "d1"}},
	}
}

func TestNodesAreNumberedByKind(t *testing.T) {
	p := fabricOfAll()
	want := []Node{
		{0, KindSwitch, "s0", 0, []int{0, 1}},
		{1, KindSwitch, "s1", 1, []int{4}},
		{2, KindNIC, "h0", 0, []int{0}},
		{3, KindNIC, "h1", 1, []int{5}},
		{4, KindWAN, "w0", 0, []int{1, 2}},
		{5, KindWAN, "w1", 1, []int{6, 7}},
		{6, "host", "d0", 0, []int{3}},
		{7, "edge", "d1", 1, nil},
	}
	number := map[Kind]func(int) NodeID{
		KindSwitch: p.SwitchNode, KindNIC: p.NICNode, KindWAN: p.WANNode, "host": p.DeviceNode, "edge": p.DeviceNode,
	}
	k := 0
	for n := range p.EachNode {
		w := want[k]
		if n.ID != w.ID || n.Kind != w.Kind || n.Name != w.Name || n.Index != w.Index || !slices.Equal(n.Links, w.Links) {
			t.Errorf("node %d is %+v, want %+v", k, n, w)
		}
		if p.NodeName(n.ID) != w.Name || p.KindOf(n.ID) != w.Kind || number[n.Kind](n.Index) != n.ID {
			t.Errorf("node %d: %s, a %s, number %d", k, p.NodeName(n.ID), p.KindOf(n.ID), number[n.Kind](n.Index))
		}
		k++
	}
	if k != len(want) || p.Nodes() != k {
		t.Errorf("%d nodes of %d, want %d", k, p.Nodes(), len(want))
	}
}
