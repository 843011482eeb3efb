package model_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/specs/determinism/fingerprint"
	"github.com/rocelab/rocelab/testbed/mem"
	"github.com/rocelab/rocelab/testbed/model"
)

var rewrite = flag.Bool("rewrite", false, "store the traces of this version in testdata anew")

// guards are the scenarios whose traces guard the version: together they pass through
// every kind of node and every shipped algorithm. Of at least one variant the metrics
// that are named are above zero.
var guards = []struct{ name, metrics, text string }{
	{"incast", "marks decisions", `
topology: {kind: star, hosts: 5}
switch: {ecn: {kmin: 20KB, kmax: 80KB}}
traffic: [{kind: incast, size: 200KB}]
variants:
  - {name: dcqcn, algorithm: dcqcn}
  - {name: dctcp, algorithm: dctcp}
  - {name: hpcc, algorithm: hpcc}
  - {name: pc4, algorithm: pc4}
  - {name: pidnn, algorithm: pidnn}
  - {name: swift, algorithm: swift}
  - {name: timely, algorithm: timely}
  - {name: fixed, algorithm: fixed}
  - {name: none, algorithm: none}
`},
	{"pause", "pauses", `
algorithm: none
topology: {kind: leaf-spine, leaves: 2, spines: 2, hosts_per_leaf: 3}
switch: {buffer: 500KB}
traffic: [{kind: incast, senders: h3..h5, receiver: h0, size: 300KB}]
`},
	{"lossy", "drops timeouts", `
algorithm: dcqcn
topology: {kind: star, hosts: 5}
switch: {buffer: 200KB, pfc: {enabled: false}}
nic: {rto: {floor: 100us, initial: 1ms}}
traffic: [{kind: incast, size: 300KB}]
`},
	{"loss", "drops_injected naks retransmits", `
algorithm: {name: fixed, params: {window: 52375B}}
topology: {kind: star, hosts: 2}
nic: {rto: {floor: 100us, initial: 1ms}}
traffic: [{from: h0, to: h1, size: 2MB, message: 100KB}]
variants:
  - {name: gbn, faults: [{link: h1-s0, loss: 0.01}]}
  - {name: ooo, faults: [{link: h1-s0, loss: 0.01}], nic: {receiver: ooo}}
`},
	{"paths", "marks", `
algorithm: dcqcn
topology: {kind: fat-tree, k: 4}
switch: {ecn: {kmin: 5KB, kmax: 20KB}}
nic: {receiver: ooo}
traffic: [{kind: permutation, size: 60KB}]
variants:
  - {name: ecmp}
  - {name: flowlet, switch: {forwarding: flowlet}}
  - {name: spray, switch: {forwarding: spray}}
  - {name: round_robin, switch: {forwarding: round_robin}}
  - {name: least_queue, switch: {forwarding: least_queue}}
`},
	{"collective", "iterations_done", `
algorithm: pc4
topology: {kind: star, hosts: 4}
traffic: [{operation: all-reduce, size: 200KB, iterations: 2, compute: 10us}]
`},
	{"clock", "decisions", `
algorithm: pc4
topology: {kind: star, hosts: 5}
nic: {clock: {noise: 400ns, offset: 100ns, drift_ppm: 1}}
traffic: [{kind: incast, size: 200KB}]
`},
	{"storm", "watchdog_fired drops_watchdog", `
algorithm: dcqcn
topology: {kind: leaf-spine, leaves: 2, spines: 1, hosts_per_leaf: 2}
switch: {buffer: 500KB, watchdog: {detect: 50us, restore: 20us}}
nic: {rto: {floor: 100us, initial: 1ms}}
traffic: [{name: own, from: h2, to: h1, size: 500KB}, {name: way, from: h3, to: h0, size: 500KB}]
faults: [{kind: pfc-storm, host: h1, class: 3, from: 20us, to: 150us}]
expect: {congestion: any}
`},
	{"far", "completed", `
algorithm: dcqcn
topology: {kind: dumbbell, left: 2, right: 2, bottleneck_wan: {length: 20km}}
nic: {rto: {floor: 20ms, initial: 20ms}}
traffic: [{from: h0, to: h2, size: 500KB}, {from: h1, to: h3, size: 500KB}]
expect: {congestion: any}
`},
	{"two-dc", "proximal_cnps notifications", `
algorithm: dcqcn
topology: {kind: two-dc, scale: 1/64}
switch:
  ecn: {kmin: 20KB, kmax: 80KB}
  dci: {ecn: {kmin: 20KB, kmax: 80KB}}
  proximal: {enabled: true, threshold: 20KB, notify: always, qps: answers, learning: {gap: 700us}}
nic: {rto: {floor: 20ms, initial: 20ms}}
traffic: [{operation: all-reduce, method: hierarchical, groups: 2, size: 1MB, iterations: 3, compute: 800us}]
`},
}

var store = fingerprint.Store{Path: "testdata/traces.txt", Rewrite: "go test ./testbed/model -run Version -rewrite"}

// A change of the models that alters a trace needs another version.
func TestVersionKeepsItsTraces(t *testing.T) {
	now := map[string]string{}
	for _, g := range guards {
		maps.Copy(now, traces(t, g.name, g.metrics, g.text))
	}
	verify := store.Check
	if *rewrite {
		verify = store.Write
	}
	if err := verify(now); err != nil {
		t.Errorf("%v\n%s", err, firstFrame(t, now))
	}
	_, stored, err := store.Read()
	if err != nil {
		t.Fatal(err)
	}
	for name := range stored {
		if now[name] == "" {
			t.Errorf("%s has %s, which no test runs: %s", store.Path, name, store.Rewrite)
		}
	}
}

// firstFrame is the first frame that differs in the first guard that changed, "" if none did.
func firstFrame(t *testing.T, now map[string]string) string {
	t.Helper()
	changed, err := store.Changed(now)
	if err != nil {
		t.Fatal(err)
	}
	if len(changed) == 0 {
		return ""
	}
	if testing.Short() {
		return "The first frame that differs is named without -short, which builds rocelab twice"
	}
	_, stored, err := store.Read()
	if err != nil {
		t.Fatal(err)
	}
	name, variant, _ := strings.Cut(changed[0], "/")
	folder := t.TempDir()
	run := fingerprint.Run{Scenario: filepath.Join(folder, name+".yaml"), Stored: stored[changed[0]]}
	if variant != "" {
		run.Flags = []string{"--variant", variant}
	}
	for _, g := range guards {
		if g.name == name {
			err = os.WriteFile(run.Scenario, []byte(g.text), 0o600)
		}
	}
	top, failed := filepath.Abs("../..")
	if err = errors.Join(err, failed); err != nil {
		t.Fatal(err)
	}
	b := fingerprint.Builder{Top: top, Folder: t.TempDir()}
	return changed[0] + ": " + b.FirstFrame(t.Context(), run)
}

// traces runs a scenario's variants and returns their traces by their names.
func traces(t *testing.T, name, metrics, text string) map[string]string {
	t.Helper()
	s, err := scenario.Parse(name+".yaml", []byte(text), model.Checker(shipped.Find),
		scenario.WithSignals(model.SignalsOf(shipped.Find)))
	if err != nil {
		t.Fatal(err)
	}
	plans, err := s.Plans()
	if err != nil {
		t.Fatal(err)
	}
	all, idle := map[string]string{}, strings.Fields(metrics)
	for _, p := range plans {
		out, err := mem.Run(context.Background(), p, mem.Options{Workers: 1, Algorithms: shipped.Find})
		if err != nil {
			t.Fatal(err)
		}
		label := name
		if len(plans) > 1 {
			label += "/" + p.Name
		}
		if out.Exhausted {
			t.Errorf("%s does not end", label)
		}
		all[label] = fmt.Sprintf("%016x", out.Trace)
		summary := result.Summarise(out)
		idle = slices.DeleteFunc(idle, func(metric string) bool {
			value, _ := summary.Value(metric)
			return value > 0
		})
	}
	if len(idle) > 0 {
		t.Errorf("%s does not exercise %v", name, idle)
	}
	return all
}
