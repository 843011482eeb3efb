package mem

import (
	"sort"

	"github.com/rocelab/rocelab/emulator/engine"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/trace"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc"
)

// outcome reads all records off the models.
func (m *models) outcome(end unit.Time) *result.Outcome {
	p := m.plan
	out := &result.Outcome{Plan: p, End: end, InFlight: make([]result.Traffic, 2*len(p.Links))}
	account := func(link int) func(int, *wire.Frame) {
		return func(_ int, f *wire.Frame) {
			out.InFlight[link].Frames++
			out.InFlight[link].Bytes += uint64(f.Len())
		}
	}
	for i, s := range m.switches {
		frames, bytes := s.Resident()
		out.Switches = append(out.Switches, result.Switch{
			Ports: s.Records(end), Resident: result.Traffic{Frames: frames, Bytes: bytes}, BufferMax: s.BufferMax(),
		})
		links := p.Switches[i].Links
		s.InFlight(func(port int, f *wire.Frame) {
			account(towards(p, links[port], plan.NodeID(i)))(port, f)
		})
		out.Events += s.Events()
	}
	for i, n := range m.nics {
		out.NICs = append(out.NICs, n.PortRecord(end))
		n.InFlight(account(towards(p, p.NICs[i].Link, p.NICNode(i))))
		out.Events += n.Events()
	}
	for i := range p.Flows {
		out.Flows = append(out.Flows, m.flow(i))
	}
	return out
}

// towards returns the direction of a link that ends at node.
func towards(p *plan.Plan, link int, node plan.NodeID) int {
	if p.Links[link].B.Node == node {
		return 2 * link
	}
	return 2*link + 1
}

func (m *models) flow(i int) result.Flow {
	p, f := m.plan, &m.plan.Flows[i]
	out := result.Flow{
		Sender:   *m.nics[f.Src].SenderRecord(m.ends[i].sender),
		Receiver: *m.nics[f.Dst].ReceiverRecord(m.ends[i].receiver),
	}
	facts := &m.ends[i].facts
	out.BaseRTT = facts.BaseRTT
	if f.Size > 0 {
		out.Ideal = ideal(f, facts, p.MTU)
	}
	return out
}

// ideal is the usual denominator of a slowdown, base RTT + wire bytes / rate
// (public RDMA simulator, alibaba-edu HPCC ns-3). It holds the last packet's
// time on the wire twice, so that a flow alone has a slowdown just below 1: by
// a packet in all its packets.
func ideal(f *plan.Flow, facts *cc.Facts, mtu unit.Bytes) unit.Duration {
	packets := (f.Size + mtu - 1) / mtu
	wireBytes := f.Size + packets*(facts.PacketBytes-mtu)
	return facts.BaseRTT + narrowest(f.Path).SerialTime(wireBytes)
}

// narrowest is the least rate of a path.
func narrowest(path []fabric.Channel) unit.BitRate {
	rate := path[0].Rate
	for _, c := range path {
		rate = min(rate, c.Rate)
	}
	return rate
}

// traceSum folds the nodes' hashes in the order of their names.
func (m *models) traceSum(e *engine.Engine) uint64 {
	hashes := e.Hashes()
	order := make([]int, len(hashes))
	for i := range order {
		order[i] = i
	}
	name := func(i int) string { return m.plan.NodeName(plan.NodeID(i)) }
	sort.Slice(order, func(a, b int) bool { return name(order[a]) < name(order[b]) })
	names := make([]string, len(order))
	sorted := make([]trace.Hash, len(order))
	for i, n := range order {
		names[i], sorted[i] = name(n), hashes[n]
	}
	return trace.Sum(names, sorted)
}
