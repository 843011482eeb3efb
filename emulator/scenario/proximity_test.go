package scenario

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Three switches in a row: a and b at s, no host at t, c at u, which does not take part.
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
		t.Run(from, func(t *testing.T) {
			s := &p.Switches[at[from]]
			if set := s.NextHops[s.Proximity.Loopbacks[at[from]]]; len(set) != 0 {
				t.Errorf("%s reaches itself by %v", from, set)
			}
			for to, next := range ways {
				if set := s.NextHops[s.Proximity.Loopbacks[at[to]]]; len(set) != 1 || peer(from, set[0]) != next {
					t.Errorf("%s reaches %s by ports %v, want the one to %s", from, to, set, next)
				}
			}
		})
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
		t.Run(fmt.Sprintf("from=%s,to=%s", x.from, x.to), func(t *testing.T) {
			loop := p.Switches[at[x.from]].Proximity.Loops[at[x.to]]
			if loop < x.least*unit.Microsecond || loop > x.most*unit.Microsecond {
				t.Errorf("loop from %s to %s: %v, want %d to %d us", x.from, x.to, loop, x.least, x.most)
			}
		})
	}
	// To a and to b and back, and none to c, whose switch does not take part.
	for i, want := range []unit.Duration{2, 10, 0} {
		t.Run(fmt.Sprintf("want=%v", want), func(t *testing.T) {
			if got := s.Access[i]; got < want*unit.Microsecond || got > (want+1)*unit.Microsecond {
				t.Errorf("access of NIC %d: %v, want %d us and the time of two frames", i, got, want)
			}
		})
	}
}

// The longest loop of a port's queues covers only the devices that it notifies.
func TestLongestLoops(t *testing.T) {
	const twoSites = `
algorithm: dcqcn
topology: {kind: two-dc, scale: 1/64}
switch: {proximal: {enabled: true, notify: WORD}}
traffic: [{from: a-h0, to: b-h0, size: 1MB}]
`
	const us = unit.Microsecond
	for word, want := range map[string]map[string]unit.Duration{ // each by 1 us a link and way, and some frames
		// The spine notifies the leaves of its own site of its DCI port and of ports to their neighbours, but none
		// across the fibre of ports to a leaf.
		"nearer": {"a-leaf0 a-h0": 2, "a-leaf0 a-spine0": 2, "a-spine0 b-spine0": 4, "a-spine0 a-leaf1": 4},
		// The farthest sender is at the other site, but for the port that leads there.
		"always": {"a-leaf0 a-h0": 1206, "a-leaf0 a-spine0": 2, "a-spine0 b-spine0": 4, "a-spine0 a-leaf1": 1204},
		"never":  {"a-leaf0 a-h0": 2, "a-leaf0 a-spine0": 2, "a-spine0 b-spine0": 0, "a-spine0 a-leaf1": 0},
	} {
		t.Run(word, func(t *testing.T) {
			p := plansOf(t, strings.ReplaceAll(twoSites, "WORD", word))[0]
			seen := 0
			for i := range p.Switches {
				s := &p.Switches[i]
				for port, link := range s.Links {
					l := &p.Links[link]
					peer := l.A.Node
					if p.NodeName(peer) == s.Name {
						peer = l.B.Node
					}
					name := p.NodeName(peer)
					if strings.HasPrefix(name, "wan") {
						name = "b-spine0"
					}
					least, ok := want[s.Name+" "+name]
					if !ok {
						continue
					}
					seen++
					if got := s.Proximity.Longest[port]; got < least*us || got > (least+5)*us || least == 0 && got != 0 {
						t.Errorf("%s: from %s to %s %v, want %d us and some frames", word, s.Name, name, got, least)
					}
				}
			}
			if seen < len(want) {
				t.Errorf("%s: %d of %d ports found", word, seen, len(want))
			}
		})
	}
}

// What notify was is refused, and the words for it are named.
func TestNotifyIsAWord(t *testing.T) {
	for _, word := range []string{"true", "false", "near"} {
		t.Run(word, func(t *testing.T) {
			_, err := Parse("x.yaml", []byte(strings.Replace(row, "enabled: true", "enabled: true, notify: "+word, 1)), nil)
			if err == nil {
				t.Errorf("notify: %s is taken", word)
				return
			}
			t.Log(err)
			for _, right := range profile.ProximalNotifyNames {
				if word != "near" && !strings.Contains(err.Error(), right) {
					t.Errorf("notify: %s: %v: want the word %s named", word, err, right)
				}
			}
		})
	}
}

// A threshold that queues cannot reach is refused, and one that a DCI port's cannot reach causes one warning. Tier:
// -short.
func TestTriggersWithinMemory(t *testing.T) {
	const twoSites = `
algorithm: dcqcn
topology: {kind: two-dc, scale: 1/64, dci_rate: 50Gbps}
switch: {proximal: {enabled: true, threshold: %s}}
traffic: [{from: a-h0, to: b-h0, size: 1MB}]
`
	for threshold, want := range map[string]int{"0B": 0, "18750KB": 0, "18751KB": 1} {
		t.Run(threshold, func(t *testing.T) {
			report := Analyse(plansOf(t, fmt.Sprintf(twoSites, threshold))[0], nil)
			said, numbers := 0, false
			for _, w := range report.Warnings {
				if strings.Contains(w, "proximal.threshold is ") {
					said++
				}
				if strings.Contains(w, "proximal.threshold is 18.751MB, and dci.buffer across 120km at 50Gbps is 18.75MB") {
					numbers = true
				}
			}
			if said != want || numbers != (want > 0) {
				t.Errorf("threshold %s: %d warnings of it, want %d: %q", threshold, said, want, report.Warnings)
			}
			trigger := map[string]unit.Bytes{"0B": 468750, "18750KB": 18750000, "18751KB": 18751000}[threshold]
			if got := report.DCIs[0].Trigger; got != trigger {
				t.Errorf("threshold %s: the report has %v", threshold, got)
			}
		})
	}
	for threshold, refused := range map[string]bool{"32MB": false, "32001KB": true} {
		t.Run(threshold, func(t *testing.T) {
			s, err := Parse("x.yaml", []byte(fmt.Sprintf(twoSites, threshold)), nil)
			if err == nil {
				_, err = s.Plans()
			}
			said := err != nil && strings.Contains(err.Error(), "proximal.threshold is 32.001MB")
			if said != refused || err != nil && !refused {
				t.Errorf("threshold %s: %v", threshold, err)
			}
		})
	}
}
