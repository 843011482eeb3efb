package scenario

import (
	"fmt"
	"maps"
	"reflect"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// plansOf reads a scenario that must be right.
func plansOf(t testing.TB, src string, opts ...Option) []*plan.Plan {
	t.Helper()
	s, err := Parse("test.yaml", []byte(src), known, opts...)
	if err != nil {
		t.Fatal(err)
	}
	plans, err := s.Plans()
	if err != nil {
		t.Fatal(err)
	}
	return plans
}

const least = `
algorithm: dcqcn
topology: {kind: star, hosts: 3}
traffic: [{kind: incast, size: 1MB}]
`

// A minimal scenario gets the defaults that the documentation of plan and profile names.
func TestLeastScenario(t *testing.T) {
	p := plansOf(t, least)[0]
	if p.Name != "test" || p.Seed != 1 || p.MTU != 1000 || p.Limit != unit.Time(10*unit.Second) ||
		p.EndGrid != 10*unit.Microsecond || p.Controller.Latency != 10*unit.Microsecond {
		t.Errorf("plan has %q, seed %d, MTU %v, limit %v, grid %v, controller %v",
			p.Name, p.Seed, p.MTU, p.Limit, p.EndGrid, p.Controller.Latency)
	}
	if !reflect.DeepEqual(p.Switches[0].Profile, profile.DefaultSwitch()) {
		t.Error("the switch differs from the default")
	}
	if !reflect.DeepEqual(p.NICs[2].Profile, profile.DefaultNIC()) {
		t.Error("the NIC differs from the default")
	}
	if p.NICs[2].IP != plan.FirstIP+2 || p.NICs[2].Link != 2 {
		t.Errorf("NIC 2 has IP %x and link %d", p.NICs[2].IP, p.NICs[2].Link)
	}
	if len(p.Flows) != 2 {
		t.Fatalf("%d flows, want 2", len(p.Flows))
	}
	f := p.Flows[1]
	if f.Name != "incast/h1-h2" || f.Group != "incast" || f.Size != unit.MB || f.DSCP != -1 ||
		f.Mode != "other" || len(f.Path) != 2 || len(f.Back) != 2 {
		t.Errorf("flow is %+v", f)
	}
	if f.Algorithm == nil || f.Algorithm.Name != "dcqcn" || f.Algorithm != p.Flows[0].Algorithm {
		t.Errorf("flows do not share dcqcn: %v, %v", f.Algorithm, p.Flows[0].Algorithm)
	}
	for _, f := range p.Flows {
		if f.Start >= 86560 { // 1082 B at 100 Gb/s: payload, headers 58, 24 on the wire
			t.Errorf("%s starts at %v, not within a frame time of 86.56ns", f.Name, f.Start)
		}
	}
}

func TestSettingsReachTheirNodes(t *testing.T) {
	p := plansOf(t, `
algorithm: dcqcn
topology: {kind: leaf-spine, leaves: 2, spines: 1, hosts_per_leaf: 2, uplink_rate: 400Gbps, uplink_latency: 2us}
switch:
  ecn: [{kmin: 100KB, point: enqueue}, {classes: [0], kmin: 1KB, kmax: 2KB}]
  pfc: {lossless: [0, 3]}
  scheduling: {strict: [7], weights: {3: 50}}
  classes: {dscp: {10: 2}}
switches: {leaf*: {buffer: 16MB}, leaf1: {ecn: {kmin: 50KB}, forwarding: spray}}
nic: {receiver: ooo, rto: {floor: 1ms}}
nics: {h3: {clock: {noise: 50ns, distribution: gaussian}, dscp: {10: 4}}}
traffic: [{kind: permutation, size: 1MB, dscp: 10}]
`)[0]
	leaf0, leaf1, spine := p.Switches[0].Profile, p.Switches[1].Profile, p.Switches[2].Profile
	if leaf0.Buffer != 16*unit.MB || leaf1.Buffer != 16*unit.MB || spine.Buffer != 32*unit.MB {
		t.Errorf("buffers are %v, %v, %v", leaf0.Buffer, leaf1.Buffer, spine.Buffer)
	}
	if leaf0.ECN[3].Kmin != 100*unit.KB || leaf1.ECN[3].Kmin != 50*unit.KB || !leaf1.ECN[3].AtEnqueue ||
		leaf0.ECN[0].Kmax != 2*unit.KB || !leaf0.ECN[0].Enabled {
		t.Errorf("ECN is %+v and %+v", leaf0.ECN[3], leaf1.ECN[3])
	}
	if leaf1.Forwarding != profile.Spray || leaf0.Forwarding != profile.ECMP {
		t.Errorf("forwarding is %d and %d", leaf0.Forwarding, leaf1.Forwarding)
	}
	if !leaf0.PFC.Lossless[0] || leaf0.Strict[6] || leaf0.Weight[3] != 50 || leaf0.ClassOf[10] != 2 {
		t.Error("pfc, scheduling or classes did not arrive")
	}
	if n := p.NICs[0].Profile; !n.OutOfOrder || n.RTOFloor != unit.Millisecond || n.ClassOf[10] != 2 ||
		n.Clock.Noise != 0 {
		t.Errorf("NIC 0 is %+v", n)
	}
	if n := p.NICs[3].Profile; n.ClassOf[10] != 4 || n.Clock.Noise != 50*unit.Nanosecond || !n.Clock.Gaussian ||
		!n.OutOfOrder {
		t.Errorf("NIC 3 is %+v", n)
	}
	if c := p.Links[4].Forward; c.Rate != 400*unit.Gbps || c.Latency != 2*unit.Microsecond {
		t.Errorf("the first uplink is %v", c)
	}
}

func TestExplicitTopology(t *testing.T) {
	p := plansOf(t, `
algorithm: dcqcn
topology:
  rate: 25Gbps
  nodes: [{name: a}, {name: s, kind: switch}, {name: b}]
  links:
    - {endpoints: [a, "s:1"], latency: 3us}
    - {endpoints: [s, "b:0"], rate: 10Gbps}
traffic: [{from: a, to: b, size: 1MB}]
faults: [{link: "s:0-b:0", loss: 0.01}, {link: b-s, down: 1ms, up: 2ms}, {link: b-s, down: 3ms}]
`)[0]
	if p.Switches[0].Name != "s" || p.NICs[0].Name != "a" || p.NICs[1].Name != "b" {
		t.Fatalf("nodes are %v", p.NICs)
	}
	if !reflect.DeepEqual(p.Switches[0].Links, []int{1, 0}) {
		t.Errorf("links at s are %v, want [1 0]", p.Switches[0].Links)
	}
	if l := p.Links[1]; l.Loss != 0.01 || len(l.Outages) != 2 || l.Outages[1].To != unit.Never ||
		l.Forward.Rate != 10*unit.Gbps || p.Links[0].Loss != 0 {
		t.Errorf("link 1 is %+v", l)
	}
	if l := p.Links[0]; l.LossOf != fabric.AllFrames || l.LossWay != plan.BothWays {
		t.Errorf("link 0 is %+v", l)
	}
	if f := p.Flows[0]; f.Start != 0 || f.Path[0].Latency != 3*unit.Microsecond ||
		f.Path[0].Rate != 25*unit.Gbps || f.Path[1].Rate != 10*unit.Gbps {
		t.Errorf("flow is %+v", f)
	}
}

// A link loses the frames that a fault names, on their way to the end that it names.
func TestLossOfOneWay(t *testing.T) {
	for _, c := range []struct {
		faults string
		of     fabric.Frames
		way    plan.Way
		a, b   float64 // of what arrives at a link's host, and at its switch
	}{
		{"{link: h*-s0, loss: 0.1}", fabric.AllFrames, plan.BothWays, .1, .1},
		{"{link: h*-s0, loss: 0.1, frames: data, toward: s0}", fabric.DataFrames, plan.AToB, 0, .1},
		{"{link: h*-s0, loss: 0.1, frames: acks, toward: h*}", fabric.AckFrames, plan.BToA, .1, 0},
		{"{link: h*-s0, loss: 0.1, frames: acks, toward: h*}, {link: s0-h*, loss: 0.2}", fabric.AllFrames,
			plan.BothWays, .2, .2},
	} {
		t.Run(c.faults, func(t *testing.T) {
			p := plansOf(t, "algorithm: dcqcn\ntopology: {kind: star, hosts: 3}\n"+
				"traffic: [{kind: incast, size: 1MB}]\nfaults: ["+c.faults+"]\n")[0]
			for i, l := range p.Links {
				a, b := p.Attachment(i, false), p.Attachment(i, true)
				if l.LossOf != c.of || l.LossWay != c.way || a.Loss != c.a || b.Loss != c.b || a.LossOf != c.of {
					t.Errorf("%s: link %d is %+v, its ends lose %v and %v", c.faults, i, l, a.Loss, b.Loss)
				}
			}
		})
	}
}

func TestVariants(t *testing.T) {
	plans := plansOf(t, `
topology: {kind: star, hosts: 4}
algorithms: {slow: {name: pc4, params: {beta: 0.9, tq0: 2us}}}
switch: {buffer: 16MB}
traffic:
  - {name: a, kind: incast, size: 1MB, algorithm: dcqcn}
  - {name: b, from: h3, to: h0, size: 1MB}
variants:
  - {name: own, algorithm: {name: slow, params: {beta: 0.5}}}
  - {name: small, algorithm: dcqcn, seed: 9, switch: {ecn: {kmin: 10KB}}, traffic: {size: 2MB}}
`)
	if len(plans) != 2 || plans[0].Name != "own" || plans[1].Name != "small" {
		t.Fatalf("plans are %v", plans)
	}
	for _, f := range plans[0].Flows {
		if f.Algorithm.Name != "pc4" ||
			!reflect.DeepEqual(f.Algorithm.Params, map[string]string{"beta": "0.5", "tq0": "2us"}) {
			t.Errorf("%s has %v", f.Name, f.Algorithm)
		}
	}
	small := plans[1]
	if small.Seed != 9 || small.Switches[0].Profile.ECN[3].Kmin != 10*unit.KB ||
		small.Switches[0].Profile.Buffer != 16*unit.MB || small.Flows[0].Size != 2*unit.MB {
		t.Error("the overlay did not arrive, or took more away than it named")
	}
	if plans[0].Switches[0].Profile.ECN[3].Kmin != 400*unit.KB || plans[0].Flows[0].Size != unit.MB {
		t.Error("the second variant changed the first")
	}
}

func TestOverrides(t *testing.T) {
	src := `
algorithm: dcqcn
topology: {kind: star, hosts: 4}
traffic:
  - {name: a, from: h0, to: h1, size: 1MB, algorithm: pc4}
  - {name: b, from: h1, to: h2, size: 1MB}
variants: [{name: v, seed: 2}, {name: w}]
`
	plans := plansOf(t, src, WithOverrides(map[string]string{
		"seed":            "3",
		"topology.rate":   "40G",
		"switch.ecn.kmin": "10K",
		"traffic.size":    "2MB",
		"traffic.b.size":  "3M",
		"traffic.0.dscp":  "5",
		"algorithm":       "fixed",
	}))
	for _, p := range plans {
		a, b := p.Flows[0], p.Flows[1]
		if p.Seed != 3 || p.Switches[0].Profile.ECN[3].Kmin != 10*unit.KB || a.DSCP != 5 || b.DSCP != -1 {
			t.Errorf("%s: seed %d, Kmin %v, DSCP %d and %d",
				p.Name, p.Seed, p.Switches[0].Profile.ECN[3].Kmin, a.DSCP, b.DSCP)
		}
		if a.Algorithm.Name != "fixed" || b.Algorithm.Name != "fixed" {
			t.Errorf("%s: algorithms %s and %s, want fixed", p.Name, a.Algorithm.Name, b.Algorithm.Name)
		}
		if a.Size != 2*unit.MB || b.Size != 3*unit.MB {
			t.Errorf("%s: sizes %v and %v, want 2MB and 3MB", p.Name, a.Size, b.Size)
		}
		if rate := p.Links[0].Forward.Rate; rate != 40*unit.Gbps {
			t.Errorf("%s: rate %v, want 40Gbps", p.Name, rate)
		}
	}
	plans = plansOf(t, src, WithOverrides(map[string]string{"variants": "[{name: one}]"}))
	if len(plans) != 1 || plans[0].Name != "one" {
		t.Errorf("%d plans", len(plans))
	}
	for pair, want := range map[string]string{
		"seed=x":                `--set seed: seed: "x" is not a whole number`,
		"sed=1":                 `--set sed: unknown key of scenario "sed": did you mean "seed"?`,
		"seed=":                 "--set seed: no value",
		"switch..buffer=1MB":    "is not a path",
		"variants.three.seed=1": `--set variants.three.seed: unknown variant "three": allowed are v, w`,
		"seed.x=1":              "--set seed.x: seed is a mapping: it must be a whole number",
		"switch.ecn.kmin=20":    "--set switch.ecn.kmin: kmin: 20 has no unit: did you mean 20KB?",
		"variants.v.name=x":     "--set variants.v.name: --set and --variant select a variant by its name",
		"variants.0.name=x":     "--set variants.0.name: --set and --variant select a variant by its name",
		"variants.name=x":       "--set variants.name: --set and --variant select a variant by its name",
	} {
		t.Run(pair, func(t *testing.T) {
			path, value, _ := strings.Cut(pair, "=")
			_, err := Parse("test.yaml", []byte(src), known, WithOverrides(map[string]string{path: value}))
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s says %v, want %s", pair, err, want)
			}
		})
	}
}

// A parameter can be set even if an algorithm is given just by name.
func TestOverrideOfAParameter(t *testing.T) {
	src := `
topology: {kind: star, hosts: 3}
traffic: [{kind: incast, size: 1MB}]
variants: [{name: v, algorithm: dcqcn}, {name: w, algorithm: dcqcn}]
`
	plans := plansOf(t, src,
		WithOverrides(map[string]string{"algorithm.params.x": "1", "variants.w.algorithm.params.y": "2"}))
	for i, want := range []map[string]string{{"x": "1"}, {"x": "1", "y": "2"}} {
		if a := plans[i].Flows[0].Algorithm; a.Name != "dcqcn" || !maps.Equal(a.Params, want) {
			t.Errorf("%s: %s %v, want dcqcn %v", plans[i].Name, a.Name, a.Params, want)
		}
	}
}

func TestStorms(t *testing.T) {
	storms := func(faults string) (list [][]profile.Storm) {
		p := plansOf(t, `
algorithm: dcqcn
topology: {kind: star, hosts: 4}
switch: {pfc: {lossless: [2, 3]}, classes: {dscp: {10: 2}}}
nics: {h2: {dscp: {10: 2}, data_dscp: 10}}
traffic: [{kind: incast, size: 1MB}]
faults: [`+faults+`]
`)[0]
		for i := range p.NICs {
			list = append(list, p.NICs[i].Profile.Storms)
		}
		return list
	}
	ms := unit.Time(unit.Millisecond)
	for _, c := range []struct {
		faults string
		want   [][]profile.Storm
	}{
		{"{kind: pfc-storm, host: h3, class: 3, from: 1ms, to: 5ms}",
			[][]profile.Storm{nil, nil, nil, {{Class: 3, From: ms, To: 5 * ms}}}},
		// Without kind, class and end: by host, that of its data, never.
		{"{host: h1..h2, from: 0s}",
			[][]profile.Storm{nil, {{Class: 3, To: unit.Never}}, {{Class: 2, To: unit.Never}}, nil}},
		// Beside a fault of a link; disjoint in time, or in class.
		{"{link: h0-s0, loss: 0.1}, {kind: link, link: h1-s0, down: 1ms}, {host: h0, from: 2ms, to: 3ms}, " +
			"{host: h0, from: 1ms, to: 2ms}, {host: h0, class: 2, from: 1ms}",
			[][]profile.Storm{{{Class: 3, From: 2 * ms, To: 3 * ms}, {Class: 3, From: ms, To: 2 * ms},
				{Class: 2, From: ms, To: unit.Never}}, nil, nil, nil}},
	} {
		if got := storms(c.faults); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: storms are %v, want %v", c.faults, got, c.want)
		}
	}
}

// Apart from the server's name, a server's NICs equal NICs of their own.
func TestServers(t *testing.T) {
	servers := func(src string) string {
		p := plansOf(t, "algorithm: dcqcn\ntraffic: [{kind: permutation, size: 1MB}]\n"+src)[0]
		var names []string
		held := map[string]bool{}
		for i := range p.NICs {
			names = append(names, p.NICs[i].Server)
			held[p.NICs[i].Server] = true
		}
		if r := Analyse(p, nil); r.Servers != len(held) {
			t.Errorf("%s: %d servers reported", src, r.Servers)
		}
		return strings.Join(names, " ")
	}
	for _, c := range []struct{ topology, want string }{
		{"{kind: star, hosts: 3}", "h0 h1 h2"},
		{"{kind: star, hosts: 3, nics_per_server: 2}", "server0 server0 server1"},
		{"{kind: leaf-spine, leaves: 2, spines: 1, hosts_per_leaf: 2, nics_per_server: 2}",
			"server0 server0 server1 server1"},
		{"{nodes: [{name: a, server: x}, {name: s, kind: switch}, {name: b}, {name: c, server: x}, {name: d, " +
			"server: d}], links: [{endpoints: [a, s]}, {endpoints: [b, s]}, {endpoints: [c, s]}, {endpoints: " +
			"[d, s]}]}", "x b x d"},
	} {
		if got := servers("topology: " + c.topology); got != c.want {
			t.Errorf("%s: servers are %s, want %s", c.topology, got, c.want)
		}
	}
	plain := plansOf(t, least)[0]
	shared := plansOf(t, strings.Replace(least, "hosts: 3", "hosts: 3, nics_per_server: 3", 1))[0]
	for i := range shared.NICs {
		shared.NICs[i].Server = plain.NICs[i].Server
	}
	if !reflect.DeepEqual(plain, shared) {
		t.Error("sharing a server changes more than the server")
	}
}

// Figures of a star of 100 Gb/s and 1 us worked out by hand: a packet of 1000 B
// counts 1082 B = 86.56 ns, an ACK 86 B = 6.88 ns; twice each, and 4 us.
func TestAnalyse(t *testing.T) {
	r := Analyse(plansOf(t, least)[0], nil)
	if len(r.Paths) != 1 || len(r.Headrooms) != 1 || len(r.Warnings) != 0 {
		t.Fatalf("report is %+v", r)
	}
	c := r.Paths[0]
	if want := 4*unit.Microsecond + 2*86560 + 2*6880; c.BaseRTT != want || c.BDP != 52336 || c.Hops != 1 ||
		c.Flows != 2 {
		t.Errorf("path is %+v, want base RTT %v and BDP 52336", c, want)
	}
	// 84 B at 100 Gb/s are 6.72 ns.
	if r.Window != unit.Microsecond+6720 || r.WindowsPerMs != 993 || r.Bytes != 2*unit.MB {
		t.Errorf("window %v, %d a millisecond, %v", r.Window, r.WindowsPerMs, r.Bytes)
	}
	// A frame of 1122 B; port MTU, 25 000 B on the way in 2 us, interfaces and 394 quanta of response are 60 135 B,
	// each of them 1 + 64/593 x 1.25 bytes of cells.
	if h := r.Headrooms[0]; h.Headroom != 1122+68247 || h.Ports != 3 || h.Classes != 1 || h.Reserve != 4000 {
		t.Errorf("headroom is %+v", h)
	}
	frames := map[string]string{
		"switch.headroom_rule":  "frames",
		"switch.pause_response": "0s",
		"nic.pause_response":    "0s",
	}
	// Three frames, a pause frame of 84 B, the bytes on the way, 60 quanta.
	r = Analyse(plansOf(t, least, WithOverrides(frames))[0], nil)
	if h := r.Headrooms[0]; h.Headroom != 3*1122+84+25000+3840 {
		t.Errorf("headroom by frames is %+v", h)
	}
	r = Analyse(plansOf(t, least, WithOverrides(map[string]string{"topology.latency": "50ns"}))[0], nil)
	if len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "50ns") {
		t.Errorf("warnings are %q", r.Warnings)
	}
}

func TestFatTree1024(t *testing.T) {
	p := plansOf(t,
		"algorithm: dcqcn\ntopology: {kind: fat-tree, hosts: 1024}\ntraffic: [{kind: permutation, size: 1MB}]")[0]
	if len(p.Switches) != 320 || len(p.NICs) != 1024 || len(p.Links) != 3072 || len(p.Flows) != 1024 {
		t.Errorf("%d switches, %d NICs, %d links, %d flows", len(p.Switches), len(p.NICs), len(p.Links), len(p.Flows))
	}
	for _, f := range p.Flows {
		if n := len(f.Path); n != 2 && n != 4 && n != 6 || n != len(f.Back) {
			t.Errorf("%s goes over %d links and comes back over %d", f.Name, n, len(f.Back))
		}
	}
}

// A run that records and may never complete has no more bins than memory holds.
func TestIntervalLimits(t *testing.T) {
	for _, c := range []struct {
		keys  string
		limit unit.Duration
	}{{"", 10 * unit.Second}, {"record: {interval: 100us}", 10 * unit.Second}, {"record: {interval: 1us}", unit.Second},
		{"record: {interval: 1us}\nrun: {limit: 500ms}",
			500 * unit.Millisecond}, {"record: {interval: 1us}\nrun: {until: 1s}", 10 * unit.Second}} {
		t.Run(fmt.Sprintf("%.50q", c.keys), func(t *testing.T) {
			if p := plansOf(t, least+c.keys)[0]; p.Limit != unit.Time(c.limit) {
				t.Errorf("%s: limit %v, want %v", c.keys, p.Limit, c.limit)
			}
		})
	}
}

func TestDigest(t *testing.T) {
	s, err := Parse("x.yaml", []byte(least), nil)
	if err != nil {
		t.Fatal(err)
	}
	o, err := Parse("x.yaml", []byte(least+" "), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Digest) != 64 || s.Digest == o.Digest || string(s.Source) != least {
		t.Errorf("digests are %s and %s", s.Digest, o.Digest)
	}
}

// What a plan knows of the number of flows to a receiver: starts, and ends by the
// clock, those within a microsecond as one, until the first flow with a size.
func TestPlannedChanges(t *testing.T) {
	p := plansOf(t, `
algorithm: none
topology: {kind: star, hosts: 6}
run: {until: 10ms}
traffic:
  - {name: long, from: [h0, h1], to: h5}
  - {name: short, from: h2, to: h5, start: 1ms, stop: 2ms}
  - {name: next, from: h3, to: h5, start: 2ms, duration: 1ms}
  - {name: sized, from: h0, to: h5, start: 4ms, size: 1kB}
  - {name: after, from: h1, to: h5, start: 5ms, stop: 6ms}
  - {name: other, from: h1, to: h4, start: 1ms, size: 1kB}
`)[0]
	changes := p.PlannedChanges()
	counts := func(list []plan.Change) (n []int) {
		for _, c := range list {
			n = append(n, c.Flows)
		}
		return n
	}
	if got := counts(changes[5]); !reflect.DeepEqual(got, []int{2, 3, 3, 2, 3}) {
		t.Errorf("to h5: %v, want 2, 3, 3, 2 and the 3 with the flow of a size", changes[5])
	}
	for i, at := range []unit.Duration{0, 1, 2, 3, 4} {
		t.Run(fmt.Sprintf("at=%v", at), func(t *testing.T) {
			if got := changes[5][i].At.Sub(0) - at*unit.Millisecond; got < 0 || got > plan.MergeSpan {
				t.Errorf("change %d at %v, want %d ms", i, changes[5][i].At, at)
			}
		})
	}
	if got := counts(changes[4]); !reflect.DeepEqual(got, []int{1}) || len(changes[0]) != 0 {
		t.Errorf("to h4: %v, to h0: %v", changes[4], changes[0])
	}
}

// Queues count as they are asked to, at each switch. Tier: -short. Red: with `s.Accounted = i == 0`.
func TestQueueBytes(t *testing.T) {
	p := plansOf(t, `
accounting: bare48
algorithm: dctcp
topology: {kind: leaf-spine, leaves: 2, spines: 1, hosts_per_leaf: 2}
switch: {queue_bytes: accounted}
switches: {leaf1: {queue_bytes: frame}}
traffic: [{kind: permutation, size: 1MB}]
`)[0]
	for i, want := range []bool{true, false, true} {
		if s := &p.Switches[i]; s.Profile.Accounted != want {
			t.Errorf("%s: accounted is %t, want %t", s.Name, s.Profile.Accounted, want)
		}
	}
}
