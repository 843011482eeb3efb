package mutant

// rowsOfPC4Claims are the faults of those rows in specs/papers/pc4 that are of a sentence without a figure.
var rowsOfPC4Claims = []Row{
	{
		Row:       "C1",
		Criterion: "consistent",
		Fault:     "the target is 10 us, whatever is set",
		Edits:     fixedTarget,
		Mends:     true,
	},
	{
		Row:       "C2",
		Criterion: "bulk rate",
		Fault:     "in one queue the target of the flows that are to have the port is no queue at all",
		Set: map[string]string{
			"variants.one-queue.algorithms": "{bulk: {name: pc4, params: {target_qtime: 0us}}}",
		},
	},
	{
		Row:       "C3",
		Criterion: "stable after a join",
		Fault:     "the base rate alone sets rates",
		Set:       map[string]string{"algorithms.subject.params.adjust": "false"},
		Mends:     true,
	},
	{
		Row:       "C3",
		Criterion: "stable after a leave",
		Fault:     "the controller announces an end within 2 us",
		Set:       map[string]string{"controller.latency": "2us"},
		Mends:     true,
	},
	{
		Row:       "C4",
		Criterion: "mean FCT",
		Fault:     marksFrom5KB,
		Set:       markedFrom5KB,
		Mends:     true,
	},
	{
		Row:       "C5",
		Criterion: "low utilisation",
		Fault:     "what is called each ACK adjusts once in an interval",
		Set:       onceInAnInterval,
	},
	{
		Row:       "C5",
		Criterion: "overreaction",
		Fault:     "what is called each ACK adjusts once in an interval",
		Set:       onceInAnInterval,
	},
	{
		Row:       "C6",
		Criterion: "bottleneck, 0.01 %",
		Fault:     noQueueSteep,
		Set:       targetNoQueueSteep,
	},
	{
		Row:       "C6",
		Criterion: "bottleneck, 0.1 %",
		Fault:     noQueueSteep,
		Set:       targetNoQueueSteep,
	},
	{
		Row:       "C7",
		Criterion: "efficiency",
		Fault:     noQueueSteep,
		Set:       targetNoQueueSteep,
	},
	{
		Row:       "C8",
		Criterion: "16 flows",
		Fault:     "the buffer has room for 500 KB",
		Set:       map[string]string{"switch.buffer": "500KB"},
	},
	{
		Row:       "C8",
		Criterion: "no probes",
		Fault:     "what is called PC4 is DCQCN, at a switch that marks",
		Set:       map[string]string{"switch.ecn.enabled": "true", "variants.pc4.algorithm": "dcqcn"},
	},
}

// marksFrom5KB is what markedFrom5KB does, which only DCQCN heeds.
const marksFrom5KB = "the switch marks from 5 KB on"

var markedFrom5KB = map[string]string{"switch.ecn": "{kmin: 5KB, kmax: 20KB, pmax: 1}"}

// onceInAnInterval has the variant of row C5 that adjusts on every ACK be as the other.
var onceInAnInterval = map[string]string{"variants.each-ack.algorithm": "subject"}

// targetNoQueueSteep has PC4 fall far at the least wait.
var targetNoQueueSteep = map[string]string{
	"algorithms.subject.params.target_qtime": "0us",
	"algorithms.subject.params.beta":         "10",
	"algorithms.subject.params.max_mdf":      "0.9",
}

const noQueueSteep = "the target is no queue at all, and each decrease takes up to nine tenths"
