package model

import (
	"fmt"
	"slices"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/switchd"
)

// sourcePorts is the number of UDP source ports, from 0xC000 on.
const sourcePorts = 0x4000

// sourcePort draws the UDP source port of a flow, with the first draw of its stream. For a
// pinned flow it is the next port from there on that makes ECMP take the flow's path.
func sourcePort(p *plan.Plan, flow *plan.Flow, stream *chance.Stream) (uint16, error) {
	if carrier := p.CarrierOf(flow); carrier != nil {
		return carrier.SrcPort, nil
	}
	drawn := stream.Below(sourcePorts)
	if flow.Pin == nil {
		return 0xC000 | uint16(drawn), nil
	}
	switches := p.SwitchesOf(flow)
	frame := firstFrame(p, flow)
	for i := range uint64(sourcePorts) {
		frame.SrcPort = 0xC000 | uint16((drawn+i)%sourcePorts)
		if follows(p, flow, switches, &frame) {
			return frame.SrcPort, nil
		}
	}
	return 0, fmt.Errorf("flow %s: none of %d UDP source ports leads along path %d of %d", flow.Name, sourcePorts,
		flow.Pin.Number, flow.Pin.Of)
}

// follows reports whether ECMP takes a frame along the path of a pinned flow.
func follows(p *plan.Plan, flow *plan.Flow, switches []int, frame *wire.Frame) bool {
	for i, number := range switches {
		sw := &p.Switches[number]
		set := sw.NextHops[sw.Routes[flow.Dst]]
		if switchd.Onward(uint32(number), sw.Profile.Forwarding, set, frame)[0] != flow.Pin.Ports[i] {
			return false
		}
	}
	return true
}

// firstFrame is a frame of a flow's data as ECMP sees it, without a source port.
func firstFrame(p *plan.Plan, flow *plan.Flow) wire.Frame {
	return wire.Frame{EtherType: wire.EtherTypeIPv4, SrcIP: p.NICs[flow.Src].IP, DstIP: plan.StationIP(flow.Dst)}
}

// wayOf returns the ports that send a flow's data, hop by hop from the NIC on, each with its share of the
// frames if switches spread them.
func wayOf(p *plan.Plan, number int) []result.Step { return walk(p, number, nothing) }

// backOf is wayOf for a flow's ACKs, which have the source port of its data.
func backOf(p *plan.Plan, number int) []result.Step {
	flow := &p.Flows[number]
	frame := dataFrame(p, flow)
	frame.SrcIP, frame.DstIP = frame.DstIP, frame.SrcIP
	return onward(p, flow.Src, &frame, fromStation(p, flow.Dst), nothing)
}

// chooser is called with each switch on a way: its number, the index of the set of next hops in NextHops, and the
// ports of this set that send the frames.
type chooser func(sw int, set uint16, ports []uint16)

func nothing(int, uint16, []uint16) {}

// walk is wayOf, and calls choose with each switch on the way.
func walk(p *plan.Plan, number int, choose chooser) []result.Step {
	flow := &p.Flows[number]
	frame := dataFrame(p, flow)
	return onward(p, flow.Dst, &frame, fromStation(p, flow.Src), choose)
}

// dataFrame is a frame of a flow's data as ECMP sees it.
func dataFrame(p *plan.Plan, flow *plan.Flow) wire.Frame {
	frame := firstFrame(p, flow)
	frame.SrcPort, _ = sourcePort(p, flow, chance.New(p.Seed, "flow/"+flow.Name)) // a fabric without one was not made
	return frame
}

// fromStation is the first step of a way.
func fromStation(p *plan.Plan, station int) result.Step {
	return result.Step{End: plan.End{Node: p.StationNode(station)}, Share: 1}
}

// waysBeside returns the ways that a flow would take through the other ports of the group from which ECMP chose one,
// from there on; none if switches spread frames or there is no choice. At its NIC they are the ways through the other
// NICs of the server, each to the NIC in the same place of the receiver's server.
func waysBeside(p *plan.Plan, number int, at plan.End) (ways [][]result.Step) {
	node := p.Node(at.Node)
	switch node.Kind {
	case plan.KindSwitch:
	case plan.KindNIC:
		return rails(p, &p.Flows[number])
	default:
		return nil
	}
	flow, sw := &p.Flows[number], &p.Switches[node.Index]
	set := sw.NextHops[sw.Routes[flow.Dst]]
	frame := dataFrame(p, flow)
	if len(set) < 2 || len(switchd.Onward(uint32(node.Index), sw.Profile.Forwarding, set, &frame)) > 1 {
		return nil
	}
	for _, port := range set {
		if int(port) != at.Port {
			other := result.Step{End: plan.End{Node: at.Node, Port: int(port)}, Share: 1}
			ways = append(ways, onward(p, flow.Dst, &frame, other, nothing))
		}
	}
	return ways
}

// rails are the ways of a flow by the other NICs of its server.
func rails(p *plan.Plan, flow *plan.Flow) (ways [][]result.Step) {
	from, to := inServer(p, flow.Src), inServer(p, flow.Dst)
	for rail := range min(len(from), len(to)) {
		if from[rail] == flow.Src {
			continue
		}
		other := *flow
		other.Src, other.Dst = from[rail], to[rail]
		frame := dataFrame(p, &other)
		ways = append(ways, onward(p, other.Dst, &frame, fromStation(p, other.Src), nothing))
	}
	return ways
}

// inServer are the NICs of the server that holds one; none of a station that is none of ours.
func inServer(p *plan.Plan, station int) (nics []int) {
	if station >= len(p.NICs) || p.NICs[station].Server == "" {
		return nil
	}
	for i := range p.NICs {
		if p.NICs[i].Server == p.NICs[station].Server {
			nics = append(nics, i)
		}
	}
	return nics
}

// onward returns the ports that send frames like the given one on their way to a NIC, from a first step on.
func onward(p *plan.Plan, dst int, frame *wire.Frame, from result.Step, choose chooser) (way []result.Step) {
	hop := []result.Step{from}
	var spare []result.Step
	for range p.Nodes() {
		way = append(way, hop...)
		next := spare[:0]
		for _, step := range hop {
			at := p.Node(step.Node)
			far := p.Node(p.Peer(at.Links[step.Port], step.End).Node)
			if far.Kind != plan.KindSwitch {
				continue // the receiver
			}
			sw := &p.Switches[far.Index]
			set := sw.Routes[dst]
			ports := switchd.Onward(uint32(far.Index), sw.Profile.Forwarding, sw.NextHops[set], frame)
			choose(far.Index, set, ports)
			for _, port := range ports {
				end := plan.End{Node: far.ID, Port: int(port)}
				known := slices.IndexFunc(next, func(other result.Step) bool { return other.End == end })
				if known < 0 {
					known = len(next)
					next = append(next, result.Step{End: end, Hop: step.Hop + 1})
				}
				next[known].Share += step.Share / float64(len(ports))
			}
		}
		if hop, spare = next, hop; len(hop) == 0 {
			break
		}
	}
	return way
}
