package result

import (
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// travel returns the time that the NIC takes to send a full packet, and the travel time of the last packet and of its
// ACK back, on empty queues. A last packet that is shorter than the one before it catches up with that at each hop, and
// waits until that has left. It does not include a flow's own queue at a port that is narrower than its NIC: the
// attribution counts that, in bytes, for all its packets.
func (w *whyOf) travel(flow int, way []Step) (packet, travel unit.Duration) {
	last, several := lastPacket(w.Plan.MTU, &w.Plan.Flows[flow])
	accounting, path := w.Plan.Accounting, w.path(way)
	fullBytes, shortBytes := w.packetBytes(flow, w.Plan.MTU), w.packetBytes(flow, last)
	travel = w.Flows[flow].BaseRTT - path.Delay(fullBytes, accounting) + path.Delay(shortBytes, accounting)
	// gap is from the last bit of the packet before to that of the last one. narrowest and slowest are the most that a
	// full packet and the last one take at a port so far, first what the last one takes at the NIC.
	var gap, narrowest, slowest, first, waits unit.Duration
	for i := range path {
		full := accounting.SerialTimeOf(fullBytes, path[i].Rate)
		short := accounting.SerialTimeOf(shortBytes, path[i].Rate)
		if i == 0 {
			packet, narrowest = full, full
			gap, slowest, first = short, short, short
			travel -= short
			continue
		}
		waits += max(0, min(full, narrowest)-gap)
		gap = short + max(0, gap-full)
		narrowest, slowest = max(narrowest, full), max(slowest, short)
	}
	if several {
		travel += max(0, waits-(slowest-first))
	}
	return packet, travel
}

// lastPacket is the payload of a flow's last packet, and whether its message has others before it.
func lastPacket(mtu unit.Bytes, flow *plan.Flow) (payload unit.Bytes, several bool) {
	last := flow.Size
	if flow.Message > 0 {
		last = (flow.Size-1)%flow.Message + 1
	}
	if last <= 0 {
		return mtu, true
	}
	return (last-1)%mtu + 1, last > mtu
}
