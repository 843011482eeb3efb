package mutant

// rowsOfHardware are the faults of the records in specs/hardware: rocelab reproduce --hardware --mutants.
var rowsOfHardware = []Row{
	{
		Row:       "R10",
		Criterion: "400 Gb/s and 300 m",
		Fault:     "a peer responds within 3840 B at every rate",
		Set:       map[string]string{"switch.peer_response": "3840B"},
	},
	{
		Row:       "R01",
		Criterion: "q1 average",
		Fault:     "alpha is twice as large",
		Set:       map[string]string{"switch.alpha": "2"},
	},
	{
		Row:       "R01",
		Criterion: "q1 average",
		Fault:     "alpha is half as large",
		Set:       map[string]string{"switch.alpha": "0.5"},
	},
	// A pool for which the lossy queues are as long as with alpha 1: the longest wait gives alpha away.
	{
		Row:       "R02",
		Criterion: "q3 largest",
		Fault:     "alpha is twice as large, and the pool is fitted to it",
		Set:       map[string]string{"switch.alpha": "2", "switch.buffer": "56.25MB"},
	},
	{
		Row:       "R02",
		Criterion: "q3 largest",
		Fault:     "alpha is half as large, and the pool is fitted to it",
		Set:       map[string]string{"switch.alpha": "0.5", "switch.buffer": "75MB"},
	},
	{
		Row:       "R01",
		Criterion: "q3 rate",
		Fault:     "a turn of DWRR is one packet, whatever the weight",
		Edits: []Source{{
			File: "switchd/egress.go",
			Old:  "g.queues[qi&7].deficit -= length",
			New:  "g.queues[qi&7].deficit = 0 * length",
		}},
	},
	{
		Row:       "R01",
		Criterion: "lossless frames lost",
		Fault:     "nothing pauses",
		Set:       map[string]string{"switch.pfc.enabled": "false", "nic.pfc": "false"},
	},
	{
		Row:       "R03",
		Criterion: "priority 4",
		Fault:     "XON follows 3 KB below the threshold",
		Set:       map[string]string{"switch.resume_offset": "3KB"},
	},
	{
		Row:       "R07",
		Criterion: "cost of packets of 1024 B",
		Fault:     "a packet takes 48 B beside its payload on the wire",
		Set:       map[string]string{"accounting": "bare48"},
	},
	{
		Row:       "R09",
		Criterion: "repeats within 40 ms",
		Fault:     "timeouts are the same each time",
		Set:       map[string]string{"nic.rto": "{mode: fixed, ack_timeout: 14}"},
	},
	{
		Row:       "R08",
		Criterion: "4 KiB",
		Fault:     "a message costs nothing",
		Set:       map[string]string{"nic.message_latency": "0s", "nic.message_cost": "0s"},
	},
	{
		Row:       "R21",
		Criterion: "rx_discards_phy of 8 KiB",
		Fault:     "the host takes what the line brings",
		Set:       map[string]string{"nic.receive_rate": "100Gbps"},
	},
	{
		Row:       "R13",
		Criterion: "leaving, first packets marked",
		Fault:     "what comes is marked in place of what leaves",
		Set:       map[string]string{"variants.dequeue.switch.ecn.point": "enqueue"},
	},
	{
		Row:       "R15",
		Criterion: "packets an ACK, first flow",
		Fault:     "what is held back is acknowledged after one round trip of the empty way",
		Set:       map[string]string{"nic.ack_flush": "571ns"},
	},
}
