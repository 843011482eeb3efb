package tune

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/emulator/scenario/scenariotest"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// The ramp of the ECN article, 2 Kmin / (C_in - C_out) if Kmax is 3 Kmin: at 800 Gb/s and 5 us Kmin is 750 KB, and two
// senders take the queue from there to Kmax in 15 us, not in the article's 2 to 5 us.
func TestRamp(t *testing.T) {
	for _, c := range []struct {
		kmin, kmax unit.Bytes
		in, out    unit.BitRate
		want       unit.Duration
	}{
		{750 * unit.KB, 2250 * unit.KB, 1600 * unit.Gbps, 800 * unit.Gbps, 15 * unit.Microsecond},
		{375 * unit.KB, 1125 * unit.KB, 800 * unit.Gbps, 400 * unit.Gbps, 15 * unit.Microsecond},
		{75 * unit.KB, 225 * unit.KB, 1600 * unit.Gbps, 100 * unit.Gbps, 800 * unit.Nanosecond},
		{75 * unit.KB, 225 * unit.KB, 100 * unit.Gbps, 100 * unit.Gbps, 0},
	} {
		t.Run(fmt.Sprintf("kmin=%v,kmax=%v,in=%v", c.kmin, c.kmax, c.in), func(t *testing.T) {
			if got := ramp(c.kmin, c.kmax, c.in, c.out); got != c.want {
				t.Errorf("%v to %v at %v into %v takes %v, want %v", c.kmin, c.kmax, c.in, c.out, got, c.want)
			}
		})
	}
}

// Of 30 MB to share and alpha 1/8, one ingress port may hold 3.33 MB, each of sixteen
// 1.25 MB. With alpha in proportion to the rate, it is 1/2 at 400 Gb/s: two ports hold 7.5 MB each.
func TestPauseAt(t *testing.T) {
	const text = `
algorithm: dcqcn
topology: {kind: star, hosts: 20, rate: RATE}
switch: {buffer: 30020KB, alpha_rate: 100Gbps, headroom: 1KB, reserve: 0B, pfc: {enabled: PFC}}
traffic: [{kind: incast, size: 1MB}]
`
	for _, c := range []struct {
		rate, pfc string
		senders   int
		want      unit.Bytes
	}{
		{"100Gbps", "true", 1, 3_333_333},
		{"100Gbps", "true", 16, 20 * unit.MB},
		{"400Gbps", "true", 2, 15 * unit.MB},
		{"100Gbps", "false", 2, 0},
	} {
		t.Run(fmt.Sprintf("rate=%s,pfc=%s,senders=%v", c.rate, c.pfc, c.senders), func(t *testing.T) {
			p := scenariotest.Plan(t, strings.NewReplacer("RATE", c.rate, "PFC", c.pfc).Replace(text))
			if got := pauseAt(p, 0, c.senders); got != c.want {
				t.Errorf("%s, %d senders, PFC %s: %d, want %d", c.rate, c.senders, c.pfc, got, c.want)
			}
		})
	}
}

func leafOf(hosts int, rate unit.BitRate, rtt unit.Duration) Leaf {
	leaf := Leaf{Hosts: hosts, Rate: rate, RTT: rtt, MTU: 4096}
	leaf.Algorithm = "dcqcn"
	return leaf
}

// A leaf has the base RTT that was asked for, to the rounding of a link's latency, and
// patterns that all differ.
func TestLeafHasItsRTT(t *testing.T) {
	for _, leaf := range []Leaf{
		leafOf(64, 400*unit.Gbps, 8*unit.Microsecond),
		leafOf(3, 100*unit.Gbps, 4*unit.Microsecond),
	} {
		t.Run(fmt.Sprint(leaf), func(t *testing.T) {
			if err := leaf.Check(); err != nil {
				t.Fatal(err)
			}
			seen, unseen, err := leaf.Patterns(nil, makerOf)
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, p := range append(slices.Clone(seen), unseen...) {
				planned, err := p.Probe()
				if err != nil {
					t.Fatal(err)
				}
				if rtt := scenario.LongestBaseRTT(planned); rtt > leaf.RTT || rtt < leaf.RTT-4 {
					t.Errorf("%d hosts, %s: base RTT %v, want %v", leaf.Hosts, p.Name, rtt, leaf.RTT)
				}
				names = append(names, p.Name)
			}
			if slices.Sort(names); len(slices.Compact(slices.Clone(names))) != len(names) || len(seen) == 0 || len(unseen) == 0 {
				t.Errorf("%d hosts: patterns are %v", leaf.Hosts, names)
			}
		})
	}
	short := leafOf(8, 400*unit.Gbps, 100*unit.Nanosecond)
	if err := short.Check(); err == nil || !strings.Contains(err.Error(), "allowed is at least") {
		t.Errorf("a base RTT of 100ns: %v", err)
	}
}

// Every candidate and rule is a scenario's; of a port of 400 Gb/s and 8 us a BDP is 400 KB,
// and rules for other rates grow with the port.
func TestECNCandidates(t *testing.T) {
	leaf := leafOf(4, 400*unit.Gbps, 8*unit.Microsecond)
	seen, _, err := leaf.Patterns(nil, makerOf)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][2]unit.Bytes{
		"1.5bdp to 4.5bdp, pmax 0.2":           {600 * unit.KB, 1800 * unit.KB},
		"the 1.5 BDP rule, Kmax 3 Kmin":        {600 * unit.KB, 1800 * unit.KB},
		"DCQCN paper, from 40 Gb/s":            {50 * unit.KB, 2 * unit.MB},
		"NVIDIA's RoCE default":                {150 * unit.KB, 1500 * unit.KB},
		"SONiC's example":                      {184320, 184320},
		"public RDMA simulator, from 100 Gb/s": {1600 * unit.KB, 6400 * unit.KB},
	}
	tried, known := ECNCandidates()
	for _, c := range append(tried, known...) {
		p, err := seen[0].With(&c)
		if err != nil {
			t.Fatal(err)
		}
		kmin, kmax := p.Switches[0].Profile.ECN[3].At(leaf.Rate)
		if w, ok := want[c.Name]; ok {
			delete(want, c.Name)
			if math.Abs(float64(kmin-w[0])) > 8 || math.Abs(float64(kmax-w[1])) > 8 {
				t.Errorf("%s: %v to %v, want %v to %v", c.Name, kmin, kmax, w[0], w[1])
			}
		}
	}
	if len(want) > 0 {
		t.Errorf("there are no %v", want)
	}
}
