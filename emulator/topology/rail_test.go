package topology

import (
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Two groups of three servers with four NICs: NIC i of a server hangs on leaf i of its group, and two NICs of a server
// never share a leaf.
func TestRail(t *testing.T) {
	r := &Rail{
		Groups:  2,
		Servers: 3,
		NICs:    4,
		Spines:  2,
		Uplinks: 3,
		Line:    Line{100 * unit.Gbps, unit.Microsecond},
		Uplink:  Line{50 * unit.Gbps, 2 * unit.Microsecond},
	}
	g := r.Graph()
	hosts, links := r.Size()
	check(t, "rail", g, 8+2, 24, 24+8*2*3, hosts, links)
	for h := range hosts {
		group, nic := h/(3*4), h%4
		if leaf := g.Peer(g.Host(h), 0); leaf != plan.NodeID(4*group+nic) {
			t.Errorf("h%d hangs on %s, want leaf%d", h, g.Name(leaf), 4*group+nic)
		}
	}
	for leaf := range 8 {
		if down, up := rates(g, plan.NodeID(leaf)); down != 300*unit.Gbps || up != 6*50*unit.Gbps {
			t.Errorf("leaf%d has %v down and %v up", leaf, down, up)
		}
	}
	routes := g.Route()
	for _, c := range []struct{ src, dst, hops int }{
		{0, 4, 1},  // the same rail
		{0, 8, 1},  // and the group's last server
		{0, 1, 3},  // another rail, of the same server
		{0, 12, 3}, // the same rail of the other group
	} {
		t.Run(fmt.Sprintf("dst=%v", c.dst), func(t *testing.T) {
			path := routes.Path(c.src, c.dst)
			if len(path) != c.hops+1 {
				t.Errorf("from h%d to h%d are %d hops, want %d", c.src, c.dst, len(path)-1, c.hops)
			}
			if c.hops == 3 && path[1].Channel != g.Links[hosts].Forward {
				t.Errorf("from h%d to h%d the uplink is %v", c.src, c.dst, path[1])
			}
		})
	}
	if to, ports := routes.Tables(0); len(ports[to[1]]) != 6 || len(ports[to[4]]) != 1 {
		t.Errorf("leaf0 has next hops %v, want all six uplinks towards another rail", ports)
	}
}
