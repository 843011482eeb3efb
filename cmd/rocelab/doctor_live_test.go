//go:build linux && !mem

package main

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/specs/tier"
	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/nodes/live/rehearsal"
)

// On a testbed each variant is measured, and the command that comes out runs.
func TestDoctorLive(t *testing.T) {
	tier.Everyday(t)
	s, _ := newLab(t)
	s.process(0, "doctor", "--live", "incast.yaml", "--runtime", "builtin", "--format", "json", "--set",
		"traffic.size=10KB")
	var a rehearsal.Advice
	if err := json.Unmarshal([]byte(s.stdout), &a); err != nil {
		t.Fatalf("%v in %s", err, s.stdout)
	}
	if len(a.Variants) == 0 || a.Wakeups.Count == 0 || a.CPUs == 0 || a.WhyFIFO == "" || a.EdgeLatencyUS <= 0 {
		t.Errorf("%+v", a)
	}
	slowest := 0.0
	for _, v := range a.Variants {
		if v.Slowdown <= 0 || v.ModelUS <= 0 || v.WallUS <= 0 || v.Partial || v.HaveUS != 0 {
			t.Errorf("%+v", v)
		}
		slowest = max(slowest, v.Slowdown)
	}
	if float64(a.Dilation) < 1.5*slowest {
		t.Errorf("K = %d where the slowest is %v times slower", a.Dilation, slowest)
	}
	s.process(0, "doctor", "--live", "incast.yaml", "--runtime", "builtin", "--set", "traffic.size=10KB", "--algorithm",
		"dcqcn")
	_, command, _ := strings.Cut(s.stdout, "Go on with\nsudo rocelab ")
	s.process(0, append(strings.Fields(command), "--no-folder")...)
	s.says(s.stdout, "not judged: there are no edges")
}

func TestDoctorLiveRefuses(t *testing.T) {
	s := newShell(t)
	s.run(2, "doctor", "--live")
	s.says(s.stderr, "--live needs a scenario")
	s.run(2, "doctor", "--live", "nowhere.yaml")
	s.run(2, "doctor", "--live", "incast.yaml", "--for", "0s")
	s.says(s.stderr, "--for 0s: allowed is above 0")
	for _, flag := range []string{"--for=1s", "--daemons=pool", "--runtime=builtin"} {
		s.run(2, "doctor", "incast.yaml", flag)
		s.says(s.stderr, "go with --live")
	}
}

// The output has the measurements, the conclusions and the way to continue.
func TestDoctorLivePrints(t *testing.T) {
	var late record.Lateness
	late.Add(150_000)
	p := &plan.Plan{}
	a := &rehearsal.Advice{
		Scenario: "two",
		Daemons:  "pool",
		Variants: []rehearsal.Variant{{
			Variant:  "dcqcn",
			ModelUS:  1800,
			WallUS:   178_000,
			Slowdown: 99.4,
			AtUS:     3,
			Partial:  true,
		}},
		Command: "sudo rocelab run two.yaml --on live --daemons pool",
	}
	a.Conclude([]*plan.Plan{p}, &late, result.Interference{Steal: 1500 * time.Millisecond})
	text := func() string {
		var b strings.Builder
		if err := adviceDocument(a).Print(&b, page.FormatMarkdown, page.Page{}); err != nil {
			t.Fatal(err)
		}
		return strings.Join(strings.Fields(b.String()), " ")
	}
	for _, words := range []string{
		"dcqcn of two: without a clock, on veth (--daemons pool), 1.8ms of model time took 178ms, and was stopped " +
			"there; its busiest millisecond, from 3us on, was 99.4 times slower than real time",
		"slept 50us at a time woke up late by p50 150us, p99 150us, p99.9 150us, max 150us (1 times)",
		"meanwhile 1.50 s stolen, 0.00 s throttled",
		"K = 200: the busiest millisecond, times 1.5, rounded up",
		"at least 1us of latency on links of edges: two ticks of 50us on the wall, and for a green verdict R of " +
			"600us on the wall",
		"#### Go on with ```text sudo rocelab run two.yaml --on live --daemons pool --dilate 200 ```",
	} {
		if !strings.Contains(text(), words) {
			t.Errorf("no %q in %s", words, text())
		}
	}
	if strings.Contains(text(), "silent") {
		t.Error("there are no edges")
	}
	a.Edges, a.Variants[0].HaveUS = true, 599
	if !strings.Contains(text(), "dcqcn has R = 599us at K = 200: too little for this host") {
		t.Error(text())
	}
	a.Variants[0].Slowdown = 0.0001
	if !strings.Contains(text(), "took 178ms, and was stopped there; hardly any frame moved in it") {
		t.Error(text())
	}
	a.Variants[0].HaveUS = 600
	if !strings.Contains(text(), "dcqcn has R = 600us at K = 200: enough for this host") ||
		!strings.Contains(text(), "silent") {
		t.Error(text())
	}
}

// The command that is proposed has the flags that were given, as a shell takes them.
func TestLiveCommand(t *testing.T) {
	flags := &scenarioFlags{seed: "3", sets: []string{"traffic.size=1 MB", "mtu=1000B"}, algorithms: []string{"./it's"}}
	want := `sudo rocelab run a.yaml --algorithm './it'\''s' --set 'traffic.size=1 MB' --set mtu=1000B --seed 3 ` +
		`--runtime runc --on live --daemons node`
	if got := liveCommand("a.yaml", flags, &testbedFlags{daemons: "node", runtime: "runc"}); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// A scenario with edges is measured without anything from outside: no interface is needed.
func TestDoctorLiveWithEdges(t *testing.T) {
	tier.Everyday(t)
	s, _ := newLab(t)
	s.write("edges.yaml", `
name: edges
run: {until: 1ms}
topology:
  kind: explicit
  nodes:
    - {name: s0, kind: switch}
    - {name: a, kind: edge, interface: nowhere0}
    - {name: b, kind: edge, interface: nowhere1}
  links:
    - {endpoints: [a, s0], rate: 1Gbps}
    - {endpoints: [b, s0], rate: 1Gbps}
`)
	s.process(0, "doctor", "--live", "edges.yaml", "--runtime", "builtin", "--format", "json")
	var a rehearsal.Advice
	if err := json.Unmarshal([]byte(s.stdout), &a); err != nil || len(a.Variants) != 1 ||
		a.Variants[0].HaveUS < 400*float64(a.Dilation) {
		t.Errorf("%v in %s", err, s.stdout)
	}
}
