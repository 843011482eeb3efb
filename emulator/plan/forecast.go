package plan

import (
	"cmp"

	"github.com/rocelab/rocelab/emulator/unit"
)

// Forecast is the cost of a run, and the load of ECMP's ports, as far as the plan and the hash tell.
type Forecast struct {
	// ECMP are the kinds of groups of ports among which ECMP chooses for the plan's flows, in the order of the switches.
	ECMP []ECMPGroups `json:"ecmp,omitempty"`
	// PacketHops is the number of packet-hops, from 0, as PacketHops returns it.
	PacketHops int64 `json:"packet_hops"`
	// SecondsLeast and SecondsMost are the time of those on one core, in seconds, at FastHops and at SlowHops.
	SecondsLeast float64 `json:"seconds_least"`
	SecondsMost  float64 `json:"seconds_most"`
	// Memory is the peak of a process with one run, in bytes.
	Memory unit.Bytes `json:"memory_bytes"`
	// Sampled is the time of a run in memory on this host, by the clock on the wall, in seconds and without its files. It
	// is estimated from the first seconds of one; 0 if none was begun.
	Sampled float64 `json:"sampled_wall_seconds,omitempty"`
}

// ECMPGroups is groups of equal-cost ports. A group is the ports to which a switch sends, by the hash of ECMP, the
// frames to certain hosts. All are of switches of one level, and their ports are equal in number and lead to one tier.
// A flow counts at each group that its data pass, whether or not others are under way at that time; its ACKs do not.
type ECMPGroups struct {
	// Example is the switch of the group with the largest difference between Most and Least, the numbers of flows on its
	// most and its least loaded port, from 0.
	Example string `json:"example"`
	Most    int    `json:"most"`
	Least   int    `json:"least"`
	// Groups is the number of groups with a flow, Ports the number of ports of each, from 2. Tier is where the ports lead,
	// Level the level of the switches.
	Groups int    `json:"groups"`
	Ports  int    `json:"ports"`
	Tier   string `json:"tier"`
	Level  int    `json:"level"`
	// Flows is the number of flows of all groups together.
	Flows int `json:"flows"`
	// Pairs is the number of pairs of flows on one port. Collisions is the number of flows that share a port while
	// another port of their group has none. The expected numbers are the means of a hash that takes each port with the
	// same probability.
	Pairs              int64   `json:"pairs"`
	ExpectedPairs      float64 `json:"expected_pairs"`
	Collisions         int     `json:"collisions"`
	ExpectedCollisions float64 `json:"expected_collisions"`
}

// SlowHops and FastHops are the speeds of one core, in packet-hops a second, between which most are on a quiet machine.
// Source: docs/performance.md, which has those of each algorithm.
const (
	SlowHops = 4_000_000
	FastHops = 8_000_000
)

// PacketHops returns the number of times that ports send the packets of the plan's flows and their ACKs. It leaves out
// what no plan knows: CNPs, pauses, what is sent again, and what comes in at edges. A flow sends until the end of the
// run, and at the rate of its NIC, at most. unsized returns the bytes on the wire of a flow without a size.
func PacketHops(p *Plan, unsized func(flow int) unit.Bytes) (total int64) {
	hauls := p.hauls()
	full := p.Accounting.Bytes(dataFrame(p.MTU))
	for i := range p.Flows {
		flow := &p.Flows[i]
		packets, acks := packetsAndACKs(p, flow)
		if flow.Size == 0 {
			packets = int64(unsized(i) / full)
			acks = acksOf(p, flow, packets)
		}
		span := max(0, EndOf(p, flow).Sub(flow.Start))
		if most := int64(p.NICRate(flow.Src).BytesIn(span) / full); packets > most {
			packets, acks = most, acksOf(p, flow, most)
		}
		there, back := len(flow.Path), len(flow.Back)
		if len(hauls) > 0 {
			fibre, _ := p.fibreOf(flow, hauls)
			there, back = there+fibre.count, back+fibre.count
		}
		total += packets*int64(there) + acks*int64(back)
	}
	return total
}

// EndOf returns when a flow stops at the latest: at its own stop, or with the run.
func EndOf(p *Plan, flow *Flow) unit.Time {
	return min(cmp.Or(flow.Stop, unit.Never), cmp.Or(p.Until, p.Limit))
}

// packetsAndACKs is how many packets and ACKs the messages of a flow with a size have.
func packetsAndACKs(p *Plan, flow *Flow) (packets, acks int64) {
	message := cmp.Or(flow.Message, flow.Size, 1)
	whole, rest := int64(flow.Size/message), packetsOf(p, flow.Size%message)
	each := packetsOf(p, message)
	return whole*each + rest, whole*acksOf(p, flow, each) + acksOf(p, flow, rest)
}
