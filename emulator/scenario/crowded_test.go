package scenario

import (
	"fmt"
	"strings"
	"testing"
)

// What would keep the parser busy is seen before it is called; what fits is let
// through.
func TestCrowded(t *testing.T) {
	list := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	for _, c := range []struct {
		name, text string
		crowded    int
	}{
		{"nothing", "", 0},
		{"variants that fit", "a: 1\nvariants:\n" + list(64, "- {name: v%d}\n"), 0},
		{"a variant too many", "a: 1\nvariants:\n" + list(65, "- {name: v%d}\n"), 2},
		{"with keys below", "variants:\n" + list(65, "  - name: v%d\n    traffic:\n    - size: 1\n"), 1},
		{"lists below", "variants:\n  - traffic:\n" + list(99, "    - {a: %d}\n"), 0},
		{"a list after it", "variants:\n- {name: a}\nfaults:\n" + list(99, "- {a: %d}\n"), 0},
		{"in brackets", "variants: [" + list(65, "{name: v%d, a: [1, 2]},") + "]", 1},
		{"in brackets that fit", "variants: [" + list(30, "{name: v%d, a: [1, 2], b: ', ,'},") + "]\nb: [1, 2]", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := crowded([]byte(c.text)); got != c.crowded {
				t.Errorf("%s: crowded at line %d, want %d", c.name, got, c.crowded)
			}
		})
	}
}
