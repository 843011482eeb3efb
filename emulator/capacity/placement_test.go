package capacity_test

import (
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/emulator/capacity"
)

// Placements of ranks, by hand. A leaf has two hosts. Tier: -short. Red if the leaf switches are counted by ranks, if
// long-haul paths join sites, if the turns of a stride count as irregular, or if names divide jobs that are alike.
func TestPlacements(t *testing.T) {
	const (
		leaves = "{kind: leaf-spine, leaves: 4, spines: 1, hosts_per_leaf: 2}"
		sites  = "{kind: two-dc, scale: 1/64, dci_wan: {length: 1km}}"
	)
	for _, c := range []struct{ what, topology, traffic, want string }{
		{"no job", leaves, "{kind: permutation, size: 6MB}", "[]"},
		{"all hosts in their order", leaves, "{name: a, operation: all-reduce, size: 6MB}",
			"[1 a: 8 ranks h0 to h7 contiguous on 4, 1 sites]"},
		{"a range", leaves, "{name: a, operation: all-reduce, size: 6MB, hosts: h1..h3}",
			"[1 a: 3 ranks h1 to h3 contiguous on 2, 1 sites]"},
		{"a stride and its second turn", leaves, "{name: a, operation: all-reduce, size: 6MB, stride: 2}",
			"[1 a: 8 ranks h0 to h7 stride 2 on 4, 1 sites]"},
		{"backwards", leaves, "{name: a, operation: all-reduce, size: 6MB, hosts: [h5, h3, h1]}",
			"[1 a: 3 ranks h5 to h1 stride -2 on 3, 1 sites]"},
		{"no order", leaves, "{name: a, operation: all-reduce, size: 6MB, hosts: [h0, h1, h4, h5]}",
			"[1 a: 4 ranks h0 to h5 irregular on 2, 1 sites]"},
		{"two alike and one of three", leaves,
			"{name: a, operation: all-reduce, size: 6MB, hosts: [h0, h2]}, " +
				"{name: b, operation: all-reduce, size: 6MB, hosts: [h1, h3]}, " +
				"{name: c, operation: all-reduce, size: 6MB, hosts: [h4, h6, h7]}",
			"[2 a: 2 ranks h0 to h2 stride 2 on 2, 1 sites 1 c: 3 ranks h4 to h7 irregular on 2, 1 sites]"},
		{"groups at two sites", sites,
			"{name: a, operation: all-reduce, method: hierarchical, groups: 2, size: 64MB, hosts: [a-h0, a-h2, b-h0, b-h2]}",
			"[1 a: 4 ranks a-h0 to b-h2 stride 2 in 2 groups on 4, 2 sites]"},
		{"one of two sites", sites, "{name: a, operation: all-reduce, size: 6MB, hosts: [b-h0, b-h1]}",
			"[1 a: 2 ranks b-h0 to b-h1 contiguous on 1, 1 sites]"},
	} {
		t.Run(c.what, func(t *testing.T) {
			list := []string{}
			for _, j := range capacity.Placements(planOf(t, c.topology, "traffic: ["+c.traffic+"]")) {
				list = append(list, fmt.Sprintf("%d %s: %d ranks %s to %s %s on %d, %d sites", j.Jobs, j.Example, j.Ranks, j.From,
					j.To, j.Order(), j.Leaves, j.Sites))
			}
			if got := fmt.Sprint(list); got != c.want {
				t.Errorf("%s: %s, want %s", c.what, got, c.want)
			}
		})
	}
}
