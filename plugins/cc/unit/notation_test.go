package unit_test

import (
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// One is the only number without a plural.
func TestCount(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{unit.Count(0, "flow"), "0 flows"},
		{unit.Count(uint64(1), "veth pair"), "1 veth pair"},
		{unit.Count(2, "veth pair"), "2 veth pairs"},
		{unit.CountOf(1, "frame was", "frames were"), "1 frame was"},
		{unit.CountOf(3, "entry", "entries"), "3 entries"},
	} {
		t.Run(fmt.Sprintf("want=%s", c.want), func(t *testing.T) {
			if c.got != c.want {
				t.Errorf("%q, want %q", c.got, c.want)
			}
		})
	}
}
