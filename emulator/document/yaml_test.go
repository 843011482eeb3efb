package document

import (
	"fmt"
	"strings"
	"testing"
)

// What would keep the parser busy is seen before it is called; what fits is let
// through.
func TestWide(t *testing.T) {
	const maxKeys = 4096
	list := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	for _, c := range []struct {
		name, text string
		wide       int
	}{
		{"keys that fit", list(maxKeys, "k%d: 1\n"), 0},
		{"a key too many", list(maxKeys+1, "k%d: 1\n"), maxKeys + 1},
		{"below a key", "a:\n" + list(maxKeys+1, "  k%d: 1\n"), maxKeys + 2},
		{"below an item", "- a: 0\n" + list(maxKeys, "  k%d: 1\n"), maxKeys + 1},
		{"items, each with keys", list(maxKeys, "- a: %d\n  b: 1\n"), 0},
		{"links of a fabric", "a:\n" + list(maxKeys+1, "  - endpoints: [a:%d, b]\n    rate: 1\n"), 0},
		{"lines of a text", "a: |\n" + list(2*maxKeys, "  word %d\n"), 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := wide([]byte(c.text), maxKeys); got != c.wide {
				t.Errorf("%s: wide at line %d, want %d", c.name, got, c.wide)
			}
		})
	}
}
