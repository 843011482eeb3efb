package scenario

import (
	"strings"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// The base RTT of a star of 100 Gb/s and 1 us links: four latencies, two packets of
// 1082 B on the wire, two ACKs of 86 B: 4 us + 173.12 ns + 13.76 ns. A BDP of 100 Gb/s
// is 52 336 B.
const bdpStar = `
algorithm: dcqcn
topology: {kind: star, hosts: 3}
switch: {ecn: {kmin: 1.5bdp, kmax: 4.5 BDP}}
traffic: [{kind: incast, size: 1MB}]
`

func TestThresholdsInBDP(t *testing.T) {
	for _, c := range []struct {
		what, src  string
		rate       unit.BitRate
		kmin, kmax unit.Bytes
	}{
		{"of the run's longest base RTT", bdpStar, 100 * unit.Gbps, 78504, 235512},
		{"whatever scale_rate is", strings.Replace(bdpStar, "BDP}", "BDP, scale_rate: 25Gbps}", 1),
			25 * unit.Gbps, 19626, 58878},
		{"and where bytes hold as they are", strings.Replace(bdpStar, "BDP}", "BDP, scale_rate: 0bps}", 1),
			50 * unit.Gbps, 39252, 117756},
		// The example of the ECN article: 400 Gb/s and 5 us are 250 KB, 1.5 of them 375 KB.
		{"of the base RTT beside", strings.Replace(bdpStar, "BDP}", "BDP, rtt: 5us}", 1),
			400 * unit.Gbps, 375 * unit.KB, 1125 * unit.KB},
		{"one of them", strings.Replace(bdpStar, "4.5 BDP", "1MB", 1), 100 * unit.Gbps, 78504, unit.MB},
		{"0", strings.Replace(bdpStar, "1.5bdp", "0bdp", 1), 100 * unit.Gbps, 0, 235512},
		{"a size over it", bdpStar + `switches: {s0: {ecn: {kmin: 10KB}}}`, 100 * unit.Gbps, 10 * unit.KB, 235512},
		{"extensions of algorithms apart", strings.Replace(bdpStar, "dcqcn", "pc4", 1), 100 * unit.Gbps, 78504, 235512},
		// Half the run's flows have a longer way: 8 us, three packets at 100 Gb/s and one
		// at 400, and so for the ACKs: 8 us + 3 x (86.56 + 6.88) + 21.64 + 1.72.
		{"the longest of all flows", strings.Replace(bdpStar, "star, hosts: 3",
			"leaf-spine, leaves: 2, spines: 1, hosts_per_leaf: 2, uplink_rate: 400Gbps", 1),
			400 * unit.Gbps, 617520, 1852560},
	} {
		t.Run(c.what, func(t *testing.T) {
			sw := plansOf(t, c.src)[0].Switches[0].Profile
			if kmin, kmax := sw.ECN[3].At(c.rate); near(kmin, c.kmin) || near(kmax, c.kmax) {
				t.Errorf("%s: kmin %d, kmax %d; want %d and %d", c.what, kmin, kmax, c.kmin, c.kmax)
			}
		})
	}
}

// near reports whether two thresholds differ by more than a rate of 25 to 400 Gb/s
// makes of one byte at 100 Gb/s.
func near(got, want unit.Bytes) bool { return got > want+8 || got < want-8 }

// DCI ports reckon with the RTT of their path: 120 km at 100 Gb/s hold 15 MB.
func TestThresholdsOfDCIPortsInBDP(t *testing.T) {
	dci := plansOf(t, `
algorithm: dcqcn
topology: {kind: dumbbell, bottleneck_wan: {length: 120km}}
switch: {dci: {buffer: 3bdp, ecn: {kmin: 0.5bdp, kmax: 2bdp}}}
traffic: [{kind: incast, size: 1MB}]
`)[0].Switches[0].Profile.DCI
	if dci.Buffer != 45*unit.MB || dci.ECN.Kmin != 7500*unit.KB || dci.ECN.Kmax != 30*unit.MB {
		t.Errorf("%+v", dci)
	}
}

// A resolved scenario keeps the words, with or without an override.
func TestResolvedKeepsBDP(t *testing.T) {
	over := WithOverrides(map[string]string{"switch.ecn.kmin": "2bdp"})
	s, err := Parse("x.yaml", []byte("name: x"+bdpStar), known, over)
	if err != nil {
		t.Fatal(err)
	}
	if text := string(s.Resolved()); !strings.Contains(text, "kmin: 2bdp, kmax: 4.5 BDP") {
		t.Errorf("resolved is\n%s", text)
	}
	checkResolved(t, s)
}

// What validate shows of them: the thresholds at each rate, and the base RTT.
func TestMarkingsOfAPlan(t *testing.T) {
	p := plansOf(t, strings.Replace(bdpStar, "BDP}", "BDP, rtt: 5us}", 1))[0]
	got := Analyse(p, nil).Markings
	want := MarkingClass{
		Ports:   3,
		Example: "s0:0",
		Class:   3,
		Rate:    100 * unit.Gbps,
		Kmin:    93750,
		Kmax:    281250,
		Pmax:    0.2,
		BaseRTT: 5 * unit.Microsecond,
		BDP:     62500,
	}
	if len(got) != 1 || got[0] != want {
		t.Errorf("markings are %+v, want %+v", got, want)
	}
	p = plansOf(t, least)[0]
	if got := Analyse(p, nil).Markings[0]; got.BaseRTT != 4186880 || got.BDP != 52336 || got.Kmin != 400*unit.KB {
		t.Errorf("of sizes: %+v", got)
	}
}

// A switch has one number for all its DCI ports: thresholds in bdp need paths that agree, and a path.
func TestThresholdsOfDCIPortsThatDiffer(t *testing.T) {
	const two = `name: two
algorithm: dcqcn
topology:
  nodes: [{name: a}, {name: s, kind: switch}, {name: u, kind: switch}, {name: v, kind: switch}, {name: b}, {name: c}]
  links:
    - {endpoints: [a, s]}
    - {endpoints: [s, u], wan: {length: 120km}}
    - {endpoints: [s, v], wan: {length: LENGTH}}
    - {endpoints: [u, b]}
    - {endpoints: [v, c]}
switches: {s: {dci: {buffer: 3bdp}}}
traffic: [{from: a, to: b, size: 1MB}]
`
	if _, err := Parse("x.yaml", []byte(strings.Replace(two, "LENGTH", "120km", 1)), known); err != nil {
		t.Error(err)
	}
	_, err := Parse("x.yaml", []byte(strings.Replace(two, "LENGTH", "80km", 1)), known)
	if err == nil || !strings.Contains(err.Error(), "x.yaml:11:30: dci.buffer is 3bdp, and the DCI ports of s differ:") {
		t.Errorf("of two lengths: %v", err)
	}
	_, err = Parse("x.yaml", []byte("name: x"+bdpStar+"switches: {s0: {dci: {buffer: 3bdp}}}\n"), known)
	if err == nil || !strings.Contains(err.Error(), "no port leads over a long-haul path") {
		t.Errorf("without a path: %v", err)
	}
}
