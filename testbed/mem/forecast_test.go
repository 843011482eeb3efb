package mem_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/model"
)

// A run without congestion makes the packet-hops that were predicted, and its ports have the flows that ECMP was
// predicted to put there. Tier: -short. Red if the prediction asks another hash, or counts a hop too few or too many.
func TestForecastComesTrue(t *testing.T) {
	for what, text := range map[string]string{
		"across two leaves": "algorithm: fixed\ntopology: {kind: leaf-spine, leaves: 2, spines: 4, hosts_per_leaf: 8}\n" +
			"nic: {ack_every: 4}\ntraffic: [{kind: permutation, flows: 3, hosts: h0..h15, size: 5kB}]\n",
		"over fibre": "algorithm: fixed\ntopology: {kind: two-dc, scale: 1/64, dci_wan: {length: 1km}}\n" +
			"traffic: [{operation: all-reduce, method: hierarchical, groups: 2, size: 160kB}]\n",
		"up and down a fat tree": "algorithm: fixed\ntopology: {kind: fat-tree, hosts: 16, k: 4}\n" +
			"traffic: [{kind: all-to-all, size: 1kB, message: 400B}]\n",
	} {
		t.Run(what, func(t *testing.T) {
			p := plansOf(t, text)
			forecast, out := model.ForecastOf(p), done(t, p, 1)
			if uint64(forecast.PacketHops) != out.Hops {
				t.Errorf("%s: %d packet-hops were predicted, and %d made", what, forecast.PacketHops, out.Hops)
			}
		})
	}

	// 6 flows of 5 packets from leaf to leaf: no ACK leaves the first one by an uplink.
	p := plansOf(t, "algorithm: fixed\ntopology: {kind: leaf-spine, leaves: 2, spines: 4, hosts_per_leaf: 4}\n"+
		"traffic: [{from: h0..h2, to: h4..h5, size: 5kB}]\n")
	group, out := model.ForecastOf(p).ECMP[0], done(t, p, 1)
	most, least, pairs, together := 0, len(p.Flows), int64(0), 0
	for port := 4; port < 8; port++ {
		flows := int(out.Network.Switches[0].Ports[port].TxFrames) / 5
		most, least, pairs = max(most, flows), min(least, flows), pairs+int64(flows*(flows-1)/2)
		if flows > 1 {
			together += flows
		}
	}
	if least > 0 {
		together = 0
	}
	if pairs == 0 || together == 0 {
		t.Error("no flows share a port")
	}
	want := fmt.Sprint(len(p.Flows), most, least, pairs, together)
	if got := fmt.Sprint(group.Flows, group.Most, group.Least, group.Pairs, group.Collisions); got != want {
		t.Errorf("flows, most, least, pairs and collisions were predicted as %s, and are %s", got, want)
	}
}

// A finished flow leaves most of its predicted memory, without garbage, in the plan and in the outcome; the rest is at
// its NICs, which are given up by then. Red if the forecast of a flow is doubled or halved, or a finished flow keeps
// its ends.
func TestForecastOfFinishedFlows(t *testing.T) {
	held := func(events int) (*plan.Plan, *result.Outcome, float64) {
		before := heapInUse()
		p := plansOf(t, fmt.Sprintf("algorithm: dcqcn\ntopology: {kind: star, hosts: 17}\nrecord: {off: true}\n"+
			"traffic: [{kind: incast, senders: 16, size: 1kB, events: %d, period: 2us}]\n", events))
		out := done(t, p, 1)
		return p, out, heapInUse() - before
	}
	few, fewOut, one := held(100)
	many, manyOut, two := held(300)
	flows := float64(len(many.Flows) - len(few.Flows))
	left, predicted := (two-one)/flows, float64(plan.Memory(many)-plan.Memory(few))/flows-float64(4*unit.KB)
	if t.Logf("%.0f B of %.0f", left, predicted); left < 0.55*predicted || left > 0.95*predicted {
		t.Errorf("%.0f B are left of a finished flow, and its memory was predicted to be %.0f B", left, predicted)
	}
	runtime.KeepAlive(fewOut)
	runtime.KeepAlive(manyOut)
}

// heapInUse is the size of the live heap, in bytes.
func heapInUse() float64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return float64(stats.HeapAlloc)
}
