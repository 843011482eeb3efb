package scenario

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
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

// beyondSchema are wrong in what only the whole plan tells, or in how the text
// is written.
var beyondSchema = []string{
	"anchors", "buffer-too-small", "deaf", "duplicate-name", "duplicate-traffic", "fat-tree", "few-arrivals", "headroom",
	"hosts", "kmin-above-kmax", "long-link", "many-arrivals", "never-ends", "no-algorithm", "patterns", "port-gap",
	"port-twice", "racks", "record-interval", "self-loop", "too-many-flows", "too-many-messages", "two-documents",
	"two-ports", "unreachable", "wan-headroom", "wan-plan",
}

// What a type, a unit, a range or a key can tell, the schema tells too.
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

// A fault is of the kind that it says, or that its keys tell.
func TestSchemaOfFaults(t *testing.T) {
	schema := compiled(t)
	for fault, right := range map[string]bool{
		"{link: h0-s0, loss: 0.1}":                                true,
		"{kind: link, link: h0-s0, down: 1ms}":                    true,
		"{host: h0, from: 1ms}":                                   true,
		"{kind: pfc-storm, host: h0, class: 3, from: 0, to: 5ms}": true,
		"{loss: 0.1}":                                      false,
		"{link: h0-s0, from: 1ms}":                         false,
		"{host: h0, from: 1ms, loss: 0.1}":                 false,
		"{host: h0}":                                       false,
		"{kind: pfc-storm, link: h0-s0, from: 1ms}":        false,
		"{kind: link, host: h0, from: 1ms}":                false,
		"{kind: pfc-storm, host: h0, from: 1ms, class: 8}": false,
	} {
		v, err := instance(
			[]byte("topology: {kind: star}\nalgorithm: pc4\ntraffic: [{kind: incast, size: 1MB}]\nfaults: [" +
				fault + "]\n"))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(v); (err == nil) != right {
			t.Errorf("%s: schema says %v", fault, err)
		}
	}
}
