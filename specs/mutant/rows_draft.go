package mutant

// droppedNotifications has switches take notifications, and do nothing about them.
var droppedNotifications = []Source{{
	File: "switchd/reaction.go",
	Old:  "x.rec.Received[message.Type]++\n	switch message.Type {",
	New:  "x.rec.Received[message.Type]++\n	switch message.Type + 128 {",
}}

// bytesForBits has the crossing of a bound take eight times as long.
var bytesForBits = []Source{{
	File: "emulator/plan/boundedjob.go",
	Old:  "p.sendTime(f.Message, p.NICRate(f.Src))",
	New:  "8*p.sendTime(f.Message, p.NICRate(f.Src))",
}}

// notHeld has the device next to a sender foresee congestion, and do nothing about it.
var notHeld = []Source{{
	File: "switchd/inspect.go",
	Old:  "if wanted >= 1 {",
	New:  "if wanted >= 0 {",
}}

// halfShare has it take a learned flow to half its share. Nothing raises it again.
var halfShare = []Source{{
	File: "switchd/proximal/learning.go",
	Old:  "holdTo    = 0.97",
	New:  "holdTo    = 0.5",
}}

// theDead has a congested device name all flows that it ever held, of which the device next to the sender forgets none
// and meters none.
var theDead = []Source{
	{
		File: "switchd/proximal/learning.go",
		Old:  "return now.Sub(e.last) > max(3*e.period, settings.Age)",
		New:  "return false",
	},
	{
		File: "switchd/proximal/census.go",
		Old:  "(s.Bytes > 0 || c.crowd.sees(s.window)) && pick(s)",
		New:  "s.Flow != (Flow{}) && pick(s)",
	},
	{
		File: "switchd/congestion.go",
		Old:  "return f.Bytes > 0 && (loud",
		New:  "return f.Bytes >= 0 && (loud",
	},
	{
		File: "switchd/proximal/degree.go",
		Old:  "rate, known := e.Meter.Rate(now)",
		New:  "rate, known := reading.Rate, now >= 0",
	},
}

// rowsOfDraft are the faults of the rows in specs/papers/draft.
var rowsOfDraft = []Row{
	{
		Row:       "R1",
		Criterion: "claim",
		Fault:     "notifications are dropped",
		Edits:     droppedNotifications,
	},
	{
		Row:       "R1",
		Criterion: "not void",
		Fault:     "end-to-end ECN has memory for all that comes",
		Set:       map[string]string{"variants.ecn-ecmp.switch.dci.buffer": "200MB"},
	},
	{
		Row:       "R1",
		Criterion: "bound",
		Fault:     "the bound takes bytes for bits",
		Edits:     bytesForBits,
	},
	{
		Row:       "R2",
		Criterion: "near spine",
		Fault:     "a switch learns a sender's QP a round trip late",
		Set:       map[string]string{"variants.proximal.switch.proximal.qps": "answers"},
	},
	{
		Row:       "R2",
		Criterion: "far leaf",
		Fault:     "devices are told where it is not nearer, too",
		Set:       map[string]string{"variants.proximal.switch.proximal.notify": "always"},
	},
	{
		Row:       "R2",
		Criterion: "fibre",
		Fault:     "the data centres are 12 km apart",
		Set:       map[string]string{"topology.dci_wan.length": "12km"},
	},
	{
		Row:       "R3",
		Criterion: "no more",
		Fault:     "notifications are dropped",
		Edits:     droppedNotifications,
	},
	{
		Row:       "R3",
		Criterion: "not void",
		Fault:     "the DCI is not oversubscribed",
		Set:       map[string]string{"topology.dci_rate": "400Gbps"},
	},
	{
		Row:       "R4",
		Criterion: "notifications, one job",
		Fault:     "nothing is learned",
		Set:       map[string]string{"variants.learned.switch.proximal.learning.enabled": "false"},
	},
	{
		Row:       "R4",
		Criterion: "queue, two jobs",
		Fault:     "a learned flow is not held to its share",
		Edits:     notHeld,
	},
	{
		Row:       "R4",
		Criterion: "throughput, one job",
		Fault:     "a learned flow is held to half its share",
		Edits:     halfShare,
	},
	{
		Row:       "R4",
		Criterion: "lossless, one job",
		Fault:     "notifications are dropped",
		Edits:     droppedNotifications,
	},
	{
		Row:       "R5",
		Criterion: "forgotten",
		Fault:     "nothing ages",
		Edits: []Source{{
			File: "switchd/proximal/learning.go",
			Old:  "return now.Sub(e.last) > max(3*e.period, settings.Age)",
			New:  "return false",
		}},
	},
	{
		Row:       "R5",
		Criterion: "dead flows",
		Fault:     "messages name flows that have ended, and their rates are not looked at",
		Edits:     theDead,
	},
	{
		Row:       "R5",
		Criterion: "not void",
		Fault:     "nothing is learned",
		Set:       map[string]string{"switch.proximal.learning.enabled": "false"},
	},
	{
		Row:       "R6",
		Criterion: "claim",
		Fault:     "notifications are dropped",
		Edits:     droppedNotifications,
	},
	{
		Row:       "R6",
		Criterion: "not void",
		Fault:     "end-to-end ECN has balanced paths",
		Set:       map[string]string{"variants.ecn-ecmp.traffic.paths": "balanced"},
	},
	{
		Row:       "R6",
		Criterion: "bound",
		Fault:     "the bound takes bytes for bits",
		Edits:     bytesForBits,
	},
	{
		Row:       "R7",
		Criterion: "lossless, 1024 NICs",
		Fault:     "the fibre loses a frame in ten thousand",
		Set: map[string]string{
			"topology": `{kind: two-dc, scale: "1/64", uplink_rate: 200Gbps, dci_links: 1, dci_rate: 200Gbps, ` +
				`dci_wan: {length: 120km, loss: 0.0001}}`,
		},
	},
	{
		Row:       "R8",
		Criterion: "periodic, one job",
		Fault:     "the fibre is not oversubscribed",
		Set: map[string]string{
			"topology": `{kind: two-dc, scale: "1/64", uplink_rate: 200Gbps, dci_links: 1, dci_rate: 200Gbps}`,
		},
	},
}
