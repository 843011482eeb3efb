package wan

import (
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
)

// Values beside the least that is allowed.
func TestEdgesOfConfigs(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(c *Config)
		want  string // "" if it is allowed
	}{
		{"no rate", func(c *Config) {
			for p := range c.Ports {
				c.Ports[p].Tx.Rate, c.Ports[p].Rx.Rate = 0, 0
			}
		}, "a wire has one rate, above 0"},
		{"a flap of no time", func(c *Config) { c.Profile.Flaps = []fabric.Outage{{From: 5, To: 5}} }, "do not touch"},
		{"a flap of a picosecond", func(c *Config) { c.Profile.Flaps = []fabric.Outage{{From: 5, To: 6}} }, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			config := config(steady())
			c.spoil(&config)
			_, err := New(config)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("%s: want %q in %v", c.name, c.want, err)
			}
		})
	}
}
