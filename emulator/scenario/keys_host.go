package scenario

import (
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// hostFields are the settings of a NIC towards its host: when messages come and how fast data go.
var hostFields = []field[nic]{
	choiceField("idle_restart", "keep", profile.RestartNames,
		"Limit of a QP that begins to send again after an idle time: keep, the one of its algorithm; line, line "+
			"rate without a window, until the algorithm allows less than it did last; slow, the one of its algorithm "+
			"and at most 10 unacknowledged packets, and one more for each acknowledged one, until the base RTT is "+
			"full. A QP is idle while its messages wait for others and all of its packets are acknowledged.",
		func(n *nic, i int) { n.Host.Restart.Rule = profile.RestartRule(i) }),
	durationField("idle_time", "0s", "0s", "100s",
		"Idle time of a QP after which idle_restart applies. 0s takes the retransmission timeout in force.",
		func(n *nic) *unit.Duration { return &n.Host.Restart.Idle }),
	durationField("message_latency", "0s", "0s", "1s",
		"Time from the moment a message may be sent until its first packet may leave. For several messages of a "+
			"QP these times run in parallel.",
		func(n *nic) *unit.Duration { return &n.Host.MessageLatency }),
	durationField("message_cost", "0s", "0s", "1s",
		"Time that a QP takes for each message before its first packet, one message after another: it bounds the "+
			"rate of small messages.",
		func(n *nic) *unit.Duration { return &n.Host.MessageCost }),
	rateField("receive_rate", "0bps", "0bps", maxRate,
		"Rate of the host that takes the arriving payload; packets that arrive faster wait in receive_buffer. 0bps "+
			"for no bound.",
		func(n *nic) *unit.BitRate { return &n.Host.Intake.Rate }),
	sizeField("receive_buffer", "262144B", "10KB", "1GB",
		"Bytes of frames that may wait for the host; frames that do not fit are dropped. Only with a receive_rate.",
		func(n *nic) *unit.Bytes { return &n.Host.Intake.Buffer }),
	choiceField("receive_full", "drop", []string{"drop", "pause"},
		"Action before the buffer is full: none, or the NIC pauses the class of arriving frames once half of the "+
			"buffer is full, until it holds a quarter. Only with a receive_rate.",
		func(n *nic, i int) { n.Host.Intake.Pauses = i == 1 }),
}
