package scenario

import (
	"slices"

	"github.com/rocelab/rocelab/emulator/document"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// nic is the profile of a NIC, and whether its classes are its own.
type nic struct {
	profile.NIC
	ownClasses bool
}

var nicKeys = &object[nic]{
	what: "nic",
	doc:  "Settings of a NIC.",
	fields: slices.Concat([]field[nic]{
		choiceField("profile", "", profile.AdapterNames(),
			"A NIC model, whose loss recovery sets the defaults of the other keys; docs/silicon.md lists them. "+
				"Keys in the scenario override it, in any order.",
			func(n *nic, i int) { n.Adapter = profile.AdapterNames()[i] }),
		integerField("data_dscp", "26", 0, profile.MaxDSCP, "Code point of data.",
			func(n *nic) *uint8 { return &n.DataDSCP }),
		integerField("cnp_dscp", "48", 0, profile.MaxDSCP, "Code point of CNPs, and of ACKs in their class.",
			func(n *nic) *uint8 { return &n.CNPDSCP }),
		choiceField("ack_class", "control", []string{"control", "data"},
			"Class of ACKs: that of CNPs, or that of data, so that they queue with data and stop with its pauses.",
			func(n *nic, i int) { n.AckWithData = i == 1 }),
		integerField("ack_every", "1", 1, 1024,
			"Packets per ACK. The last packet of a message is acknowledged at once, and so is the last packet "+
				"that the sender's window allows.",
			func(n *nic) *int { return &n.AckEvery }),
		durationField("ack_flush", "0s", "0s", "1s",
			"Time after which a receiver acknowledges, without being asked, the packets that ack_every holds back. "+
				"0s for never.",
			func(n *nic) *unit.Duration { return &n.AckFlush }),
		choiceField("receiver", "gbn", []string{"gbn", "ooo", "selective"},
			"Treatment of packets ahead of the expected PSN: gbn discards them, so that the sender goes back N; "+
				"ooo keeps up to 256 of them, with a NAK for the first missing one; selective keeps and reports "+
				"them in ACKs, so that the sender only repeats lost packets.",
			func(n *nic, i int) { n.OutOfOrder, n.Selective = i == 1, i == 2 }),
		integerField("window", "0", 0, profile.MostWindow,
			"Packets that a QP may leave unacknowledged with receiver selective, and that its receiver tracks: a "+
				"power of 2, at least 64. 0 takes twice the packets that the flow's path carries in its base RTT "+
				"and reorder_time, rounded up.",
			func(n *nic) *int { return &n.Window }),
		durationField("reorder_time", "10us", "0s", "1s",
			"Age of a gap that makes an ooo receiver report it; with selective, a missing packet counts as lost if "+
				"a packet that started more than this later has arrived.",
			func(n *nic) *unit.Duration { return &n.ReorderTime }),
		integerField("reorder_depth", "64", 1, 255,
			"Depth of a gap, in packets, that makes an ooo receiver report it.",
			func(n *nic) *int { return &n.ReorderDepth }),
		choiceField("nak", "gap", profile.NAKNames,
			"When a gbn receiver reports a gap again: never, so that a lost repair waits for the sender's timeout "+
				"(InfiniBand's rule), once for each round of sending, or once each nak_interval.",
			func(n *nic, i int) { n.NAK = profile.NAKRule(i) }),
		durationField("nak_interval", "500us", "0s", "10s",
			"Least time between two NAKs for one expected PSN. Only with nak interval.",
			func(n *nic) *unit.Duration { return &n.NAKInterval }),
		objectField("rto", "The retransmission timeout.", rtoKeys, func(n *nic) *profile.NIC { return &n.NIC }),
		switchField("gap_cnp", "false",
			"Sends a CNP along with the NAK of a gap, to a sender whose algorithm reacts to CNPs.",
			func(n *nic) *bool { return &n.GapCNP }),
		sizeField("send_window", "0B", "0B", "100GB",
			"Payload that a QP may leave unacknowledged, even if its algorithm allows more. 0B for no bound.",
			func(n *nic) *unit.Bytes { return &n.SendWindow }),
		durationField("flow_idle", "0s", "0s", "100s",
			"Silence of a flow after which a receiver that counts flows itself no longer counts it. 0s takes "+
				"eight RTO floors.",
			func(n *nic) *unit.Duration { return &n.FlowIdle }),
		durationField("decision_delay", "0s", "0s", "1s",
			"Model time between an event and the moment its decision takes effect.",
			func(n *nic) *unit.Duration { return &n.DecisionDelay }),
		switchField("repace", "true",
			"Recomputes the gap before a flow's next packet when its rate changes; false keeps the gap that has "+
				"begun.",
			func(n *nic) *bool { return &n.Repace }),
		choiceField("qp_order", "due", []string{"due", "number"},
			"Which of the QPs that are due sends next: the one that has been due longest, or the next by number "+
				"after the last one, as in the public RDMA simulator. Either way each of them gets one turn per "+
				"round.",
			func(n *nic, i int) { n.QPsByNumber = i == 1 }),
		switchField("pfc", "true", "Honours pauses.", func(n *nic) *bool { return &n.PFC }),
		responseField(func(n *nic) *unit.Duration { return &n.PauseResponse }),
		tableField("dscp", "", "Mapping of DSCP to the class that a pause names; without it that of the switch at "+
			"the port.",
			profile.MaxDSCP, 0, 7,
			func(n *nic, k, v int) { n.ClassOf[k], n.ownClasses = uint8(v), true }),
		objectField("clock", "Errors of the NIC's clock.", clockKeys,
			func(n *nic) *profile.Clock { return &n.Clock }),
	}, hostFields),
	check: checkNIC,
}

// startOfNIC is the profile that settings begin with: that of the adapter which the last of them names, else
// the default.
func startOfNIC(settings ...*node) nic {
	start := nic{NIC: profile.DefaultNIC()}
	for i := len(settings) - 1; i >= 0; i-- {
		if n := settings[i].Child("profile"); n != nil && n.Kind == document.Scalar {
			if adapter := profile.AdapterNamed(n.Text); adapter != nil {
				adapter.Give(&start.NIC)
				return start
			}
		}
	}
	return start
}

// checkNIC refuses keys that have no meaning beside others.
func checkNIC(r *reader, n *node, settings *nic) {
	checkReceiver(r, n, settings)
	if n.Child("nak_interval") != nil && settings.NAK != profile.NAKEachInterval {
		r.add(n.Where("nak_interval"),
			"nak_interval has no meaning with nak %s: write nak: interval beside it, or leave it out",
			profile.NAKNames[settings.NAK])
	}
	for _, key := range []string{"receive_buffer", "receive_full"} {
		if n.Child(key) != nil && settings.Host.Intake.Rate == 0 {
			r.add(n.Where(key), "%s has no meaning without a rate of the host: write receive_rate beside it, or leave it out; "+
				"for a fault slow-host a rate far above the link's does, such as 10Tbps", key)
		}
	}
	if n.Child("idle_time") != nil && settings.Host.Restart.Rule == profile.RestartKeep {
		r.add(n.Where("idle_time"),
			"idle_time has no meaning with idle_restart keep: write line or slow there, or leave it out")
	}
}

var clockKeys = &object[profile.Clock]{
	what: "clock",
	doc:  "Every timestamp that a NIC takes passes through this.",
	fields: []field[profile.Clock]{
		durationField("offset", "0s", "0s", "1s",
			"Bound of the offset from true time; each NIC draws one from U(-offset, offset).",
			func(c *profile.Clock) *unit.Duration { return &c.Offset }),
		numberField("drift_ppm", "0", 0, 10000, false, "Bound of the drift in parts per million, drawn likewise.",
			func(c *profile.Clock) *float64 { return &c.DriftPPM }),
		durationField("resync", "0s", "0s", "1000s",
			"Period after which the clock is reset to its offset. 0s for never.",
			func(c *profile.Clock) *unit.Duration { return &c.Resync }),
		durationField("noise", "0s", "0s", "1s",
			"Added to each reading: uniform in (-noise, noise), or Gaussian with that standard deviation.",
			func(c *profile.Clock) *unit.Duration { return &c.Noise }),
		choiceField("distribution", "uniform", []string{"uniform", "gaussian"}, "Shape of the noise.",
			func(c *profile.Clock, i int) { c.Gaussian = i == 1 }),
		choiceField("noise_at", "receiver", []string{"receiver", "both"},
			"Which readings are noisy: only the receiver's, or also the sender's.",
			func(c *profile.Clock, i int) { c.BothEnds = i == 1 }),
	},
}

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
