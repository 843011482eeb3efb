package scenario

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var rewrite = flag.Bool("rewrite", false, "write the messages found to the golden files")

// metrics takes the place of the metrics of a result.
var metrics = []string{"drops", "jain", "fct_p99_us", "incomplete", "pauses"}

// Each file of testdata/bad has its messages beside it.
func TestMessages(t *testing.T) {
	files, err := filepath.Glob("testdata/bad/*.yaml")
	if err != nil || len(files) < 30 {
		t.Fatalf("%d files in testdata/bad (%v)", len(files), err)
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, err = Parse(filepath.Base(file), src, known, WithMetrics(metrics))
		if err == nil {
			t.Errorf("%s is accepted", file)
			continue
		}
		checkErrors(t, file, err)
		got := err.Error() + "\n"
		golden := strings.TrimSuffix(file, ".yaml") + ".err"
		if *rewrite {
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s says:\n%swant:\n%s", file, got, want)
		}
	}
}

// checkErrors looks at what every error must be: Errors, in order, one line
// each, with a position.
func checkErrors(t *testing.T, file string, err error) {
	t.Helper()
	var all Errors
	if !errors.As(err, &all) || len(all) == 0 {
		t.Fatalf("%s: %T is no Errors", file, err)
	}
	for i, e := range all {
		if e.Line < 1 || e.Column < 1 || strings.ContainsAny(e.Message, "\n") || e.Message == "" {
			t.Errorf("%s: odd message %q at %d:%d", file, e.Message, e.Line, e.Column)
		}
		if i > 0 && e.File == all[i-1].File &&
			(e.Line < all[i-1].Line || e.Line == all[i-1].Line && e.Column < all[i-1].Column) {
			t.Errorf("%s: message %d stands before the one before it", file, i)
		}
	}
}

// beyondSchema are faulty in ways that only the whole plan shows, or in the writing of the text.
var beyondSchema = []string{
	"anchors", "bdp-nowhere",
	"buffer-too-small", "deaf", "drain-alone", "duplicate-name", "duplicate-traffic", "edge-alone", "edge-explicit",
	"edge-flows", "edge-links", "edge-nobody", "edge-ports", "edge-unlinked", "edge-wan", "fat-tree", "few-arrivals",
	"haul", "headroom",
	"hosts", "kmin-above-kmax", "long-link", "many-arrivals", "never-ends", "no-algorithm", "ooo-long",
	"patterns", "port-gap", "port-twice", "queue-bytes-full", "racks", "record-interval", "selective", "selective-mixed",
	"self-loop", "too-many-flows", "too-many-messages",
	"two-documents", "two-ports", "unreachable", "wan-headroom", "wan-plan", "window",
	"window-short",
}

// Faults that a type, a unit, a range or a key shows are in the schema too.
func TestSchemaRefuses(t *testing.T) {
	schema := compiled(t)
	files, err := filepath.Glob("testdata/bad/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	refused := 0
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		v, err := instance(src)
		if err != nil {
			continue // no YAML: an editor says so
		}
		name := fileName(file)
		err = schema.Validate(v)
		if err != nil {
			refused++
		}
		if accepted := slices.Contains(beyondSchema, name); (err == nil) != accepted {
			t.Errorf("%s: the schema says %v", name, err)
		}
	}
	if refused < 25 {
		t.Errorf("the schema refuses %d files", refused)
	}
}

// A fault is of its written kind, or of the kind that its keys imply.
func TestSchemaOfFaults(t *testing.T) {
	schema := compiled(t)
	for fault, right := range map[string]bool{
		"{link: h0-s0, loss: 0.1}":                                true,
		"{kind: link, link: h0-s0, down: 1ms}":                    true,
		"{host: h0, from: 1ms}":                                   true,
		"{kind: pfc-storm, host: h0, class: 3, from: 0, to: 5ms}": true,
		"{link: h0-s0, loss: 0.1, frames: acks, toward: h0}":      true,
		"{link: h0-s0, loss: 0.1, frames: ack}":                   false,
		"{loss: 0.1}":                                             false,
		"{link: h0-s0, from: 1ms}":                                false,
		"{host: h0, from: 1ms, loss: 0.1}":                        false,
		"{host: h0}":                                              false,
		"{kind: pfc-storm, link: h0-s0, from: 1ms}":               false,
		"{kind: link, host: h0, from: 1ms}":                       false,
		"{kind: pfc-storm, host: h0, from: 1ms, class: 8}":        false,
	} {
		t.Run(fault, func(t *testing.T) {
			v, err := instance(
				[]byte("topology: {kind: star}\nalgorithm: pc4\ntraffic: [{kind: incast, size: 1MB}]\nfaults: [" +
					fault + "]\n"))
			if err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(v); (err == nil) != right {
				t.Errorf("%s: schema says %v", fault, err)
			}
		})
	}
}

// An editor's message about a mistake names its place and its key, not all the alternatives.
func TestSchemaNamesTheMistake(t *testing.T) {
	schema := compiled(t)
	const right = "topology: {kind: star}\ntraffic: [{kind: incast, size: 1MB}]\nseed: 1\n"
	for _, c := range []struct{ is, becomes, where, what string }{
		{"seed: 1", "switch: {ecn: {kmn: 1KB}}", "/switch/ecn", "'kmn' not allowed"},
		{"seed: 1", "switch: {ecn: [{kmn: 1KB}]}", "/switch/ecn/0", "'kmn' not allowed"},
		{"seed: 1", "switch: {ecn: {kmin: 20}}", "/switch/ecn/kmin", "value must be 0"},
		{"seed: 1", "switch: {ecn: {kmin: 20us}}", "/switch/ecn/kmin", "does not match pattern"},
		{"seed: 1", "algorithm: {name: pc4, parms: {}}", "/algorithm", "'parms' not allowed"},
		{"seed: 1", "variants: [{name: a, traffic: {sizes: 1MB}}]", "/variants/0/traffic", "'sizes' not allowed"},
		{"seed: 1", "variants: [{name: a, switch: {ecn: {kmn: 1KB}}}]", "/variants/0/switch/ecn", "'kmn' not allowed"},
		{"size: 1MB", "size: 1MB, from: h0", "/traffic/0/from", "false schema"},
		{"kind: incast", "name: incast", "/traffic/0", "missing property 'kind'"},
		{"kind: incast", "kind: incst", "/traffic/0/kind", "value must be one of 'flow'"},
		{"kind: star", "kind: star, leaves: 3", "/topology/leaves", "false schema"},
		{"kind: star", "nodes: [{name: a}]", "/topology", "missing property 'links'"},
		{"kind: incast", "kind: poisson, distribution: [[1000, 50]]", "/traffic/0/distribution/0/0", "value must be 0"},
		{"kind: incast", "kind: poisson, distribution: web", "/traffic/0/distribution", "value must be one of"},
	} {
		t.Run(c.becomes, func(t *testing.T) {
			v, err := instance([]byte(strings.Replace(right, c.is, c.becomes, 1)))
			if err != nil {
				t.Fatal(err)
			}
			err = schema.Validate(v)
			if err == nil || strings.Contains(err.Error(), "anyOf") ||
				!regexp.MustCompile("at '"+c.where+"': .*"+regexp.QuoteMeta(c.what)).MatchString(err.Error()) {
				t.Errorf("%s says %v, want %s at %s", c.becomes, err, c.what, c.where)
			}
		})
	}
}
