package scenario

import (
	"encoding/binary"
	"fmt"
	"sort"

	"github.com/rocelab/rocelab/emulator/capacity"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Report describes a plan before it runs.
type Report struct {
	Name string `json:"name"`
	// Fabric is the plan's.
	Fabric string `json:"fabric,omitempty"`
	// Switches, NICs, Links and Flows are counts; Bytes is the payload of the flows that have a size, Unsized the
	// number of flows without one. Servers is the number of machines that hold the NICs.
	Switches int        `json:"switches"`
	Servers  int        `json:"servers"`
	NICs     int        `json:"nics"`
	Links    int        `json:"links"`
	WANs     int        `json:"wans"`
	Flows    int        `json:"flows"`
	Unsized  int        `json:"unsized_flows"`
	Bytes    unit.Bytes `json:"size_bytes"`
	// Window is the longest window that the fabric allows, and WindowsPerMs
	// how many of them a millisecond of model time has when none is idle.
	Window       unit.Duration `json:"window_ps"`
	WindowsPerMs int64         `json:"windows_per_ms"`
	// Paths are the classes of paths that flows take, the commonest first.
	Paths []PathClass `json:"paths"`
	// Pinned are the flows whose paths the scenario chooses.
	Pinned []PinnedClass `json:"pinned,omitempty"`
	// LongHauls are the long-haul paths.
	LongHauls []LongHaul `json:"long_hauls"`
	// DCIs are the kinds of DCI ports, in the order of the switches.
	DCIs []DCIClass `json:"dci_ports"`
	// Headrooms are the kinds of lossless ingress ports, the commonest first.
	Headrooms []HeadroomClass `json:"headrooms"`
	// Markings are the kinds of ports that mark, in the order of the switches.
	Markings []MarkingClass `json:"markings"`
	// Chips are the switch chips that profiles name, in the order of the switches.
	Chips []ChipReport `json:"chips,omitempty"`
	// Edges are where devices and hosts that are not ours take part, in the order of
	// their numbers.
	Edges []EdgeReport `json:"edges,omitempty"`
	// Peers are the connections to real stacks, with the numbers of our ends.
	Peers []PeerReport `json:"peers,omitempty"`
	// Convergence has the consequences of outages and drains of links, in the order of their beginnings; nil without
	// failover.
	Convergence []Convergence `json:"convergence,omitempty"`
	// Bound is a lower bound of an iteration of collectives across long-haul paths. It depends on ECMP's choices; a
	// caller that knows these fills it in.
	Bound *plan.Bound `json:"bound,omitempty"`
	// Capacity, Placements and Forecast cost time that only validate has: Analyse leaves them out.
	Capacity   *capacity.Fabric     `json:"capacity,omitempty"`
	Placements []capacity.Placement `json:"placements,omitempty"`
	Forecast   *plan.Forecast       `json:"forecast,omitempty"`
	Warnings   []string             `json:"warnings"`
}

// PathClass is the flows whose paths agree in hops, rates and latencies, including the switches' latencies, and whose
// packets agree in extensions.
type PathClass struct {
	// Flows is their number; Example is one of them.
	Flows   int    `json:"flows"`
	Example string `json:"example"`
	// Hops is the number of switches on the way.
	Hops int `json:"hops"`
	// Rate is the rate of the slowest channel.
	Rate unit.BitRate `json:"rate_bps"`
	// BaseRTT is the round-trip time of a full-size packet and its ACK on
	// empty queues, with the extensions of the flows' algorithm; OneWay is the
	// packet's part of it, BDP what Rate carries in BaseRTT.
	BaseRTT unit.Duration `json:"base_rtt_ps"`
	OneWay  unit.Duration `json:"one_way_ps"`
	BDP     unit.Bytes    `json:"bdp_bytes"`
}

// shortLatency is the latency below which the number of windows is worth a
// warning.
const shortLatency = 100 * unit.Nanosecond

// Extensions gives a data packet and an ACK the extensions that an algorithm has
// them carry; they take time on the wire.
type Extensions func(a *plan.Algorithm, data, ack *wire.Frame)

// Analyse works out the report of a plan; nil extensions are none.
func Analyse(planned *plan.Plan, extensions Extensions) Report {
	report := Report{
		Name:     planned.Name,
		Fabric:   planned.Fabric,
		Switches: len(planned.Switches),
		NICs:     len(planned.NICs),
		Links:    len(planned.Links) - len(planned.WANs),
		WANs:     len(planned.WANs),
		Flows:    len(planned.Flows),
		Warnings: []string{},
	}
	servers := map[string]bool{}
	for i := range planned.NICs {
		servers[planned.NICs[i].Server] = true
	}
	report.Servers = len(servers)
	for i := range planned.Flows {
		report.Bytes += planned.Flows[i].Size
		if planned.Flows[i].Size == 0 {
			report.Unsized++
		}
	}
	report.Window = planned.Lookahead()
	report.WindowsPerMs = int64(unit.Millisecond / max(1, report.Window))
	packets := extensions.samples(planned.MTU)
	report.Paths = pathClasses(planned, packets)
	report.Pinned = pinnedClasses(planned)
	report.LongHauls = longHauls(planned)
	report.DCIs = dciClasses(planned)
	report.Headrooms = headroomClasses(planned)
	report.Chips = chipReports(planned)
	report.Markings = markingClasses(planned)
	report.Edges = edgeReports(planned)
	report.Peers = peerReports(planned)
	report.Convergence = convergences(planned)
	report.warn(planned)
	report.warnEdges(planned)
	report.warnDCI(planned)
	report.warnCrossClass(planned)
	report.warnTimeouts(planned, packets)
	report.warnChips(planned)
	report.warnWatchdogs(planned)
	report.warnFailover(planned)
	return report
}

func (r *Report) warn(planned *plan.Plan) {
	if nobodyReacts(planned) {
		r.Warnings = append(r.Warnings,
			"proximal CNP is on, but not at a switch with NICs: no switch reacts to notifications of congestion")
	}
	for i := range planned.Links {
		l := &planned.Links[i]
		if least := min(l.Forward.Latency, l.Backward.Latency); least < shortLatency {
			r.Warnings = append(r.Warnings,
				fmt.Sprintf(
					"link %s-%s has a latency of %v, below %v: the run needs up to %d windows in a "+
						"millisecond of model time, and on veth a barrier each",
					planned.NodeName(l.A.Node), planned.NodeName(l.B.Node), least, shortLatency, r.WindowsPerMs))
			return
		}
	}
}

// exchange is a full-size packet in the middle of a message and its ACK.
type exchange struct{ data, ack wire.Frame }

func (e Extensions) exchange(algorithm *plan.Algorithm, mtu unit.Bytes) *exchange {
	s := &exchange{
		data: wire.Frame{EtherType: wire.EtherTypeIPv4, Opcode: wire.WriteMiddle, PayloadLen: uint16(mtu)},
		ack:  wire.Frame{EtherType: wire.EtherTypeIPv4, Opcode: wire.Acknowledge},
	}
	if e != nil && algorithm != nil {
		e(algorithm, &s.data, &s.ack)
	}
	return s
}

// samples is the exchange of an algorithm.
type samples func(*plan.Algorithm) *exchange

// samples asks for each algorithm's extensions once: an algorithm that decodes weights takes long to be configured.
func (e Extensions) samples(mtu unit.Bytes) samples {
	known := map[*plan.Algorithm]*exchange{}
	return func(algorithm *plan.Algorithm) *exchange {
		if known[algorithm] == nil {
			known[algorithm] = e.exchange(algorithm, mtu)
		}
		return known[algorithm]
	}
}

// baseRTT returns the time of a packet along there, and of its ACK along back, on empty queues.
func (e *exchange) baseRTT(accounting wire.Accounting, there, back fabric.Path) unit.Duration {
	return there.Delay(accounting.Bytes(&e.data), accounting) + back.Delay(accounting.Bytes(&e.ack), accounting)
}

func pathClasses(planned *plan.Plan, samples samples) []PathClass {
	type pair struct {
		there, back *fabric.Hop
		data, ack   unit.Bytes
	}
	places := map[pair]int{} // flows of one host pair share their paths
	kinds := hopKinds{}
	classes := map[string]int{}
	list := []PathClass{}
	for i := range planned.Flows {
		flow := &planned.Flows[i]
		if len(flow.Path) == 0 || len(flow.Back) == 0 {
			continue
		}
		packets := samples(flow.Algorithm)
		key := pair{&flow.Path[0], &flow.Back[0], packets.data.Len(), packets.ack.Len()}
		place, ok := places[key]
		if !ok {
			class := kinds.append(kinds.append(nil, flow.Path), flow.Back)
			class = binary.AppendUvarint(binary.AppendUvarint(class, uint64(key.data)), uint64(key.ack))
			if place, ok = classes[string(class)]; !ok {
				place = len(list)
				list = append(list, pathClass(planned, flow, packets))
				classes[string(class)] = place
			}
			places[key] = place
		}
		list[place].Flows++
	}
	sort.SliceStable(list, func(a, b int) bool { return list[a].Flows > list[b].Flows })
	return list
}

// hopKinds numbers hops that agree in rate, latency and what the node before them adds.
type hopKinds map[fabric.Hop]uint64

// append appends the length of a path and its kinds of hops, so that equal bytes are equal paths.
func (k hopKinds) append(to []byte, path fabric.Path) []byte {
	to = binary.AppendUvarint(to, uint64(len(path)))
	for _, hop := range path {
		kind, ok := k[hop]
		if !ok {
			kind = uint64(len(k))
			k[hop] = kind
		}
		to = binary.AppendUvarint(to, kind)
	}
	return to
}

func pathClass(planned *plan.Plan, flow *plan.Flow, packets *exchange) PathClass {
	c := PathClass{Example: planned.NICs[flow.Src].Name + " to " + planned.StationName(flow.Dst), Hops: len(flow.Path) - 1,
		Rate: flow.Path.Narrowest()}
	c.OneWay = flow.Path.Delay(planned.Accounting.Bytes(&packets.data), planned.Accounting)
	c.BaseRTT = packets.baseRTT(planned.Accounting, flow.Path, flow.Back)
	c.BDP = c.Rate.BytesIn(c.BaseRTT)
	return c
}
