package scenario

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Two jobs share the hosts: each has its own ranks at the NICs, and what it
// waits for is its own flows.
func TestCollectives(t *testing.T) {
	p := plansOf(t, `
algorithm: none
topology: {kind: star, hosts: 6}
traffic:
  - {kind: incast, senders: 2, size: 1MB}
  - {name: first, operation: all-reduce, size: 6kB, stride: 2, iterations: 2, compute: 10us,
     stragglers: {h1: 2.5, "h[45]": 3}}
  - {name: second, kind: collective, operation: broadcast, hosts: [h3, h1, h2], size: 8kB, chunks: 4, start: 1ms,
     mode: all-gather, group_flows: 9, dscp: 5}
`)[0]
	if len(p.Collectives) != 2 {
		t.Fatalf("%d collectives", len(p.Collectives))
	}
	first, second := &p.Collectives[0], &p.Collectives[1]
	nics := func(c *plan.Collective) (list []int) {
		for _, at := range c.Places {
			list = append(list, at.NIC)
		}
		return list
	}
	if got := nics(first); !reflect.DeepEqual(got, []int{0, 2, 4, 1, 3, 5}) {
		t.Errorf("ranks of the first are at %v", got)
	}
	if got := nics(second); !reflect.DeepEqual(got, []int{3, 1, 2}) {
		t.Errorf("ranks of the second are at %v", got)
	}
	if first.Method != "ring" || second.Method != "tree" || first.Size != 6000 || first.Iterations != 2 ||
		first.BusFactor != 10.0/6 || second.Start != unit.Time(unit.Millisecond) {
		t.Errorf("first %+v, second %+v", first, second)
	}
	for nic, want := range []unit.Duration{10, 25, 10, 10, 30, 30} {
		if got := p.NICs[nic].Ranks[0].Phases[0].Duration; got != want*unit.Microsecond {
			t.Errorf("h%d computes for %v, want %d us", nic, got, want)
		}
	}
	for i := range p.Flows {
		f := &p.Flows[i]
		if i < 2 {
			if f.Messages != nil {
				t.Errorf("%s waits", f.Name)
			}
			continue
		}
		if f.Group == "first" &&
			(f.Mode != "all-reduce" || f.GroupN != 1 || f.Ranks != 6 || f.Size != 20000 || f.Message != 1000 ||
				f.Rank != 0) {
			t.Errorf("%s: mode %s, group of %d, %d ranks, %v in messages of %v, rank %d",
				f.Name, f.Mode, f.GroupN, f.Ranks, f.Size, f.Message, f.Rank)
		}
		if f.Group == "second" &&
			(f.Mode != "all-gather" || f.GroupN != 9 || f.DSCP != 5 || f.Message != 2000 ||
				len(f.Messages) != 4 || f.Rank != 1) {
			t.Errorf("%s: mode %s, group of %d, DSCP %d, %d messages of %v, rank %d",
				f.Name, f.Mode, f.GroupN, f.DSCP, len(f.Messages), f.Message, f.Rank)
		}
		for _, m := range f.Messages {
			for _, a := range m.After {
				if a.Flow != plan.OwnPhases && p.Flows[a.Flow].Group != f.Group {
					t.Errorf("%s waits for %s", f.Name, p.Flows[a.Flow].Name)
				}
			}
		}
	}
}

// An entry with an operation is a collective, with or without its kind.
func TestSchemaOfCollectives(t *testing.T) {
	schema := compiled(t)
	for entry, right := range map[string]bool{
		"{operation: all-reduce, size: 1MB}": true,
		"{kind: collective, operation: all-to-all, method: pairwise, size: 1MB, hosts: 4, stride: 2}":      true,
		"{operation: broadcast, size: 1MB, chunks: 4, iterations: 3, compute: 1ms, stragglers: {h0: 1.5}}": true,
		"{kind: collective, size: 1MB}":                                      false,
		"{operation: all-reduce, size: 1MB, stop: 1ms}":                      false,
		"{operation: sum, size: 1MB}":                                        false,
		"{kind: incast, size: 1MB, iterations: 3}":                           false,
		"{operation: permute, size: 1MB, compute: 1ms, stragglers: {h0: 0}}": false,
	} {
		t.Run(fmt.Sprintf("%q", entry), func(t *testing.T) {
			v, err := instance([]byte("topology: {kind: star, hosts: 8}\nalgorithm: pc4\ntraffic: [" + entry + "]\n"))
			if err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(v); (err == nil) != right {
				t.Errorf("%s: schema says %v", entry, err)
			}
		})
	}
}
