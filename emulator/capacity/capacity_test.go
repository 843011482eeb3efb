package capacity_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/capacity"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/scenario/scenariotest"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// planOf is the plan of a scenario with a topology and with other keys.
func planOf(t *testing.T, topology, keys string) *plan.Plan {
	t.Helper()
	if !strings.Contains(keys, "traffic") {
		keys += "\ntraffic: [{kind: permutation, size: 1MB}]"
	}
	return scenariotest.PlanOn(t, topology, keys)
}

// Oversubscription and bisection by hand. Links of hosts have 100 Gb/s unless the case sets another rate.
// Red if ports to switches of the same level count as ports to hosts, if levels are not counted from the hosts, or if
// the halves do not follow the order of the switches.
func TestCapacity(t *testing.T) {
	for _, c := range []struct{ what, topology, switches, bisection string }{
		{"one switch has no ports away from hosts", "{kind: star, hosts: 8}", "", ""},
		{"four hosts and two uplinks a leaf", "{kind: leaf-spine, leaves: 4, spines: 2, hosts_per_leaf: 4}",
			"4 leaf0 level 1 400Gbps:200Gbps = 2",
			"400Gbps from the 8 hosts at leaf0 to leaf1 to the 8 hosts at leaf2 to leaf3, which can use 800Gbps: 2:1"},
		{"three leaves: the halves share the middle one", "{kind: leaf-spine, leaves: 3, spines: 1, hosts_per_leaf: 2}",
			"3 leaf0 level 1 200Gbps:100Gbps = 2",
			"200Gbps from the 3 hosts at leaf0 to leaf1 to the 3 hosts at leaf1 to leaf2, which can use 300Gbps: 1.500:1"},
		{"a fat tree of slower links above the hosts", "{kind: fat-tree, k: 4, hosts: 16, core_rate: 25Gbps}",
			"8 edge0 level 1 200Gbps:50Gbps = 4; 8 agg0 level 2 50Gbps:50Gbps = 1",
			"200Gbps from the 8 hosts at edge0 to edge3 to the 8 hosts at edge4 to edge7, which can use 800Gbps: 4:1"},
		{"switches of one level", "{kind: dumbbell, left: 6, right: 2}",
			"1 s0 level 1 600Gbps:100Gbps = 6; 1 s1 level 1 200Gbps:100Gbps = 2",
			"300Gbps from the 4 hosts at s0 to the 4 hosts at s0 to s1, which can use 400Gbps: 1.333:1"},
		{"rails have one leaf each", "{kind: rail, groups: 1, servers_per_group: 2, spines: 1, uplinks: 1}",
			"8 leaf0 level 1 200Gbps:100Gbps = 2",
			"400Gbps from the 8 hosts at leaf0 to leaf3 to the 8 hosts at leaf4 to leaf7, which can use 800Gbps: 2:1"},
		{"fibre between two sites",
			"{kind: two-dc, scale: 1/64, dci_links: 1, dci_rate: 50Gbps, uplink_rate: 200Gbps, dci_wan: {length: 1km}}",
			"8 a-leaf0 level 1 100Gbps:400Gbps = 0.25; 4 a-spine0 level 2 800Gbps:50Gbps = 16",
			"100Gbps from the 8 hosts at a-leaf0 to a-leaf3 to the 8 hosts at b-leaf0 to b-leaf3, which can use 400Gbps: 4:1"},
	} {
		t.Run(c.what, func(t *testing.T) {
			var list []string
			bisection := ""
			if fabric := capacity.Of(planOf(t, c.topology, "")); fabric != nil {
				for _, o := range fabric.Oversubscription {
					list = append(list, fmt.Sprintf("%d %s level %d %v:%v = %v", o.Switches, o.Example, o.Level, o.Down, o.Up,
						o.Ratio))
				}
				bisection = fabric.Bisection.String()
			}
			if got := strings.Join(list, "; "); got != c.switches {
				t.Errorf("%s: %s\nwant %s", c.what, got, c.switches)
			}
			if bisection != c.bisection {
				t.Errorf("%s: %s\nwant %s", c.what, bisection, c.bisection)
			}
		})
	}
}

// No division of the hosts of a small fabric has less bandwidth between its halves than the reported one.
func TestBisectionIsTheLeast(t *testing.T) {
	for _, topology := range []string{
		"{kind: leaf-spine, leaves: 4, spines: 3, hosts_per_leaf: 4}",
		"{kind: dumbbell, left: 4, right: 4}",
		"{kind: fat-tree, k: 4, hosts: 16, core_rate: 25Gbps}",
		"{kind: rail, groups: 1, servers_per_group: 2, spines: 1, uplinks: 1}",
		"{kind: two-dc, scale: 1/64, dci_links: 1, dci_wan: {length: 1km}}",
	} {
		t.Run(topology, func(t *testing.T) {
			p := planOf(t, topology, "")
			want := capacity.Of(p).Bisection.Rate
			hosts := capacity.HostsBySwitch(p)
			at := map[int]int{} // hosts by switch, of equal rates
			var leaves []int
			for _, h := range hosts {
				if at[h.At()] == 0 {
					leaves = append(leaves, h.At())
				}
				at[h.At()]++
			}
			out, in := make([]unit.BitRate, len(p.Switches)), make([]unit.BitRate, len(p.Switches))
			divisions := 0
			var divide func(leaf, left int)
			divide = func(leaf, left int) {
				if leaf == len(leaves) {
					if left > 0 {
						return
					}
					divisions++
					if got := capacity.Between(p, out, in); got < want {
						t.Errorf("%s: %v between %v and %v, less than %v", topology, got, out, in, want)
					}
					return
				}
				sw, rate := leaves[leaf], p.NICRate(0)
				for first := 0; first <= min(at[sw], left); first++ {
					out[sw], in[sw] = unit.BitRate(first)*rate, unit.BitRate(at[sw]-first)*rate
					divide(leaf+1, left-first)
				}
			}
			divide(0, len(hosts)/2)
			if divisions < 5 {
				t.Errorf("%s: only %d divisions", topology, divisions)
			}
		})
	}
}
