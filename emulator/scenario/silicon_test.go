package scenario

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// A chip's figures are defaults: written values win, before or after, for all switches or for one.
func TestChipGivesDefaults(t *testing.T) {
	p := plansOf(t, `
algorithm: dcqcn
topology: {kind: leaf-spine, leaves: 3, spines: 1, hosts_per_leaf: 2}
switch: {alpha: 0.5, profile: teralynx7}
switches:
  leaf1: {buffer: 16MB, profile: spectrum2, ecn: {pmax: 0.5}}
  leaf2: {latency: 0s}
traffic: [{kind: permutation, size: 1MB}]
`)[0]
	a, b, c := p.Switches[0].Profile, p.Switches[1].Profile, p.Switches[2].Profile
	if a.Chip != "teralynx7" || a.Buffer != 70*unit.MB || a.Latency != 500*unit.Nanosecond || a.Alpha != 0.5 ||
		a.ECN[3].Kmin != 400*unit.KB {
		t.Errorf("leaf0 is %s: %v, %v, alpha %g, %+v", a.Chip, a.Buffer, a.Latency, a.Alpha, a.ECN[3])
	}
	if b.Chip != "spectrum2" || b.Buffer != 16*unit.MB || b.Latency != 0 || b.Alpha != 0.5 {
		t.Errorf("leaf1 is %s: %v, %v, alpha %g", b.Chip, b.Buffer, b.Latency, b.Alpha)
	}
	if m := b.ECN[3]; m.Kmin != 150*unit.KB || m.Kmax != 1500*unit.KB || m.Pmax != 0.5 || m.ScaleRate != 0 {
		t.Errorf("leaf1 marks by %+v", m)
	}
	if c.Buffer != 70*unit.MB || c.Latency != 0 {
		t.Errorf("leaf2 has %v, %v", c.Buffer, c.Latency)
	}
}

// A buffer above the chip's memory is refused at its line; what fills it is allowed.
func TestMoreThanTheChipHas(t *testing.T) {
	const rest = "\nalgorithm: dcqcn\ntraffic: [{kind: incast, size: 1MB}]\ntopology: {kind: star, hosts: 4}\n"
	for text, want := range map[string]string{
		"switch: {profile: tomahawk5, buffer: 165200KB}":                    "",
		"switch: {profile: jericho2, buffer: 4GB}":                          "",
		"switch: {profile: tomahawk5}\nswitches:\n  s0: {buffer: 400MB}":    "x.yaml:3:16: buffer is 400MB, and the packet",
		"switch: {profile: tomahawk6, buffer: 267196861B}":                  "x.yaml:1:38: buffer is 267.197MB",
		"switch: {buffer: 400MB}\nswitches:\n  s*: {profile: spectrum6}":    "x.yaml:1:18: buffer is 400MB",
		"switch: {buffer: 64MB, profile: tomahawk3}\nseed: 7 # it fills it": "",
	} {
		t.Run(fmt.Sprintf("%q", text), func(t *testing.T) {
			_, err := Parse("x.yaml", []byte(text+rest), nil)
			if got := fmt.Sprint(err); want == "" && err != nil || !strings.Contains(got, want) {
				t.Errorf("%s: %v, want %q", text, err, want)
			}
		})
	}
}

// What a chip has not is worth a warning: ports, their rate, all together.
func TestChipWarnings(t *testing.T) {
	for topology, want := range map[string]string{
		"{kind: star, hosts: 32, rate: 400Gbps}": "",
		"{kind: star, hosts: 33, rate: 400Gbps}": "the ports of s0 make 13.2Tbps, and Broadcom Tomahawk 3 (BCM56980) " +
			"switches 12.8Tbps (quoted)",
		"{kind: star, hosts: 129, rate: 25Gbps}": "s0 has 129 ports, and Broadcom Tomahawk 3 (BCM56980) has up to 128",
		"{kind: star, hosts: 8, rate: 800Gbps}":  "s0 has a port of 800Gbps, and the fastest of Broadcom Tomahawk 3",
	} {
		t.Run(topology, func(t *testing.T) {
			p := plansOf(t, "algorithm: dcqcn\nswitch: {profile: tomahawk3}\ntraffic: [{kind: incast, size: 1MB}]\ntopology: "+
				topology)[0]
			r := Analyse(p, nil)
			got := strings.Join(r.Warnings, "\n")
			if want == "" && got != "" || !strings.Contains(got, want) {
				t.Errorf("%s: warnings are %q, want %q", topology, got, want)
			}
			if len(r.Chips) != 1 || r.Chips[0].Switches != 1 || r.Chips[0].Figures[0].Value != "64MB" {
				t.Errorf("%s: chips are %+v", topology, r.Chips)
			}
		})
	}
}
