package plan

import (
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// edged is a fabric made by hand for what EdgeRTT reads: edges "a" and "b", NICs h0 and
// on, all with ports on switch s0 in that order.
func edged(edges, nics int) *Plan {
	p := &Plan{Switches: []Switch{{Name: "s0"}}}
	p.NICs = make([]NIC, nics)
	p.Devices = make([]Device, edges)
	s0 := &p.Switches[0]
	join := func(node NodeID, rate unit.BitRate, latency unit.Duration, tree bool) int {
		port := len(s0.Links)
		p.Links = append(p.Links, Link{
			A:        End{Node: node},
			B:        End{Node: 0, Port: port},
			Forward:  fabric.Channel{Rate: 2 * rate, Latency: latency},
			Backward: fabric.Channel{Rate: rate, Latency: latency},
		})
		s0.Links, s0.Tree = append(s0.Links, port), append(s0.Tree, tree)
		s0.NextHops = append(s0.NextHops, []uint16{uint16(port)})
		return port
	}
	for i := range p.Devices {
		link := join(p.DeviceNode(i), unit.Gbps, 100*unit.Microsecond, true)
		p.Devices[i] = Device{Kind: KindEdge, Name: string(rune('a' + i)), Links: []int{link}, Config: Edge{MTU: 1500}}
	}
	for i := range p.NICs {
		p.NICs[i].Link = join(p.NICNode(i), unit.Gbps, unit.Duration(10*(i+1))*unit.Microsecond, false)
	}
	for i := range p.Stations() { // NICs first, whose ports are behind those of the edges
		s0.Routes = append(s0.Routes, uint16((i+edges)%len(s0.Links)))
	}
	return p
}

// A full frame is 1538 B on the wire, 12.304 us at 1 Gb/s, the shortest one 84 B,
// 0.672 us; they enter at twice that rate.
const (
	fullAtGiga  = 12304 * unit.Nanosecond
	shortAtGiga = 672 * unit.Nanosecond
	oneSwitch   = (fullAtGiga + shortAtGiga) * 3 / 2
)

func TestEdgeRTT(t *testing.T) {
	const us = unit.Microsecond
	nearNICs := edged(2, 2)
	if got, want := nearNICs.EdgeRTT(), 400*us+oneSwitch; got != want {
		t.Errorf("two edges at a switch with nearer NICs: %v, want %v", got, want)
	}
	three := edged(3, 0)
	for _, link := range []int{1, 2} {
		l := &three.Links[link]
		l.Forward.Latency, l.Backward.Latency = 50*us, 60*us
	}
	if got, want := three.EdgeRTT(), 220*us+oneSwitch; got != want {
		t.Errorf("the nearest two of three edges: %v, want %v", got, want)
	}
	small := edged(2, 0)
	config := small.Devices[1].Config.(Edge)
	config.MTU = 962 // 1000 B on the wire
	small.Devices[1].Config = config
	if got, want := small.EdgeRTT(), 400*us+(8*us+shortAtGiga)*3/2; got != want {
		t.Errorf("edges of MTU 1500 and 962: %v, want %v", got, want)
	}
	if got, want := edged(1, 2).EdgeRTT(), 220*us+oneSwitch; got != want {
		t.Errorf("one edge, and the nearest of two NICs: %v, want %v", got, want)
	}
	if got, want := edged(1, 0).EdgeRTT(), 200*us+fullAtGiga/2+shortAtGiga; got != want {
		t.Errorf("one edge alone, along its own link: %v, want %v", got, want)
	}
	if got := edged(0, 2).EdgeRTT(); got != 0 {
		t.Errorf("no edge: %v", got)
	}
}

// If the addresses lead a longer way than the spanning tree, or the other way round, the faster one counts.
func TestEdgeRTTOfRouteAndTree(t *testing.T) {
	const us = unit.Microsecond
	both := edged(2, 0)
	both.Switches[0].Tree = nil
	if got, want := both.EdgeRTT(), 400*us+oneSwitch; got != want {
		t.Errorf("routes without a tree: %v, want %v", got, want)
	}
	both = edged(2, 0)
	both.Switches[0].NextHops = [][]uint16{nil, nil}
	if got, want := both.EdgeRTT(), 400*us+oneSwitch; got != want {
		t.Errorf("a tree without routes: %v, want %v", got, want)
	}
	both.Switches[0].Tree = nil
	if got, want := both.EdgeRTT(), 200*us+fullAtGiga/2+shortAtGiga; got != want {
		t.Errorf("edges that do not reach each other: %v, want %v", got, want)
	}
}

// A long-haul path counts with its delay, once, and with the least of its phases.
func TestEdgeRTTOverFibre(t *testing.T) {
	const us = unit.Microsecond
	p := edged(1, 0)
	p.Switches, p.WANs = nil, []WAN{{Name: "w", Links: [2]int{0, 1}}}
	p.WANs[0].Profile.Phases = []profile.WANPhase{
		{Delay: [2]unit.Duration{600 * us, 700 * us}},
		{Delay: [2]unit.Duration{500 * us, 800 * us}},
	}
	p.Devices = append(p.Devices, p.Devices[0])
	p.Devices[1].Links = []int{1}
	channel := fabric.Channel{Rate: unit.Gbps, Latency: us}
	p.Links = []Link{
		{A: End{Node: p.DeviceNode(0)}, B: End{Node: p.WANNode(0)}, Forward: channel, Backward: channel},
		{A: End{Node: p.DeviceNode(1)}, B: End{Node: p.WANNode(0), Port: 1}, Forward: channel, Backward: channel},
	}
	if got, want := p.EdgeRTT(), 1200*us+fullAtGiga+shortAtGiga; got != want {
		t.Errorf("%v, want %v", got, want)
	}
}
