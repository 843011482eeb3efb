package plan_test

import (
	"testing"

	"github.com/rocelab/rocelab/emulator/peer"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/scenario/scenariotest"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Packet-hops by hand: packets times the ports on their path, plus ACKs times the ports on theirs. At 100 Gb/s the 1082
// B of a full packet take 86.56 ns. Red if ACKs do not count, if ack_every counts over a flow and not
// over a message, if a long-haul path does not count, or if the end of the run does not cut flows.
func TestPacketHops(t *testing.T) {
	const star = "{kind: star, hosts: 3}"
	for _, c := range []struct {
		what, topology, keys string
		want                 int64
	}{
		{"3 packets and 3 ACKs over 2 ports", star, "traffic: [{from: h0, to: h1, size: 2500B}]", 3*2 + 3*2},
		{"an ACK for 2 packets, and one for the last", star,
			"nic: {ack_every: 2}\ntraffic: [{from: h0, to: h1, size: 2500B}]", 3*2 + 2*2},
		{"messages of 3 packets have 2 ACKs each", star,
			"nic: {ack_every: 2}\ntraffic: [{from: h0, to: h1, size: 5001B, message: 2500B}]", 7*2 + 5*2},
		{"two flows", star, "traffic: [{from: h0, to: h1, size: 1kB}, {from: h2, to: h1, size: 2kB}]", 3 * 4},
		{"6 ports across a fat tree", "{kind: fat-tree, k: 4, hosts: 16}", "traffic: [{from: h0, to: h15, size: 1kB}]",
			6 + 6},
		{"3 ports and a long-haul path", "{kind: dumbbell, left: 1, right: 1, bottleneck_wan: {length: 1km}}",
			"traffic: [{from: h0, to: h1, size: 1kB}]", 4 + 4},
		{"what a NIC sends in 100 us: 1155 packets", star,
			"run: {until: 100us}\ntraffic: [{from: h0, to: h1, size: 10MB, start: 0s}]", 1155 * 4},
		{"a flow without a size", star,
			"run: {until: 100us}\ntraffic: [{from: h0, to: h1, stop: 50us, start: 0s}]", 100 * 4},
	} {
		t.Run(c.what, func(t *testing.T) {
			p := scenariotest.PlanOn(t, c.topology, c.keys)
			for i := range p.Flows {
				p.Flows[i].Start = 0 // without the offset of each flow
			}
			got := plan.PacketHops(p, func(flow int) unit.Bytes { return 100*1082 + 500 })
			if got != c.want {
				t.Errorf("%s: %d packet-hops, want %d", c.what, got, c.want)
			}
		})
	}
}

// Memory by hand, from the figures that the package documents. Red if ports, flows, frames in flight or
// series need no memory, if finished flows need as much as others, or if more frames count than a NIC's flows have.
func TestMemory(t *testing.T) {
	const (
		base  = 14_000_000
		ports = 4 * 5_000     // two hosts at a switch
		ended = 1_000 + 4_000 // a finished flow, and garbage
		flow  = ended + 6_000 // more as long as it is not
		off   = "record: {off: true}\n"
	)
	for _, c := range []struct {
		what, topology, keys string
		want                 unit.Bytes
	}{
		{"50 frames are 4 us at 100 Gb/s", "{kind: star, hosts: 2}", off + "traffic: [{from: h0, to: h1, size: 1MB}]",
			base + ports + flow + 50*(300+600)},
		{"a short flow", "{kind: star, hosts: 2}", off + "traffic: [{from: h0, to: h1, size: 2500B}]",
			base + ports + flow + 3*(300+600)},
		{"two flows of one NIC", "{kind: star, hosts: 2}",
			off + "traffic: [{from: h0, to: h1, size: 1MB}, {from: h0, to: h1, size: 1MB}]",
			base + ports + 2*flow + 50*(300+600)},
		{"two flows, the second after the first is finished", "{kind: star, hosts: 2}",
			off + "traffic: [{from: h0, to: h1, size: 1MB}, {from: h0, to: h1, size: 1MB, start: 1ms}]",
			base + ports + flow + ended + 50*(300+600)},
		{"the garbage of 16000 flows waits at one time, and not that of 20000", "{kind: star, hosts: 2}",
			off + "traffic: [{kind: incast, senders: 1, size: 2500B, events: 20000, period: 1ms}]",
			base + ports + 20000*1_000 + 64_000_000 + 6_000 + 50*(300+600)},
		{"a long path: 400 us are 5000 frames, and 256 may stand in queues",
			"{kind: star, hosts: 2, latency: 100us}", off + "traffic: [{from: h0, to: h1, size: 100MB}]",
			base + ports + flow + 5000*300 + 256*600},
		{"11 bins of 20 us, of 4 ports with 4 series and 8 queues, and a flow with 5 and 8 values",
			"{kind: star, hosts: 2}", "record: {interval: 20us}\nrun: {until: 200us}\n" +
				"traffic: [{from: h0, to: h1, size: 2500B}]",
			base + ports + flow + 3*(300+600) + 2*(11*4*(4*12+5+8))},
	} {
		t.Run(c.what, func(t *testing.T) {
			if got := plan.Memory(scenariotest.PlanOn(t, c.topology, c.keys)); got != c.want {
				t.Errorf("%s: %d B, want %d B", c.what, got, c.want)
			}
		})
	}
}

// Both regions of a connection to a real stack count: each end keeps them. Red: without peerMemory.
func TestMemoryOfPeers(t *testing.T) {
	p := scenariotest.PlanOn(t, "{kind: star, hosts: 2}", "traffic: [{from: h0, to: h1, size: 2500B}]")
	without := plan.Memory(p)
	p.Peers = []plan.Peer{
		{Verbs: peer.Config{Memory: peer.Region{Length: 3_000_000}, Peer: peer.Region{Length: 2_000_000}}},
		{Verbs: peer.Config{Memory: peer.Region{Length: 7}}},
	}
	if got := plan.Memory(p) - without; got != 5_000_007 {
		t.Errorf("peers take %d B, want 5000007 B", got)
	}
}
