package scenario

import (
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// hostFields are the settings of a NIC towards its host: when messages come and how fast data go.
var hostFields = []field[nic]{
	choiceField("idle_restart", "keep", profile.RestartNames,
		"What a QP may do that begins to send again after an idle time: what its algorithm allows; line rate without a "+
			"window, until the algorithm allows less than it did last; or, slow, also no more than 10 unacknowledged packets, "+
			"and one more for each that is acknowledged, until the base RTT is full. Idle is a QP whose messages wait for "+
			"others while all of it is acknowledged.",
		func(n *nic, i int) { n.Host.Restart.Rule = profile.RestartRule(i) }),
	durationField("idle_time", "0s", "0s", "100s",
		"How long a QP is idle before idle_restart holds. 0s takes the retransmission timeout in force.",
		func(n *nic) *unit.Duration { return &n.Host.Restart.Idle }),
	durationField("message_latency", "0s", "0s", "1s",
		"Time from when a message may be sent until its first packet may leave. Those of several messages of a QP pass at "+
			"the same time.",
		func(n *nic) *unit.Duration { return &n.Host.MessageLatency }),
	durationField("message_cost", "0s", "0s", "1s",
		"Time that a QP takes for each message before its first packet, one message after the other: it bounds the rate of "+
			"small messages.",
		func(n *nic) *unit.Duration { return &n.Host.MessageCost }),
	rateField("receive_rate", "0bps", "0bps", maxRate,
		"Rate at which the host takes the payload that arrives. 0bps for no bound.",
		func(n *nic) *unit.BitRate { return &n.Host.Intake.Rate }),
	sizeField("receive_buffer", "262144B", "10KB", "1GB",
		"Bytes of frames that may wait for it; what finds no room is dropped. Only with a receive_rate.",
		func(n *nic) *unit.Bytes { return &n.Host.Intake.Buffer }),
	choiceField("receive_full", "drop", []string{"drop", "pause"},
		"What happens before that: nothing, or the NIC pauses the class of what arrives once half of the buffer is full, "+
			"until it holds a quarter. Only with a receive_rate.",
		func(n *nic, i int) { n.Host.Intake.Pauses = i == 1 }),
}
