package switchd

import (
	"testing"

	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/profile"
)

// Values at the least and the most that is allowed, and the first ones beyond.
func TestEdgesOfConfigs(t *testing.T) {
	hold := func(c Config, allowed bool, name string) {
		if err := c.check(); (err == nil) != allowed {
			t.Errorf("%s: allowed: %t, %v", name, allowed, err)
		}
	}
	hold(star(0), false, "no port")
	hold(star(1), true, "one port")
	hold(star(event.MaxPorts), true, "most ports")
	for _, x := range []struct {
		name    string
		allowed bool
		set     func(c *Config)
	}{
		{"no rate out", false, func(c *Config) { c.Ports[0].Tx.Rate = 0 }},
		{"no rate in", false, func(c *Config) { c.Ports[0].Rx.Rate = 0 }},
		{"no latency out", true, func(c *Config) { c.Ports[0].Tx.Latency = 0 }},
		{"no latency in", true, func(c *Config) { c.Ports[0].Rx.Latency = 0 }},
		{"all is lost", true, func(c *Config) { c.Ports[0].Loss = 1 }},
		{"a route beyond", false, func(c *Config) { c.Routes[0] = uint16(len(c.NextHops)) }},
		{"a loopback beyond", false, func(c *Config) { c.Loopbacks = []uint16{uint16(len(c.NextHops))} }},
		{"no frame", false, func(c *Config) { c.MaxFrame, c.Profile.Headroom = 0, 0 }},
		{"no buffer", false, func(c *Config) { c.Profile.Buffer = 0 }},
		{"no alpha rate", true, func(c *Config) { c.Profile.AlphaRate = 0 }},
		{"no peer response", true, func(c *Config) { c.Profile.PeerResponse = 0 }},
		{"no resume offset", true, func(c *Config) { c.Profile.ResumeOffset = 0 }},
		{"refresh 0", false, func(c *Config) { c.Profile.PFC.Refresh = 0 }},
		{"refresh 1", false, func(c *Config) { c.Profile.PFC.Refresh = 1 }},
		{"a watchdog at once", false, func(c *Config) { c.Profile.Watchdog.Detect = 0 }},
		{"a watchdog that restores at once", false, func(c *Config) { c.Profile.Watchdog.Restore = 0 }},
		{"forwarding beyond", false, func(c *Config) {
			c.Profile.Forwarding = profile.Forwarding(len(profile.ForwardingNames))
		}},
		{"no flowlet gap", true, func(c *Config) { c.Profile.FlowletGap = 0 }},
		{"class 8", false, func(c *Config) { c.Profile.ClassOf[0] = profile.Classes }},
		{"queue 8", false, func(c *Config) { c.Profile.QueueOf[0] = profile.Classes }},
		{"most weight", true, func(c *Config) { c.Profile.Weight[0] = profile.MaxWeight }},
		{"Pmax 0", true, func(c *Config) { c.Profile.ECN[3].Enabled, c.Profile.ECN[3].Pmax = true, 0 }},
	} {
		c := star(2)
		x.set(&c)
		hold(c, x.allowed, x.name)
	}
	for _, x := range []struct {
		name    string
		allowed bool
		set     func(p *profile.Proximal)
	}{
		{"threshold 0", true, func(p *profile.Proximal) { p.Threshold = 0 }},
		{"no spacing", false, func(p *profile.Proximal) { p.Spacing = 0 }},
		{"no gain period", false, func(p *profile.Proximal) { p.GainPeriod = 0 }},
		{"buffer share 0", false, func(p *profile.Proximal) { p.BufferShare = 0 }},
		{"buffer share 1", true, func(p *profile.Proximal) { p.BufferShare = 1 }},
		{"gain 0", false, func(p *profile.Proximal) { p.Gain = 0 }},
		{"gain 1", false, func(p *profile.Proximal) { p.Gain = 1 }},
		{"map beyond", false, func(p *profile.Proximal) { p.Map = profile.ProximalMap(len(profile.ProximalMapNames)) }},
		{"QPs beyond", false, func(p *profile.Proximal) { p.QPs = profile.QPSource(len(profile.QPSourceNames)) }},
		{"one CNP at most", true, func(p *profile.Proximal) { p.MaxCNPs = 1 }},
		{"most CNPs at once", true, func(p *profile.Proximal) {
			p.MaxCNPs, p.CNPs = profile.MaxCNPsAtOnce, profile.MaxCNPsAtOnce
		}},
		{"last DSCP", true, func(p *profile.Proximal) { p.DSCP = profile.MaxDSCP }},
		{"a table of one", true, func(p *profile.Proximal) { p.Learning.Capacity = 1 }},
		{"the largest table", true, func(p *profile.Proximal) { p.Learning.Capacity = profile.MaxFlowTable }},
		{"no age", true, func(p *profile.Proximal) { p.Learning.Age = 0 }},
	} {
		hold(leaf(x.set), x.allowed, x.name)
	}
}
