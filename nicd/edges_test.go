package nicd

import (
	"testing"

	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc"
)

// Values at the least and the most that a flow may have, and the first ones beyond.
func TestEdgesOfFlows(t *testing.T) {
	for _, x := range []struct {
		name    string
		allowed bool
		set     func(c *SenderConfig)
	}{
		{"MTU 0", false, func(c *SenderConfig) { c.MTU = 0 }},
		{"MTU 1", true, func(c *SenderConfig) { c.MTU = 1 }},
		{"largest MTU", true, func(c *SenderConfig) { c.MTU = wire.MaxPayload }},
		{"beyond the largest MTU", false, func(c *SenderConfig) { c.MTU = wire.MaxPayload + 1 }},
		{"last PSN", true, func(c *SenderConfig) { c.FirstPSN = wire.PSNMask }},
		{"beyond the last PSN", false, func(c *SenderConfig) { c.FirstPSN = wire.PSNMask + 1 }},
		{"largest message", true, func(c *SenderConfig) { c.Message = maxMessage }},
		{"beyond the largest message", false, func(c *SenderConfig) { c.Message = maxMessage + 1 }},
		{"last DSCP", true, func(c *SenderConfig) { c.DSCP = 63 }},
		{"a group of none", true, func(c *SenderConfig) { c.GroupUpdates = []GroupUpdate{{At: 1, Flows: 0}} }},
		{"a group of less", false, func(c *SenderConfig) { c.GroupUpdates = []GroupUpdate{{At: 1, Flows: -1}} }},
	} {
		t.Run(x.name, func(t *testing.T) {
			c := SenderConfig{
				Name:       "f",
				QP:         FirstQP,
				Size:       1,
				MTU:        1000,
				DSCP:       -1,
				Controller: decide(cc.Decision{}),
				Path:       oneHop,
				Back:       oneHop,
			}
			x.set(&c)
			if err := New(config("nic", 0, 1, profile.DefaultNIC())).AddSender(c); (err == nil) != x.allowed {
				t.Errorf("%s: allowed: %t, %v", x.name, x.allowed, err)
			}
		})
	}
}
