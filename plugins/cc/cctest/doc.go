// Package cctest replays the life of a flow to an algorithm and writes down
// its decisions, for the tests of algorithms.
//
// A script is text. A line that starts with # is prose. A line that starts with > is a command; the text after it, up
// to the next command, is the transcript of the decisions that it caused, which Replay writes again:
//
//	> algorithm set=paper
//	> flow line_rate=100Gbps base_rtt=4190ns baseline=2175ns flows=16
//	> 0us start
//	> 12us cnp
//	> 100us sent 3MB
//	> 130us ack rtt=4.2us owd=0.3us base_rate=6250Mbps echo=120us acked=1KB
//	> 200us run
//
// Sent takes the cumulative wire bytes; the wake-ups that they reach come
// with it. Timers that are due before a command come before it; timers of its
// very instant come before the next one, or at once by the command run. The
// flow's clock shows its time in whole ns. A command that brings MostWakeUps, or a
// timer that asks for one no later, is an error, and so is a deadline before the present.
//
// A test that plays the NIC itself has Timers serve the wake-ups.
package cctest
