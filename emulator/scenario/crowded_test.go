package scenario

import (
	"fmt"
	"strings"
	"testing"
)

// What would keep the parser busy is seen before it is called; what fits is let
// through. Tier: -short.
func TestCrowdedAndWide(t *testing.T) {
	list := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	for _, c := range []struct {
		name, text    string
		crowded, wide int
	}{
		{"nothing", "", 0, 0},
		{"variants that fit", "a: 1\nvariants:\n" + list(64, "- {name: v%d}\n"), 0, 0},
		{"a variant too many", "a: 1\nvariants:\n" + list(65, "- {name: v%d}\n"), 2, 0},
		{"with keys below", "variants:\n" + list(65, "  - name: v%d\n    traffic:\n    - size: 1\n"), 1, 0},
		{"lists below", "variants:\n  - traffic:\n" + list(99, "    - {a: %d}\n"), 0, 0},
		{"a list after it", "variants:\n- {name: a}\nfaults:\n" + list(99, "- {a: %d}\n"), 0, 0},
		{"in brackets", "variants: [" + list(65, "{name: v%d, a: [1, 2]},") + "]", 1, 0},
		{"in brackets that fit", "variants: [" + list(30, "{name: v%d, a: [1, 2], b: ', ,'},") + "]\nb: [1, 2]", 0, 0},
		{"keys that fit", list(maxKeys, "k%d: 1\n"), 0, 0},
		{"a key too many", list(maxKeys+1, "k%d: 1\n"), 0, maxKeys + 1},
		{"below a key", "a:\n" + list(maxKeys+1, "  k%d: 1\n"), 0, maxKeys + 2},
		{"below an item", "- a: 0\n" + list(maxKeys, "  k%d: 1\n"), 0, maxKeys + 1},
		{"items, each with keys", list(maxKeys, "- a: %d\n  b: 1\n"), 0, 0},
		{"links of a fabric", "a:\n" + list(maxKeys+1, "  - endpoints: [a:%d, b]\n    rate: 1\n"), 0, 0},
		{"lines of a text", "a: |\n" + list(2*maxKeys, "  word %d\n"), 0, 0},
	} {
		if got := crowded([]byte(c.text)); got != c.crowded {
			t.Errorf("%s: crowded at line %d, want %d", c.name, got, c.crowded)
		}
		if got := wide([]byte(c.text)); got != c.wide {
			t.Errorf("%s: wide at line %d, want %d", c.name, got, c.wide)
		}
	}
}

// FuzzReference feeds the reader of references anything: it answers with values or with
// Errors.
func FuzzReference(f *testing.F) {
	f.Add([]byte("source: x\nvalues: {pc4: {drops: 0}}\n"))
	f.Add([]byte("\ufeffsource: x\nnote: y\nvalues:\n  pc4:set=a: {jain: 1e308}\n"))
	f.Add([]byte("source: &a [*a]\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) > 2000 {
			return // length alone finds nothing new
		}
		reference, err := ParseReference("fuzz.yaml", src, metrics)
		if err != nil {
			checkErrors(t, "fuzz.yaml", err)
		} else if reference.Source == "" && len(reference.Values) == 0 {
			t.Error("accepted, and says nothing")
		}
	})
}

// FuzzOverride lays one pair over a scenario: it is read, or refused with Errors.
func FuzzOverride(f *testing.F) {
	f.Add("traffic.burst.size", "1MB")
	f.Add("traffic.0", "{kind: poisson, load: 1e-300, distribution: [[1KB, 100]]}")
	f.Add("variants", "[{name: a}, {name: b, seed: 3}]")
	f.Add("switch.ecn.kmin", "-1e308KB")
	f.Fuzz(func(t *testing.T, path, value string) {
		const source = "topology: {kind: star}\nalgorithm: pc4\ntraffic: [{name: burst, kind: incast, size: 1MB}]\n"
		small := func(o *options) { o.maxFlows, o.maxHosts = 1000, 200 }
		_, err := Parse("fuzz.yaml", []byte(source), known, small, WithOverrides(map[string]string{path: value}))
		if err != nil {
			checkErrors(t, "fuzz.yaml", err)
		}
	})
}
