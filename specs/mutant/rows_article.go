package mutant

// rowsOfArticle are the faults of the rows in specs/papers/article.
var rowsOfArticle = []Row{
	// No fault is listed for A2: its only criterion is missed, and no change is known that would meet it.
	{
		Row:       "A1",
		Criterion: "near-theoretical",
		Fault:     "no CNP waits",
		Set:       map[string]string{"variants.50us.algorithm.params.cnp_jitter": "0us"},
	},
	{
		Row:       "A1",
		Criterion: "two flows",
		Fault:     "no CNP waits",
		Set:       map[string]string{"variants.50us.algorithm.params.cnp_jitter": "0us"},
	},
	{
		Row:       "A3",
		Criterion: "unequal",
		Fault:     "a step is taken each 10 us in place of each RTT",
		Edits: []Source{
			{
				File: "plugins/dcqcn/recovery.go",
				Old:  "r.incAt = r.jittered(now, now.Add(r.rtt))",
				New:  "r.incAt = r.jittered(now, now.Add(referenceRTT))",
			},
			{
				File: "plugins/dcqcn/recovery.go",
				Old:  "r.incAt = r.incAt.Add(r.rtt)",
				New:  "r.incAt = r.incAt.Add(referenceRTT)",
			},
		},
	},
	{
		Row:       "A4",
		Criterion: "equal",
		Fault:     "RIR's step of 1 Gb/s is taken each RTT",
		Set: map[string]string{
			"variants.rir.algorithm.params.recovery":  "rtt",
			"variants.rir.algorithm.params.rtt_share": "1",
		},
	},
	{
		Row:       "A4",
		Criterion: "RTT in CNP",
		Fault:     "CNPs bring no RTT back",
		Set:       map[string]string{"variants.rtt-in-cnp.algorithm.params.rtt_in_cnp": "false"},
	},
	// Thresholds that are read as bits turn nothing red: pauses are no fewer with a larger Kmin then either.
	{
		Row:       "A5",
		Criterion: "pauses",
		Fault:     "a queue that is shorter than Kmin is marked in place of a longer one",
		Edits: []Source{{
			File: "switchd/wred.go",
			Old:  "case q <= m.kmin:\n\t\treturn 0\n\tcase q > m.kmax:\n\t\treturn 1",
			New:  "case q > m.kmin:\n\t\treturn 0\n\tcase q <= m.kmax:\n\t\treturn 1",
		}},
	},
	{
		Row:       "A6",
		Criterion: "run",
		Fault:     "the formula forgets what leaves the queue meanwhile",
		Edits: []Source{{
			File: "testbed/many/tune/ecn.go",
			Old:  "return (in - out).SerialTime(kmax - kmin)",
			New:  "return in.SerialTime(kmax - kmin)",
		}},
	},
	{
		Row:       "A7",
		Criterion: "equal",
		Fault:     "recovery per RTT is left on",
		Set:       map[string]string{"variants.timer.algorithm.params": "{recovery: rtt}"},
	},
	{
		Row:       "A8",
		Criterion: "no CNP",
		Fault:     "a CNP answers each packet, marked or not",
		Edits: []Source{{
			File: "nicd/receiver.go",
			Old:  "if frame.ECN() == wire.CE {\n\t\tflow.record.Marked++\n",
			New:  "if frame.ECN() == wire.CE {\n\t\tflow.record.Marked++\n\t}\n\t{\n",
		}},
	},
	{
		Row:       "A8",
		Criterion: "ECN",
		Fault:     "nothing is marked",
		Set:       map[string]string{"switch.ecn.enabled": "false"},
	},
	{
		Row:       "A8",
		Criterion: "PFC",
		Fault:     "nothing pauses",
		Set:       map[string]string{"switch.pfc.enabled": "false", "nic.pfc": "false"},
	},
	{
		Row:       "A8",
		Criterion: "another class",
		Fault:     "the other code point is of the same class",
		Set:       map[string]string{"switch.classes.dscp": "{8: 3}", "nic.dscp": "{8: 3}"},
	},
	{
		Row:       "A9",
		Criterion: "first burst",
		Fault:     "nothing is marked",
		Set:       map[string]string{"switch.ecn.enabled": "false"},
	},
	{
		Row:       "A10",
		Criterion: "rising",
		Fault:     "Kmin is fixed at 400 KB",
		Set:       map[string]string{"switches": "{s0: {ecn: {kmin: 400KB, kmax: 1200KB}}}"},
	},
	{
		Row:       "A11",
		Criterion: "swing",
		Fault:     "the gain is 1/16, whatever is set",
		Edits: []Source{{
			File: "plugins/dcqcn/fraction.go",
			Old:  "r.alpha = float64((1-r.g)*r.alpha) + float64(r.g*fraction)",
			New:  "r.alpha = float64(15.0/16*r.alpha) + float64(fraction/16)",
		}},
	},
	{
		Row:       "A12",
		Criterion: "bystander",
		Fault:     "nothing is marked",
		Set:       map[string]string{"switch.ecn.enabled": "false"},
	},
	{
		Row:       "A12",
		Criterion: "lossless",
		Fault:     "the buffer has room for 1 MB, and nothing pauses",
		Set:       map[string]string{"switch.buffer": "1MB", "switch.pfc.enabled": "false", "nic.pfc": "false"},
	},
}
