package tier_test

import (
	"os"
	"testing"

	"github.com/rocelab/rocelab/specs/tier"
)

// skipped is a test that notes whether it was skipped.
type skipped struct{ yes bool }

func (s *skipped) Helper()     {}
func (s *skipped) Skip(...any) { s.yes = true }

func TestTiers(t *testing.T) {
	for _, c := range []struct {
		name, slow, night, root string
		check                   func(tier.Test)
		want                    bool
	}{
		{name: "slow by default", check: tier.Slow, want: true},
		{name: "slow when asked for", slow: "1", check: tier.Slow},
		{name: "slow without the everyday ones", slow: "only", check: tier.Slow},
		{name: "slow at night", night: "1", check: tier.Slow},
		{name: "night by default", check: tier.Night, want: true},
		{name: "night with the slow ones", slow: "1", check: tier.Night, want: true},
		{name: "night", night: "1", check: tier.Night},
		{name: "everyday", check: tier.Everyday, want: testing.Short()},
		{name: "root", check: root, want: os.Geteuid() != 0 || testing.Short()},
		{name: "root left out", root: "0", check: root, want: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("ROCELAB_SLOW", c.slow)
			t.Setenv("ROCELAB_NIGHT", c.night)
			t.Setenv("ROCELAB_ROOT", c.root)
			var s skipped
			if c.check(&s); s.yes != c.want {
				t.Errorf("%s: skipped %v, want %v", c.name, s.yes, c.want)
			}
			if got, want := tier.RunsSlow(), c.slow != "" || c.night == "1"; got != want {
				t.Errorf("%s: slow tests run: %v, want %v", c.name, got, want)
			}
		})
	}
}

func root(t tier.Test) { tier.Root(t, "this test") }
