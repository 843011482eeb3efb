package model

// Version is the version of the models: everything that determines the trace of a run, from the emulator's rules to the
// shipped algorithms. Two programs of one version give one scenario and seed one trace, even if they differ otherwise.
// Each change that alters a trace increments it; testdata/traces.txt has the traces that guard it, and
// specs/determinism/fingerprint the traces of everything that ships.
const Version = 6

// rules have a sentence for each version: which rule is another one than in the version before. Stored traces
// change only with a version that has its own.
var rules = map[int]string{
	1: "The first version whose traces are stored.",
	2: "pc4 has new default constants, chosen by evidence (ADR 0017); traces of all else are as before.",
	3: "Proximal CNP has other rules: when a near point triggers, which CNPs it holds back, and how it meters each " +
		"flow (ADR 0018).",
	4: "The PFC watchdog of a switch waits 200 ms, or 4 x buffer / slowest rate if that is longer, if the " +
		"scenario sets no time; traces of runs are as before if none fired after 2 ms. Proximal CNP learns a flow " +
		"when two bursts in a row had one number of flows at the point, and forgets it when the number is another.",
	5: "ACKs that ack_every holds back are not flushed after one base RTT any more; a sender asks for one with " +
		"the last packet that its window lets through. A go-back-N receiver reports a gap once, and a repair that " +
		"is lost too waits for the sender's timeout. Traces with ack_every 1 are as before if no retransmission " +
		"was lost and no round trip took 500 us.",
	6: "A pause is obeyed after the longest time that IEEE 802.3 allows at the rate of the port, computed " +
		"headroom counts port MTU, interfaces and memory cells, and alpha is the same at ports of every rate, if " +
		"the scenario sets none of them. A link that is down holds nothing: a switch flushes the queues of its " +
		"port and drops what comes for it, frames that a NIC or an edge sends are lost, their timers run, and " +
		"pauses end with the link. Traces without pauses, frames that found no room and outages of a link are as " +
		"before.",
}

// Rule is which rule changed with a version, a sentence; "" of one that is not known here.
func Rule(version int) string { return rules[version] }
