package model

import (
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/trace"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
)

// Report is what a node brings back from a run; plain data.
type Report struct {
	ID     plan.NodeID
	Trace  trace.Hash
	Events uint64
	// Switch is set for a switch, WAN for a long-haul path, Port and Ends for a
	// NIC.
	Switch result.Switch
	WAN    result.WAN
	Port   record.Port
	Ends   []EndReport
	// Phases are when the phases of each rank at the NIC ended.
	Phases [][]unit.Time
	// InFlight is what was on its way to the node, by the direction of the
	// link.
	InFlight map[fabric.LinkID]result.Flight
	// Fault is what an algorithm did wrong, "" for nothing.
	Fault string
}

// EndReport is what one end of a flow brings back. One of Sender and Receiver
// is set.
type EndReport struct {
	Flow     uint32
	Sender   *record.Sender
	Receiver *record.Receiver
	// BaseRTT and Ideal are as in result.Flow, for a sender.
	BaseRTT, Ideal unit.Duration
}

// Report returns what the node has to tell at the end of a run, when all
// frames sent to it were delivered.
func (n *Node) Report(end unit.Time, hash trace.Hash) Report {
	r := Report{ID: n.ID, Trace: hash, InFlight: map[fabric.LinkID]result.Flight{}}
	ports := n.Ports()
	account := func(port int, f *wire.Frame) {
		in := ports[port].Link ^ 1
		t := r.InFlight[in]
		t.Add(f)
		r.InFlight[in] = t
	}
	if n.Ticker != nil {
		return r
	}
	if s := n.Switch; s != nil {
		frames, bytes := s.Resident()
		r.Events = s.Events()
		r.Switch = result.Switch{Ports: s.Records(end), Resident: result.Traffic{Frames: frames, Bytes: bytes}, BufferMax: s.BufferMax(), Proximal: s.ProximalRecord()}
		s.InFlight(account)
		return r
	}
	if w := n.WAN; w != nil {
		r.Events = w.Events()
		records := w.Records(end)
		r.WAN = result.WAN{Ports: records[:], Held: w.Held()}
		w.InFlight(account)
		return r
	}
	r.Events = n.NIC.Events()
	r.Port = n.NIC.PortRecord(end)
	n.NIC.InFlight(account)
	if err := n.NIC.Fault(); err != nil {
		r.Fault = err.Error()
	}
	for i := range n.Blueprint.NIC.Ends {
		r.Ends = append(r.Ends, n.endReport(i))
	}
	for i := range n.Blueprint.NIC.Ranks {
		r.Phases = append(r.Phases, n.NIC.PhaseEnds(i))
	}
	return r
}

func (n *Node) endReport(i int) EndReport {
	end := &n.Blueprint.NIC.Ends[i]
	if c := end.Receiver; c != nil {
		return EndReport{Flow: c.Flow, Receiver: n.NIC.ReceiverRecord(c.QP)}
	}
	c := end.Sender
	r := EndReport{Flow: c.Flow, Sender: n.NIC.SenderRecord(c.QP), BaseRTT: n.facts[i].BaseRTT}
	if c.Size > 0 {
		size := c.Size
		if c.Messages != nil {
			size = c.Message // each has a completion time of its own
		}
		r.Ideal = ideal(size, c.MTU, n.facts[i].PacketBytes, r.BaseRTT, narrowest(c.Path))
	}
	return r
}

// Acked is the payload that the node's flows with a size have had acknowledged
// so far.
func (n *Node) Acked() (sum unit.Bytes) {
	for i := range n.facts { // none at a switch
		if c := n.Blueprint.NIC.Ends[i].Sender; c != nil && c.Size != 0 {
			sum += n.NIC.SenderRecord(c.QP).Acked
		}
	}
	return sum
}

// ideal is the usual denominator of a slowdown, base RTT + wire bytes / rate
// (public RDMA simulator, alibaba-edu HPCC ns-3). It holds the last packet's
// time on the wire twice, so that a flow alone has a slowdown just below 1: by
// a packet in all its packets.
func ideal(size, mtu, packet unit.Bytes, baseRTT unit.Duration, rate unit.BitRate) unit.Duration {
	packets := (size + mtu - 1) / mtu
	return baseRTT + rate.SerialTime(size+packets*(packet-mtu))
}

// narrowest is the least rate of a path.
func narrowest(path []fabric.Channel) unit.BitRate {
	rate := path[0].Rate
	for _, c := range path {
		rate = min(rate, c.Rate)
	}
	return rate
}
