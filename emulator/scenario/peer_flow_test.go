package scenario

import (
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// A peer with an algorithm has a flow from its NIC to the station of its edge, of all that its work carries, behind the
// flows of the traffic.
func TestPeerWithAlgorithm(t *testing.T) {
	p := plansOf(t, "algorithm: none\ntraffic: [{from: h0, to: h1, size: 1KB}]\n"+withPeer[1:]+
		`  - {edge: guest, qp: 17, length: 64KiB}
  - {edge: guest, qp: 18, host: h1, length: 64KiB, dscp: 3, algorithm: dcqcn,
     work: [{verb: read, length: 9B, start: 2us}, {verb: write, length: 10B, to: 12B, count: 2},
     {verb: send, length: 5B}]}
  - {edge: guest, qp: 19, name: last, algorithm: {name: dcqcn}, window: 32, notifier: stack,
     work: [{verb: send, length: 5B}]}
`)[0]
	if len(p.Flows) != 3 || p.Flows[0].Carrier != nil || p.Peers[0].Verbs.Window != 32 {
		t.Fatalf("%+v %+v", p.Flows, p.Peers)
	}
	second, last := &p.Peers[1], &p.Peers[2]
	if *p.Flows[1].Carrier != 1 || *p.Flows[2].Carrier != 2 || !second.Notifies || last.Notifies ||
		second.Verbs.Window != 1024 ||
		last.Verbs.Window != 32 {
		t.Errorf("%+v %+v", second, last)
	}
	f := &p.Flows[1]
	if f.Name != "guest-2/h1-guest" || f.Group != "guest-2" || f.Src != 1 || f.Dst != 2 || f.Size != 71 || f.DSCP != 3 ||
		f.Start != unit.Time(2*unit.Microsecond) || f.Algorithm.Name != "dcqcn" || len(f.Path) != 2 || len(f.Back) != 2 {
		t.Errorf("%+v", f)
	}
	if p.StationName(f.Dst) != "guest" || p.Node(p.StationNode(f.Dst)).Name != "guest" {
		t.Errorf("it ends at %s", p.StationName(f.Dst))
	}
}

// Peers that an algorithm cannot drive are refused, with the allowed values.
func TestPeerWithAlgorithmIsRefused(t *testing.T) {
	asks := WithSignals(func(a *plan.Algorithm) (bool, string) {
		if a.Name == "pc4" {
			return false, "one-way delay"
		}
		return false, ""
	})
	for entry, want := range map[string]string{
		"algorithm: pc4, work: [{verb: send, length: 1B}]": "13:38: pc4 needs one-way delay from the receiver, and a real " +
			"stack cannot send that: allowed are algorithms that hear CNPs, ACKs and losses only",
		"algorithm: dcqcn": "13:38: peer guest has an algorithm, and its work sends no payload",
		"algorithm: dcqcn, length: 9B, work: [{verb: read, length: 9B}]": "its work sends no payload",
		"algorithm: dcqcn, work: [{verb: random, to: 1KB}]":              "random has no size that is known before",
		"algorithm: dcqcn, name: flow, work: [{verb: send, length: 1B}]": `peer "flow" has an algorithm, and the name of a ` +
			"traffic entry",
		"algorithm: dcqcn, notifier: nic": `unknown notifier "nic": allowed are edge, stack`,
	} {
		t.Run(entry, func(t *testing.T) {
			text := withPeer + "  - {edge: guest, qp: 17, " + entry + "}\nalgorithm: none\n" +
				"traffic: [{from: h0, to: h1, size: 1KB}]\n"
			_, err := Parse("x.yaml", []byte(text), known, asks)
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %s", err, want)
			}
		})
	}
}
