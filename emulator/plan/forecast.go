package plan

import (
	"cmp"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Forecast predicts from the plan and the hash what a run costs and how ECMP loads the ports.
type Forecast struct {
	// ECMP has an entry for each kind of group of ports among which ECMP chooses, in the order of the switches.
	ECMP []ECMPGroups `json:"ecmp,omitempty"`
	// PacketHops is the number of packet-hops, from 0: see the function PacketHops.
	PacketHops int64 `json:"packet_hops"`
	// SecondsLeast and SecondsMost are the time of these on one core, in seconds, at FastHops and at SlowHops.
	SecondsLeast float64 `json:"seconds_least"`
	SecondsMost  float64 `json:"seconds_most"`
	// Memory is the peak memory of a process that does one run, in bytes.
	Memory unit.Bytes `json:"memory_bytes"`
	// Sampled is the wall time of a run in memory on this host, in seconds, without the time to write its files. It is
	// estimated from the first seconds of such a run; 0 if there was none.
	Sampled float64 `json:"sampled_wall_seconds,omitempty"`
}

// ECMPGroups stands for groups of equal-cost ports that are alike: at switches of one level, with the same number of
// ports, which lead to the same tier. A group is a set of ports among which a switch chooses by the hash of ECMP. A
// flow counts in each group that its data pass, whether or not other flows send at that time. ACKs do not count.
type ECMPGroups struct {
	// Most and Least are the numbers of flows, from 0, on the most and on the least loaded port of one group: the one with
	// the largest difference between them. Example is its switch.
	Example string `json:"example"`
	Most    int    `json:"most"`
	Least   int    `json:"least"`
	// Groups is the number of groups with at least one flow, Ports the number of ports of each group, from 2. Tier is
	// the tier to which the ports lead, Level the level of the switches.
	Groups int    `json:"groups"`
	Ports  int    `json:"ports"`
	Tier   string `json:"tier"`
	Level  int    `json:"level"`
	// Flows is the number of flows of all groups together.
	Flows int `json:"flows"`
	// Pairs is the number of pairs of flows that share a port. Collisions is the number of flows that share a port while
	// another port of their group has no flow. The expected numbers are the means if each flow takes each port with the
	// same probability.
	Pairs              int64   `json:"pairs"`
	ExpectedPairs      float64 `json:"expected_pairs"`
	Collisions         int     `json:"collisions"`
	ExpectedCollisions float64 `json:"expected_collisions"`
}

// SlowHops and FastHops are the range of speeds of one core on a quiet machine, in packet-hops a second, for most
// algorithms. Source: docs/performance.md, which has the speed with each algorithm.
const (
	SlowHops = 3_000_000
	FastHops = 8_000_000
)

// PacketHops returns how many times ports send packets of the plan's flows or their ACKs. CNPs, pauses, retransmissions
// and frames that come in at edges are not in the plan, so they do not count. A flow sends at most at the rate of its
// NIC and at most until the end of the run. unsized returns how many bytes a flow without a size sends on the wire.
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

// EndOf returns the latest time at which a flow stops: at its own stop or at the end of the run.
func EndOf(p *Plan, flow *Flow) unit.Time {
	return min(cmp.Or(flow.Stop, unit.Never), cmp.Or(p.Until, p.Limit))
}

// packetsAndACKs returns the numbers of packets and of ACKs of a flow with a size.
func packetsAndACKs(p *Plan, flow *Flow) (packets, acks int64) {
	message := cmp.Or(flow.Message, flow.Size, 1)
	whole, rest := int64(flow.Size/message), packetsOf(p, flow.Size%message)
	each := packetsOf(p, message)
	return whole*each + rest, whole*acksOf(p, flow, each) + acksOf(p, flow, rest)
}
