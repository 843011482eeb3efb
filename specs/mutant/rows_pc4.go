package mutant

// rowsOfPC4 are the faults of the rows in specs/papers/pc4.
var rowsOfPC4 = []Row{
	{
		Row:   "F6a",
		Fault: "the base rate is ignored",
		Set:   map[string]string{"algorithms.subject.params.base_rate": "false"},
	},
	{
		Row:       "F6a",
		Criterion: "RTT",
		Fault:     "the target is 10 us",
		Set:       map[string]string{"algorithms.subject.params.target_qtime": "10us"},
	},
	{
		Row:       "F6a",
		Criterion: "RTT varies",
		Fault:     "the target grows with the number of flows beyond what chance asks for",
		Set:       map[string]string{"algorithms.subject.params.tq_noise": "40"},
	},
	{
		Row:       "F6a",
		Criterion: "DCQCN's RTT",
		Fault:     "the port marks from 5 KB on",
		Set:       map[string]string{"switches": "{s0: {ecn: {kmin: 5KB, kmax: 20KB, pmax: 1}}}"},
	},
	{
		Row:       "F6a",
		Criterion: "DCQCN's slowdown",
		Fault:     "PC4's target is no queue at all",
		Set:       map[string]string{"algorithms.subject.params.target_qtime": "0us"},
	},
	{
		Row:       "F6b",
		Criterion: "half",
		Fault:     "the base rate is taken once",
		Set:       map[string]string{"algorithms.subject.params.reload_threshold": "1"},
	},
	{
		Row:       "F6b",
		Criterion: "recovery",
		Fault:     "the controller does not notice that a flow has left",
		Edits:     unnoticedEnd,
	},
	{
		Row:       "F6b",
		Criterion: "DCQCN",
		Fault:     "DCQCN's rate rises by 5 Gb/s at once",
		Set:       map[string]string{"variants.dcqcn.algorithm": "{name: dcqcn, params: {rpg_ai_rate: 5Gbps}}"},
	},
	{
		Row:       "F7",
		Criterion: "adjusting",
		Fault:     everyACK,
		Set:       adjustedByEveryACK,
	},
	{
		Row:       "F7",
		Criterion: "makespan",
		Fault:     "the target is no queue at all, and each decrease takes up to nine tenths",
		Set: map[string]string{
			"variants.a-5us.algorithm": "{name: subject, params: {target_qtime: 0us, beta: 10, max_mdf: 0.9}}",
		},
	},
	{
		Row:       "F7",
		Criterion: "finish",
		Fault:     "a host's link goes down and stays so",
		Set:       map[string]string{"faults": "[{link: h0-s0, down: 1ms}]", "run.limit": "20ms"},
	},
	{
		Row:       "F8",
		Criterion: "follows",
		Fault:     "the target is 10 us, whatever is set",
		Edits:     fixedTarget,
	},
	{
		Row:       "F8",
		Criterion: "no queue",
		Fault:     "the target is 10 us, whatever is set",
		Edits:     fixedTarget,
	},
	{
		Row:       "F8",
		Criterion: "no target",
		Fault:     "the target is 10 us, whatever is set",
		Edits:     fixedTarget,
	},
	{
		Row:       "F8",
		Criterion: "rising",
		Fault:     "the larger the target that is set, the smaller it is",
		Edits: []Source{{File: "plugins/pc4/sender.go", Old: "if s.fixedTarget {\n\t\treturn s.target",
			New: "if s.fixedTarget {\n\t\treturn 80e6 - s.target"}},
	},
	{
		Row:       "T2",
		Criterion: "slowdown",
		Fault:     "a window is at least one packet",
		Set:       map[string]string{"algorithms.subject.params.min_cwnd": "1"},
	},
	{
		Row:       "T2",
		Criterion: "queue",
		Fault:     "the target is 100 us",
		Set:       map[string]string{"algorithms.subject.params.target_qtime": "100us"},
	},
	{
		Row:       "T2",
		Criterion: "drops",
		Fault:     "the buffer has room for 1 MB, and nothing pauses",
		Set: map[string]string{
			"switch.buffer":      "1MB",
			"switch.pfc.enabled": "false",
			"nic.pfc":            "false",
			"run.limit":          "200ms",
		},
	},
	{
		Row:       "T2",
		Criterion: "burst",
		Fault:     "the base rate is ignored where flows begin with twelve packets",
		Set: map[string]string{
			"variants.12pkt.algorithm": "{name: subject, params: {first_rtt: 12pkt, base_rate: false}}",
		},
	},
	{
		Row:       "T2",
		Criterion: "rate",
		Fault:     "the target is 300 ns, however many flows there are",
		Set:       map[string]string{"algorithms.subject.params.target_qtime": "300ns"},
	},
	{
		Row:       "T2",
		Criterion: "slowdown",
		Fault:     "the target is 300 ns, however many flows there are",
		Set:       map[string]string{"algorithms.subject.params.target_qtime": "300ns"},
	},
	{
		Row:       "T2",
		Criterion: "gentle start",
		Fault:     "the first window is one BDP where one packet is asked for",
		Set:       map[string]string{"variants.1pkt.algorithm.params.first_rtt": "line"},
	},
	{
		Row:       "F9",
		Criterion: "harmful",
		Fault:     "the noise is not applied",
		Set:       map[string]string{"nics": `{"h*": {clock: {noise: 0ns}}}`},
	},
	{
		Row:       "F9",
		Criterion: "harmless",
		Fault:     "the noise is five times as large",
		Edits: []Source{{
			File: "nicd/internal/clock/clock.go",
			Old:  "noise: model.Noise,",
			New:  "noise: 5 * model.Noise,",
		}},
	},
	{
		Row:       "F10",
		Criterion: "busy",
		Fault:     "the controller does not notice that a flow has left",
		Edits:     unnoticedEnd,
	},
	{
		Row:       "F10",
		Criterion: "first ms",
		Fault:     "the controller does not notice that a flow has left",
		Edits:     unnoticedEnd,
	},
	{
		Row:       "F10",
		Criterion: "Jain",
		Fault:     "the base rate is ignored where all have one receiver",
		Set:       map[string]string{"variants.A.algorithm": "{name: subject, params: {base_rate: false}}"},
	},
	{
		Row:       "F10",
		Criterion: "DCQCN",
		Fault:     "what is called DCQCN is PC4 with return to base",
		Set:       map[string]string{"variants.dcqcn.algorithm": "{name: pc4, params: {set: return-to-base}}"},
	},
	{
		Row:   "F11",
		Fault: "packets have the baseline of the short path, whatever theirs",
		Edits: []Source{{File: "nicd/sender.go", Old: "baseline: template.baseline,", New: "baseline: 2176,"}},
	},
	{
		Row:       "F12",
		Criterion: "rate",
		Fault:     "one-way delay is half of the RTT's excess",
		Edits: []Source{{File: "plugins/pc4/sender.go", Old: "s.setRate(s.adjustedRate(event.OneWayDelay))",
			New: "s.setRate(s.adjustedRate((event.RTT - s.baseRTT) / 2))"}},
	},
	{
		Row:       "F12",
		Criterion: "delay",
		Fault:     "one-way delay is half of the RTT's excess",
		Edits: []Source{{File: "plugins/pc4/sender.go", Old: "s.setRate(s.adjustedRate(event.OneWayDelay))",
			New: "s.setRate(s.adjustedRate((event.RTT - s.baseRTT) / 2))"}},
	},
	{
		Row:       "F12",
		Criterion: "Swift and TIMELY",
		Fault:     "ACKs do not wait behind data",
		Set:       map[string]string{"nic.ack_class": "control"},
	},
	{
		Row:       "F12",
		Criterion: "merged ACKs",
		Fault:     "an ACK for a thousand packets, flushed after a millisecond",
		Set:       map[string]string{"variants.merged.nics": `{"h[01]": {ack_every: 1000}, h4: {ack_flush: 1ms}}`},
	},
	{
		Row:       "F13",
		Criterion: "finish",
		Fault:     "the retransmission timer never expires",
		Set:       map[string]string{"nic.rto.floor": "5s", "nic.rto.initial": "5s", "run.limit": "10ms"},
	},
	{
		Row:       "F13",
		Criterion: "cut",
		Fault:     "a timeout leaves max_mdf, and not the rest",
		Set:       map[string]string{"algorithms.subject.params.timeout_factor": "mdf"},
	},
	{
		Row:       "F13",
		Criterion: "base rate",
		Fault:     "the base rate is kept through a timeout",
		Edits:     keptBaseRate,
	},
	{
		Row:       "F13",
		Criterion: "back",
		Fault:     "the base rate is kept through a timeout",
		Edits:     keptBaseRate,
	},
	{
		Row:       "F13",
		Criterion: "losses",
		Fault:     "another link loses a frame in a hundred",
		Set: map[string]string{
			"variants.outage.faults": "[{link: h8-s0, down: 300us, up: 1300us}, {link: h0-s0, loss: 0.01}]",
		},
	},
	{
		Row:       "F13b",
		Criterion: "finish",
		Fault:     "the link stays down",
		Set:       map[string]string{"faults": `[{link: "leaf0:16-spine0:0", down: 500us}]`, "run.limit": "10ms"},
	},
	{
		Row:       "F13b",
		Criterion: "losses",
		Fault:     "another link loses a frame in a hundred",
		Set: map[string]string{
			"faults": `[{link: "leaf0:16-spine0:0", down: 500us, up: 1500us}, {link: h0-leaf0, loss: 0.01}]`,
		},
	},
	{
		Row:       "F14",
		Criterion: "hosts' links",
		Fault:     "spraying takes one uplink for a flow",
		Set:       map[string]string{"variants.spray.switch.forwarding": "ecmp"},
	},
	{
		Row:       "F14",
		Criterion: "order",
		Fault:     "the receiver of sprayed packets keeps none that is out of order",
		Set:       map[string]string{"variants.spray.nic.receiver": "gbn"},
	},
	{
		Row:       "F9",
		Criterion: "robust",
		Fault:     "the robust reading is the literal one",
		Set:       map[string]string{"variants.robust.algorithm": "{name: subject, params: {zero_reading: literal}}"},
	},
	{
		Row:       "F9",
		Criterion: "both clocks",
		Fault:     "noise of both clocks is noise of one",
		Set:       map[string]string{"variants.literal-both.nic.clock.noise_at": "receiver"},
	},
	{
		Row:   "N1",
		Fault: "clocks agree to 10 us",
		Set:   map[string]string{"nic.clock.offset": "10us", "run.limit": "200ms"},
	},
}

// everyACK is the fault that adjustedByEveryACK makes.
const everyACK = "every ACK adjusts, also of packets that left before the last change, and takes up to nine tenths"

var adjustedByEveryACK = map[string]string{
	"algorithms.subject.params.feedback":        "any",
	"algorithms.subject.params.adjust_interval": "0",
	"algorithms.subject.params.beta":            "10",
	"algorithms.subject.params.max_mdf":         "0.9",
}

var (
	unnoticedEnd = []Source{{File: "nicd/group.go", Old: "member.withdrawn = true\n\t\tc.announced--",
		New: "member.withdrawn = true"}}
	fixedTarget = []Source{{File: "plugins/pc4/sender.go", Old: "if s.fixedTarget {\n\t\treturn s.target",
		New: "if s.fixedTarget {\n\t\treturn 10e6"}}
	keptBaseRate = []Source{{File: "plugins/pc4/sender.go", Old: "float64(s.minCwnd*s.mtu))\n\ts.baseRecorded = 0",
		New: "float64(s.minCwnd*s.mtu))"}}
)
