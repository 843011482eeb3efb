package fabric

import (
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Transit is the delay that a forwarding node adds, besides time on the wire: for a switch the Latency and the
// CutThrough of its profile, for a NIC and a long-haul path the zero value.
type Transit struct {
	// Pipeline is the time from a frame's last bit, or from the end of its header if it is cut through, to its first
	// bit at an idle egress. Range: 0 or above.
	Pipeline unit.Duration `json:",omitzero"`
	// CutThrough sends a frame on before its last bit is here, see Cuts.
	CutThrough bool `json:",omitzero"`
}

// Hop is a channel of a path, and what the node that sends into it adds.
type Hop struct {
	Channel
	Transit
}

// Path is the way from one NIC to another, hop by hop from the sender's channel on.
type Path []Hop

// PathOf returns a path over channels, through nodes that store and forward without delay.
func PathOf(channels ...Channel) Path {
	path := make(Path, len(channels))
	for i, channel := range channels {
		path[i].Channel = channel
	}
	return path
}

// Cuts reports whether a node may send a frame on before its last bit is here: the egress must not be faster
// than the ingress, else it would run dry in the middle of the frame.
func (t *Transit) Cuts(ingress, egress unit.BitRate) bool { return t.CutThrough && egress <= ingress }

// header returns the number of bytes that must have arrived before a frame may be cut through: the shortest frame as
// accounting counts it, or bytes if that is less. So a frame never acts on a node earlier than the shortest one could,
// and windows are as long as without cut-through.
func header(bytes unit.Bytes, accounting wire.Accounting) unit.Bytes {
	return min(bytes, accounting.ShortestFrame())
}

// Delay is the time that a frame of a number of bytes, as accounting counts them, takes along the path on empty
// queues: from its first bit at the sender to its last bit at the receiver. It is the one account of the
// way of a packet: base RTTs, baselines of one-way delays, ideal completion times and bounds are made of it.
func (p Path) Delay(bytes unit.Bytes, accounting wire.Accounting) unit.Duration {
	if len(p) == 0 {
		return 0
	}
	last := &p[len(p)-1]
	return p.Start(len(p)-1, bytes, accounting) + accounting.SerialTimeOf(bytes, last.Rate) + last.Latency
}

// Start is the time from the first bit of a frame at the sender to its first bit at hop number hop, on empty
// queues.
func (p Path) Start(hop int, bytes unit.Bytes, accounting wire.Accounting) (after unit.Duration) {
	for i := range p[:hop] {
		from, to := &p[i], &p[i+1]
		needed := bytes
		if to.Cuts(from.Rate, to.Rate) {
			needed = header(bytes, accounting)
		}
		after += accounting.SerialTimeOf(needed, from.Rate) + from.Latency + to.Pipeline
	}
	return after
}

// Latency returns the part of Delay that does not depend on the frame: propagation and the delay of nodes.
func (p Path) Latency() (sum unit.Duration) {
	for i := range p {
		sum += p[i].Channel.Latency + p[i].Pipeline
	}
	return sum
}

// Narrowest is the lowest rate of the path, 0 of an empty one.
func (p Path) Narrowest() (rate unit.BitRate) {
	for i := range p {
		if i == 0 || p[i].Rate < rate {
			rate = p[i].Rate
		}
	}
	return rate
}
