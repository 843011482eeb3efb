package model

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/scenario/scenariotest"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// The expected collisions of a hash, by hand and by counting all outcomes. Tier: -short. Red if flows with a port to
// themselves count as collisions, or collisions in outcomes that leave no port idle.
func TestExpectedCollisions(t *testing.T) {
	for _, c := range []struct {
		flows, ports      int
		pairs, collisions float64
	}{
		{1, 2, 0, 0},
		{2, 2, 0.5, 1},           // in half of the outcomes both are at one port
		{4, 2, 3, 0.5},           // 2 of 16 outcomes have all four at one port
		{3, 3, 1, 45.0 / 27},     // 3 of 27 have three at one port, 18 have two
		{2, 8, 1.0 / 8, 2.0 / 8}, // 8 of 64
		{100_000, 2, 100_000 * 99_999 / 4, 0},
	} {
		t.Run(fmt.Sprintf("flows=%v,ports=%v", c.flows, c.ports), func(t *testing.T) {
			pairs, collisions := expectedPairs(c.flows, c.ports), expectedCollisions(c.flows, c.ports)
			if math.Abs(pairs-c.pairs) > 1e-9*c.pairs || math.Abs(collisions-c.collisions) > 1e-9 {
				t.Errorf("%d flows at %d ports: %v pairs and %v collisions, want %v and %v", c.flows, c.ports, pairs, collisions,
					c.pairs, c.collisions)
			}
		})
	}
	for ports := 2; ports <= 5; ports++ {
		for flows := range 7 {
			pairs, collisions := meanOfAll(flows, ports)
			if got := expectedPairs(flows, ports); math.Abs(got-pairs) > 1e-9 {
				t.Errorf("%d flows at %d ports: %v pairs, all outcomes have %v", flows, ports, got, pairs)
			}
			if got := expectedCollisions(flows, ports); math.Abs(got-collisions) > 1e-9 {
				t.Errorf("%d flows at %d ports: %v collisions, all outcomes have %v", flows, ports, got, collisions)
			}
		}
	}
}

// meanOfAll is the mean of all ways to put flows on ports.
func meanOfAll(flows, ports int) (pairs, collisions float64) {
	outcomes := int(math.Pow(float64(ports), float64(flows)) + 0.5)
	for outcome := range outcomes {
		at := make([]int, ports)
		for rest, i := outcome, 0; i < flows; rest, i = rest/ports, i+1 {
			at[rest%ports]++
		}
		together, idle := 0, false
		for _, n := range at {
			pairs += float64(n*(n-1)) / 2
			idle = idle || n == 0
			if n > 1 {
				together += n
			}
		}
		if idle {
			collisions += float64(together)
		}
	}
	return pairs / float64(outcomes), collisions / float64(outcomes)
}

// Groups of pinned flows by hand: a leaf with four hosts and two spines. Tier: -short. Red if ACKs count, if flows
// within a leaf do, if a group without flows does, or if other ways of forwarding have groups.
func TestECMPGroups(t *testing.T) {
	const four = "{from: h0, to: h4, size: 1kB, PATH}, {from: h1, to: h5, size: 1kB, PATH}, " +
		"{from: h2, to: h6, size: 1kB, PATH}, {from: h3, to: h7, size: 1kB, PATH}, {from: h0, to: h1, size: 1kB}"
	pinned := func(paths string) string {
		text := four
		for _, path := range strings.Split(paths, "") {
			text = strings.Replace(text, "PATH", "path: "+path, 1)
		}
		return text
	}
	for _, c := range []struct{ what, fabric, traffic, want string }{
		{"all on one port", "", pinned("0000"),
			"[1 of 2 to spine, level 1: 4 flows, leaf0 0 to 4, 6 pairs of 3, 4 collisions of 0.5]"},
		{"three and one", "", pinned("0100"),
			"[1 of 2 to spine, level 1: 4 flows, leaf0 1 to 3, 3 pairs of 3, 0 collisions of 0.5]"},
		{"two and two", "", pinned("0110"),
			"[1 of 2 to spine, level 1: 4 flows, leaf0 2 to 2, 2 pairs of 3, 0 collisions of 0.5]"},
		{"two at one of four, and two apart", ", spines: 4", pinned("0120"),
			"[1 of 4 to spine, level 1: 4 flows, leaf0 0 to 2, 1 pairs of 1.5, 2 collisions of 2.3125]"},
		{"both leaves, the second one is worse", "",
			"{from: h0, to: h4, size: 1kB, path: 0}, {from: h4, to: h0, size: 1kB, path: 1}, " +
				"{from: h5, to: h1, size: 1kB, path: 1}",
			"[2 of 2 to spine, level 1: 3 flows, leaf1 0 to 2, 1 pairs of 0.5, 2 collisions of 1]"},
		{"nothing leaves a leaf", "", "{from: h0, to: h1, size: 1kB}", "[]"},
		{"one spine", ", spines: 1", "{from: h0, to: h4, size: 1kB}", "[]"},
		{"spraying", "}\nswitch: {forwarding: spray", "{from: h0, to: h4, size: 1kB}", "[]"},
		{"flowlets", "}\nswitch: {forwarding: flowlet", "{from: h0, to: h4, size: 1kB}", "[]"},
	} {
		t.Run(c.what, func(t *testing.T) {
			list := []string{}
			fabric := "{kind: leaf-spine, leaves: 2, hosts_per_leaf: 4" + c.fabric + "}"
			for _, g := range ForecastOf(scenariotest.PlanOn(t, fabric, "traffic: ["+c.traffic+"]")).ECMP {
				list = append(list, fmt.Sprintf("%d of %d to %s, level %d: %d flows, %s %d to %d, %d pairs of %.5g, "+
					"%d collisions of %.5g", g.Groups, g.Ports, g.Tier, g.Level, g.Flows, g.Example, g.Least, g.Most, g.Pairs,
					g.ExpectedPairs, g.Collisions, g.ExpectedCollisions))
			}
			if got := fmt.Sprint(list); got != c.want {
				t.Errorf("%s: %s\nwant %s", c.what, got, c.want)
			}
		})
	}
}

// Flows without a size share ports equally, by hand: 100 Gb/s are 12.5 KB a us. Tier: -short. Red if a flow that has
// stopped still shares, if only NICs are looked at, or if one that comes later shares from the beginning.
func TestShares(t *testing.T) {
	for _, c := range []struct {
		what, topology, traffic string
		want                    []unit.Bytes
	}{
		{"one until the end of the run", "{kind: star, hosts: 4}", "{from: h0, to: h1}", []unit.Bytes{1_250_000}},
		{"until its stop", "{kind: star, hosts: 4}", "{from: h0, to: h1, stop: 40us}", []unit.Bytes{500_000}},
		{"two at a receiver, one of them for the last half", "{kind: star, hosts: 4}",
			"{from: h0, to: h1}, {from: h2, to: h1, start: 50us}", []unit.Bytes{937_500, 312_500}},
		{"and for the first half", "{kind: star, hosts: 4}",
			"{from: h0, to: h1}, {from: h2, to: h1, stop: 50us}", []unit.Bytes{937_500, 312_500}},
		{"two of a sender", "{kind: star, hosts: 4}", "{from: h0, to: h1}, {from: h0, to: h2}",
			[]unit.Bytes{625_000, 625_000}},
		{"four meet between switches", "{kind: dumbbell, left: 4, right: 4}",
			"{from: h0, to: h4}, {from: h1, to: h5}, {from: h2, to: h6}, {from: h3, to: h7}",
			[]unit.Bytes{312_500, 312_500, 312_500, 312_500}},
		{"one with a size takes nothing", "{kind: star, hosts: 4}", "{from: h0, to: h1}, {from: h2, to: h1, size: 1MB}",
			[]unit.Bytes{1_250_000, 0}},
	} {
		t.Run(c.what, func(t *testing.T) {
			p := scenariotest.PlanOn(t, c.topology, "run: {until: 100us}\ntraffic: ["+c.traffic+"]")
			for i := range p.Flows {
				p.Flows[i].Start = p.Flows[i].Start / unit.Time(unit.Microsecond) * unit.Time(unit.Microsecond)
			}
			shares := sharesOf(p)
			var got []unit.Bytes
			for i := range p.Flows {
				got = append(got, shares.bytes(i))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%s: %v, want %v", c.what, got, c.want)
			}
		})
	}
}

// The time of a run follows from its packet-hops, 4 here, and its memory is beside the program's.
func TestForecastCosts(t *testing.T) {
	p := scenariotest.PlanOn(t, "{kind: star, hosts: 2}", "traffic: [{from: h0, to: h1, size: 1kB}]")
	f := ForecastOf(p)
	if f.PacketHops != 4 || f.SecondsLeast != 0.5e-6 || f.SecondsMost != 4.0/3e6 || f.Memory != plan.Memory(p)+24*unit.MB {
		t.Errorf("%+v, and %d B of the run", f, plan.Memory(p))
	}
}
