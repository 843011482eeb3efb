package fabric

import (
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Slow spans of a channel do not overlap, and are not faster than the channel.
func TestCheckSlow(t *testing.T) {
	const rate = 100 * unit.Gbps
	for _, c := range []struct {
		slow  []Slow
		right bool
	}{
		{nil, true},
		{[]Slow{{1, 2, rate}, {2, 3, 1}}, true},
		{[]Slow{{2, 3, 1}, {1, 2, rate}}, true},
		{[]Slow{{1, 2, rate + 1}}, false},
		{[]Slow{{1, 2, 0}}, false},
		{[]Slow{{2, 2, 1}}, false},
		{[]Slow{{1, 3, 1}, {2, 4, 1}}, false},
	} {
		if err := CheckSlow(rate, c.slow); (err == nil) != c.right {
			t.Errorf("%v: %v", c.slow, err)
		}
	}
}
