package oracle

import (
	"slices"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/mem"
)

// way names the frames that a node sends one way: a flow's in one direction.
type way struct {
	node     plan.NodeID
	src, dst uint32
	port     uint16
}

// waysOf returns the ports through which frames left nodes.
func (s *seen) waysOf() map[way]int {
	if s.ways != nil {
		return s.ways
	}
	s.ways = map[way]int{}
	for i := range s.hops {
		h := &s.hops[i]
		s.ways[way{h.from.Node, h.frame.SrcIP, h.frame.DstIP, h.frame.SrcPort}] = h.from.Port
	}
	return s.ways
}

// probed is another run on the same fabric, of a byte for each flow, one after the other and without faults: it shows
// the ways of flows that never got through.
func (s *seen) probed() *seen {
	if s.probe != nil {
		return s.probe
	}
	p := *s.plan
	p.Collectives, p.Until = nil, 0
	p.Flows, p.NICs, p.Links = slices.Clone(p.Flows), slices.Clone(p.NICs), slices.Clone(p.Links)
	p.WANs = slices.Clone(p.WANs)
	for i := range p.Flows {
		f := &p.Flows[i]
		f.Size, f.Message, f.Messages, f.Rank, f.Stop = 1, 0, nil, 0, 0
		f.Start = unit.Time(0).Add(unit.Duration(i) * unit.Microsecond)
	}
	for i := range p.NICs {
		p.NICs[i].Ranks, p.NICs[i].Profile.Storms = nil, nil
	}
	for i := range p.Links {
		p.Links[i].Loss, p.Links[i].Outages = 0, nil
	}
	for i := range p.WANs {
		w := &p.WANs[i].Profile
		w.Flaps, w.Phases = nil, slices.Clone(w.Phases)
		for k := range w.Phases {
			w.Phases[k].Loss = profile.WANLoss{}
		}
	}
	s.probe = watch(s.t, &p, mem.Options{})
	return s.probe
}
