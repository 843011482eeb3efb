package scenario

import (
	"fmt"
	"strings"
	"testing"
)

// The keys of a scenario come in their order, with a variant's changes laid over.
func TestValues(t *testing.T) {
	const text = `name: x
topology: {kind: star, hosts: 4}
algorithm: dcqcn
traffic: [{name: in, size: 1KB}, {kind: flow, list: [1, 2], none: []}]
variants: [{name: a}, {name: b, topology: {hosts: 5}, algorithm: pc4}]
`
	for variant, want := range map[string]string{
		"a": "[{name x} {topology.kind star} {topology.hosts 4} {algorithm dcqcn} {traffic.in.name in} " +
			"{traffic.in.size 1KB} {traffic.1.kind flow} {traffic.1.list.0 1} {traffic.1.list.1 2} {traffic.1.none []}]",
		"b": "[{name x} {topology.kind star} {topology.hosts 5} {algorithm pc4} {traffic.in.name in} " +
			"{traffic.in.size 1KB} {traffic.1.kind flow} {traffic.1.list.0 1} {traffic.1.list.1 2} {traffic.1.none []}]",
	} {
		t.Run(variant, func(t *testing.T) {
			got, err := Values("x.yaml", []byte(text), variant)
			if err != nil || fmt.Sprint(got) != want {
				t.Errorf("%s: %v, %v, want %s", variant, got, err, want)
			}
		})
	}
	for _, bad := range []string{"", "- 1", "a: [", "a: 1\na: 2"} {
		t.Run(fmt.Sprintf("%q", bad), func(t *testing.T) {
			if got, err := Values("x.yaml", []byte(bad), ""); err == nil || !strings.Contains(err.Error(), "x.yaml") {
				t.Errorf("%q: %v, %v", bad, got, err)
			}
		})
	}
}

// Any text has values or is refused in words.
func FuzzValues(f *testing.F) {
	f.Add([]byte("a: {b: [1, {name: c, d: e}]}\nvariants: [{name: v, a: 2}]"), "v")
	f.Fuzz(func(t *testing.T, text []byte, variant string) {
		if len(text) > 4000 {
			return
		}
		if _, err := Values("fuzz.yaml", text, variant); err != nil && err.Error() == "" {
			t.Error("refused without a word")
		}
	})
}
