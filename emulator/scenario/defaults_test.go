package scenario

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/profile"
)

// Each documented default of a table is the actual one: a mapping that sets it reads as one that leaves the key out.
func TestDefaultsAreTheDefaults(t *testing.T) {
	of := defaultsOf{t, map[string]bool{}}
	check(of, "rootKeys", rootKeys, "{topology: {kind: star}, traffic: [{from: h0, to: h1}]}",
		func(n *node) draft { return *newDraft(n) },
		func(d *draft) { d.root, d.fabric.node, d.traffic = nil, nil, nil })
	check(of, "runKeys", runKeys, "{}", func(*node) runDraft { return newDraft(&node{}).run }, nil)
	check(of, "controllerKeys", controllerKeys, "{}",
		func(*node) plan.Controller { return newDraft(&node{}).controller }, nil)
	check(of, "recordKeys", recordKeys, "{}", zero[plan.Record], nil)
	check(of, "expectKeys", expectKeys, "{}", zero[expectDraft], nil)
	check(of, "sweepKeys", sweepKeys, "{}", value(newSweep()), nil)
	check(of, "algorithmKeys", algorithmKeys, "{name: dcqcn}", zero[algorithmDraft], nil)

	for _, k := range kinds {
		least := "{kind: " + k.name + "}"
		if k == &explicit {
			least = "{nodes: [{name: a}], links: [{endpoints: [a, b]}]}"
		}
		check(of, "fabricKeys", fabricKeys, least, newFabricDraft, func(f *fabricDraft) {
			f.node = nil
			if f.kind == &explicit {
				f.own = nil
			}
		})
	}
	for _, least := range []string{"{name: a}", "{name: a, kind: edge, interface: a}", "{name: a, stack: kernel}"} {
		check(of, "nodeKeys", nodeKeys, least, func(n *node) nodeDraft { return nodeDraft{edgeDraft: newEdgeDraft(n)} },
			func(d *nodeDraft) { d.serverAt, d.node = position{}, nil })
	}
	check(of, "edgeKeys", edgeKeys, "{node: a, interface: a}", newEdgeDraft, func(d *edgeDraft) { d.node = nil })
	check(of, "linkKeys", linkKeys, "{endpoints: [a, b]}", newLinkDraft, func(d *linkDraft) { d.written = nil })
	check(of, "wanKeys", wanKeys, "{length: 1km}", func(*node) wanDraft { return newWANDraft() },
		func(w *wanDraft) { w.node = nil })
	check(of, "wanEventKeys", wanEventKeys, "{at: 1us, flap: 1us}", zero[wanEventDraft], nil)
	check(of, "burstKeys", burstKeys, "{enter: 0.1, leave: 0.2}", zero[profile.WANLoss], nil)

	base := profile.DefaultSwitch()
	check(of, "switchKeys", switchKeys, "{}", value(base), nil)
	check(of, "portKeys", portKeys, "{}", value(base), nil)
	check(of, "pfcKeys", pfcKeys, "{}", value(base.PFC), nil)
	check(of, "ecnKeys", ecnKeys, "{}", value(ecn{WRED: base.ECN[3], classes: [8]bool{3: true}}), nil)
	check(of, "watchdogKeys", watchdogKeys, "{}", value(base.Watchdog), nil)
	check(of, "schedulingKeys", schedulingKeys, "{}", value(base), nil)
	check(of, "classKeys", classKeys, "{}", value(base), nil)
	check(of, "dciKeys", dciKeys, "{}", value(base.DCI), nil)
	check(of, "dciECNKeys", dciECNKeys, "{}", value(base.DCI.ECN), nil)
	check(of, "dciPFCKeys", dciPFCKeys, "{}", value(base.DCI.PFC), nil)
	check(of, "proximalKeys", proximalKeys, "{}", value(base.Proximal), nil)
	check(of, "learningKeys", learningKeys, "{}", value(base.Proximal.Learning), nil)

	check(of, "nicKeys", nicKeys, "{}", value(nic{NIC: profile.DefaultNIC()}), nil)
	check(of, "rtoKeys", rtoKeys, "{}", value(profile.DefaultNIC()), nil)
	check(of, "rangeKeys", rangeKeys, "{low: 0}", value(profile.TimeoutRange{Retries: 1}), nil)
	check(of, "clockKeys", clockKeys, "{}", value(profile.DefaultNIC().Clock), nil)

	for _, least := range []string{"{from: h0, to: h1}", "{kind: incast}", "{kind: permutation}", "{kind: all-to-all}",
		"{load: 0.1, distribution: web-search}", "{operation: all-reduce, size: 1MB}"} {
		check(of, "trafficKeys", trafficKeys, least, newTrafficDraft,
			func(d *trafficDraft) { d.node, d.from, d.to = nil, nil, nil })
	}
	for _, k := range faultKinds {
		check(of, "faultKeys", faultKeys, k.least, newFaultDraft, func(d *faultDraft) { d.node = nil })
	}

	check(of, "grayKeys", grayKeys, "{longer: 1KB}", zero[grayDraft], nil)
	check(of, "flapsKeys", flapsKeys, "{from: 1ms, times: 2, down: 1us, up: 1us}", zero[flapsDraft], nil)
	check(of, "failoverKeys", failoverKeys, "{}", func(*node) failoverDraft { return newFailoverDraft() }, nil)
	check(of, "dampeningKeys", dampeningKeys, "{}", func(*node) dampening { return newFailoverDraft().dampening }, nil)
	check(of, "switchFailoverKeys", switchFailoverKeys, "{}", zero[failoverTimes], nil)

	check(of, "peerKeys", peerKeys, "{edge: guest, qp: 1}", newPeerDraft,
		func(d *peerDraft) { d.node, d.edge, d.qp = nil, "", 0 })
	check(of, "workKeys", workKeys, "{verb: write}", newWorkDraft, nil)

	check(of, "referenceKeys", referenceKeys, "{source: x, values: {pc4: {}}}", zero[Reference],
		func(t *Reference) { t.Source, t.Values = "", nil })

	for _, table := range tables(t) {
		if !of.checked[table] {
			t.Errorf("the defaults of %s are not checked", table)
		}
	}
}

// tables are the names of all tables of keys.
func tables(t *testing.T) (names []string) {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^var (\w+) = &object\[`).FindAllSubmatch(src, -1) {
			names = append(names, string(m[1]))
		}
	}
	if len(names) < 28 {
		t.Fatalf("%d tables were found: %v", len(names), names)
	}
	return names
}

// defaultsOf keeps which tables were checked.
type defaultsOf struct {
	t       *testing.T
	checked map[string]bool
}

func zero[T any](*node) (t T) { return t }

func value[T any](v T) func(*node) T { return func(*node) T { return v } }

// check reads the minimum of a mapping, by itself and with each default written out beside it; fresh is the target.
// Bare, if there is one, takes away the difference between the two trees.
func check[T any](of defaultsOf, table string, o *object[T], least string, fresh func(*node) T, bare func(*T)) {
	of.t.Helper()
	of.checked[table] = true
	read := func(src string) (T, *node, Errors) {
		p := newProblems()
		n := parseTree("default", []byte(src), p)
		v := fresh(n)
		o.read(&reader{problems: p}, n, &v)
		if bare != nil {
			bare(&v)
		}
		return v, n, p.list
	}
	want, n, list := read(least)
	if len(list) > 0 {
		of.t.Errorf("%s: %s: %v", o.what, least, list)
	}
	kind, _ := o.kindOf(&reader{problems: newProblems()}, n)
	for i := range o.fields {
		f := &o.fields[i]
		def := f.def
		if k := kindNamed(kind); o.what == fabricKeys.what && k.key(f.key) != nil {
			def = k.key(f.key).defaultAt("")
		}
		if n.Child(f.key) != nil || !f.applies(kind) || def == "" {
			continue
		}
		src := strings.Replace(strings.TrimSuffix(least, "}")+", "+f.key+": "+def+"}", "{, ", "{", 1)
		if got, _, _ := read(src); !reflect.DeepEqual(got, want) {
			of.t.Errorf("%s.%s: the documented default %s is not the default", o.what, f.key, def)
		}
		// Alone, as some keys may not be written without another.
		p := newProblems()
		got := want
		f.read(&reader{problems: p}, parseTree("default", []byte(def), p), &got)
		if len(p.list) > 0 || !reflect.DeepEqual(got, want) {
			of.t.Errorf("%s.%s: the documented default %s alone is not the default: %v", o.what, f.key, def, p.list)
		}
	}
}
