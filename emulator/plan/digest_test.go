package plan

import (
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// withEdge is a switch with an edge.
func withEdge() *Plan {
	ch := fabric.Channel{Rate: unit.Gbps, Latency: 100 * unit.Microsecond}
	return &Plan{
		Name:     "a",
		Seed:     1,
		Until:    1000,
		Switches: []Switch{{Name: "s0", Links: []int{0}}},
		Devices: []Device{{
			Kind:   KindEdge,
			Name:   "e0",
			Links:  []int{0},
			Config: Edge{Interface: "veth0", MTU: 1500, Queue: unit.MB, IP: FirstIP},
		}},
		Links: []Link{{
			A:        End{Node: 1},
			B:        End{Node: 0},
			Forward:  ch,
			Backward: ch,
			Line:     3,
		}},
	}
}

// The digest covers everything that determines a run, except seed and outside.
func TestDigest(t *testing.T) {
	of := func(change func(p *Plan, e *Edge)) string {
		p := withEdge()
		e := p.EdgeAt(0)
		change(p, e)
		p.Devices[0].Config = *e
		return p.Digest()
	}
	want := withEdge().Digest()
	for name, change := range map[string]func(*Plan, *Edge){
		"nothing":      func(*Plan, *Edge) {},
		"the seed":     func(p *Plan, _ *Edge) { p.Seed = 2 },
		"the interval": func(p *Plan, _ *Edge) { p.Record.Interval = 5 },
		"the variant":  func(p *Plan, _ *Edge) { p.Name = "b" },
		"a line":       func(p *Plan, _ *Edge) { p.Links[0].Line = 9 },
		"expectations": func(p *Plan, _ *Edge) { p.Expect.Checks = []Check{{Metric: "drops", Op: "<", Value: 1}} },
		"the interface": func(_ *Plan, e *Edge) {
			e.Interface, e.Namespace, e.Force, e.Exec, e.Host = "tap0", "/run/netns/x", true, "true", true
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := of(change); got != want {
				t.Errorf("%s changes the digest", name)
			}
		})
	}
	for name, change := range map[string]func(*Plan, *Edge){
		"the rate":   func(p *Plan, _ *Edge) { p.Links[0].Forward.Rate++ },
		"the end":    func(p *Plan, _ *Edge) { p.Until++ },
		"the queue":  func(_ *Plan, e *Edge) { e.Queue++ },
		"PFC here":   func(_ *Plan, e *Edge) { e.PFCHere = true },
		"cnp: drop":  func(_ *Plan, e *Edge) { e.DropCNPs = true },
		"a name":     func(p *Plan, _ *Edge) { p.Switches[0].Name = "s1" },
		"the switch": func(p *Plan, _ *Edge) { p.Switches[0].Profile.Buffer = 1 },
		"an outage":  func(p *Plan, _ *Edge) { p.Links[0].Outages = []fabric.Outage{{From: 1, To: 2}} },
		"the MTU":    func(_ *Plan, e *Edge) { e.MTU = 9000 },
		"more edges": func(p *Plan, _ *Edge) { p.Devices = append(p.Devices, p.Devices[0]) },
	} {
		t.Run(name, func(t *testing.T) {
			if got := of(change); got == want {
				t.Errorf("%s leaves the digest as it is", name)
			}
		})
	}
	p := withEdge()
	p.Digest()
	if e := p.EdgeAt(0); e.Interface != "veth0" || p.Links[0].Line != 3 {
		t.Errorf("the plan itself was changed: %+v", e)
	}
}
