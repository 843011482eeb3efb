// Package eventlog writes down an algorithm's events and its answers,
// reads them back, and plays them to an algorithm again: to see why a flow did what
// it did, to try a changed algorithm on it, and to show that two builds, or two
// processes, decide the same.
//
// A Recorder wraps an algorithm as the NIC finds it, so that nothing of the NIC
// or of the algorithm knows of it. Each end of a flow has its own log: the
// sender's holds events and decisions, the receiver's data packets, feedback
// and the controller's group. The two ends of a flow are at different NICs,
// whose calls have no common order but time.
//
// # Format
//
// JSON lines (https://jsonlines.org), everything in whole units that are part of its
// name, so a log is exact. The first line is the header:
//
//	{"rocelab_event_log":1,"flow":0,"name":"long","end":"sender","algorithm":"dcqcn","version":"1.0.0",
//	 "params":{},"signals":{...},"facts":{...}}
//
// and each line after it a call, counted from 1. Of a sender:
//
//	{"n":2,"t_ps":41943000,"event":"CNP","sent_bytes":510570,"decision":{"rate_bps":50000000000,"wake_at_ps":91943000}}
//
// of a receiver:
//
//	{"n":1,"group":{"flows":2}}
//	{"n":2,"t_ps":3175000,"data":{"clock_ns":3175,"payload_bytes":1000,"active":1},
//	 "feedback":{"base_rate_bps":50000000000}}
//
// A field that is zero is left out. "decision" and "feedback" are present if the call changed them. The decision before
// it follows from the call before: the NIC bounds the rate by the line rate and takes back the wake-up that fired. If
// it does not follow so, as for the fields that the NIC itself puts into the feedback, "before" has it.
//
// A sender whose algorithm names values of its own has "values":[{"name":"alpha"},
// {"name":"target_rate","unit":"Gb/s"}] in the header, and in the line of a call those that differ from the call
// before, such as "values":{"alpha":0.5,"target_rate":null}, with null for none. They do not belong to a decision: a
// replay does not compare them, and reads logs without them too.
//
// # Limits
//
// A log replayed to another algorithm is an open loop: the events are those that followed from the old decisions. The
// first difference is exact; all later ones are what the algorithm would have answered, not what would have happened.
package eventlog
