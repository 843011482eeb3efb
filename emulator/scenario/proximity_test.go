package scenario

import (
	"slices"
	"testing"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/unit"
)

// Three switches in a row: a and b at s, nobody at t, c at u, which takes no
// part.
const row = `
algorithm: dcqcn
topology:
  nodes: [{name: a}, {name: b}, {name: c}, {name: s, kind: switch}, {name: t, kind: switch}, {name: u, kind: switch}]
  links:
    - {endpoints: [a, s], latency: 1us}
    - {endpoints: [b, s], latency: 5us}
    - {endpoints: [s, t], latency: 10us}
    - {endpoints: [t, u], latency: 100us, rate: 1Gbps}
    - {endpoints: [u, c], latency: 2us}
switches: {s: {proximal: {enabled: true}}, t: {proximal: {enabled: true}}}
traffic: [{from: a, to: c, size: 1MB}]
`

func TestProximityOfARow(t *testing.T) {
	p := plansOf(t, row)[0]
	at := map[string]int{}
	for i := range p.Switches {
		at[p.Switches[i].Name] = i
	}
	peer := func(sw string, port uint16) string {
		l := &p.Links[p.Switches[at[sw]].Links[port]]
		n := l.A.Node
		if n == plan.NodeID(at[sw]) {
			n = l.B.Node
		}
		return p.Switches[n].Name
	}
	for from, ways := range map[string]map[string]string{"s": {"t": "t", "u": "t"}, "t": {"s": "s", "u": "u"},
		"u": {"s": "t", "t": "t"}} {
		s := &p.Switches[at[from]]
		if set := s.NextHops[s.Proximity.Loopbacks[at[from]]]; len(set) != 0 {
			t.Errorf("%s reaches itself by %v", from, set)
		}
		for to, next := range ways {
			if set := s.NextHops[s.Proximity.Loopbacks[at[to]]]; len(set) != 1 || peer(from, set[0]) != next {
				t.Errorf("%s reaches %s by ports %v, want the one to %s", from, to, set, next)
			}
		}
	}
	s := p.Switches[at["s"]].Proximity
	if want := []int{at["s"], at["s"], -1}; !slices.Equal(s.Nearest, want) {
		t.Errorf("proximal devices %v, want %v", s.Nearest, want)
	}
	if want := []bool{true, true, false}; !slices.Equal(s.Edge, want) {
		t.Errorf("ports to NICs %v, want %v", s.Edge, want)
	}
	// Over the links between, both ways; a packet of 1058 B and more, but a message
	// of less than 125 B, takes over 8 us at 1 Gb/s.
	for _, x := range []struct {
		from, to    string
		least, most unit.Duration
	}{{"s", "s", 0, 0}, {"s", "t", 20, 21}, {"t", "s", 20, 21}, {"t", "u", 208, 211}, {"s", "u", 228, 231}, {"t",
		"t", 0, 0}} {
		loop := p.Switches[at[x.from]].Proximity.Loops[at[x.to]]
		if loop < x.least*unit.Microsecond || loop > x.most*unit.Microsecond {
			t.Errorf("loop from %s to %s: %v, want %d to %d us", x.from, x.to, loop, x.least, x.most)
		}
	}
	// To a and to b and back, and none to c, whose switch takes no part.
	for i, want := range []unit.Duration{2, 10, 0} {
		if got := s.Access[i]; got < want*unit.Microsecond || got > (want+1)*unit.Microsecond {
			t.Errorf("access of NIC %d: %v, want %d us and the time of two frames", i, got, want)
		}
	}
}
