package daemon

import (
	"fmt"
	"strings"
	"testing"
)

// A daemon is asked for by the program's name or by the first word after it.
func TestCalledByName(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"/bin/nicd --once", "nicd [--once]"},
		{"switchd", "switchd []"},
		{"/usr/lib/rocelab/rocelab wand --listeners=2", "wand [--listeners=2]"},
		{"rocelab daemon", "daemon []"},
		{"rocelab", " []"},
		{"rocelab run nicd", " []"},
		{"nicd-old switch", " []"},
		{"", " []"},
	} {
		t.Run(fmt.Sprintf("line=%q", c.line), func(t *testing.T) {
			name, args := called(strings.Fields(c.line))
			if got := fmt.Sprint(name, " ", args); got != c.want {
				t.Errorf("%q asks for %q, want %q", c.line, got, c.want)
			}
		})
	}
}
