// Package hpcc is HPCC (Li et al., "HPCC: High Precision Congestion Control",
// SIGCOMM 2019): switches report how loaded the links of the path are, and the
// sender sets its window to what keeps the most loaded one just below full.
//
// Every switch stamps line rate, time, bytes sent and queue length of the egress
// port into each data packet as it leaves the queue (in-band network telemetry,
// INT), the receiver copies the records into the ACK, and the sender estimates
// from two successive records of a link the bytes in flight on it, as a share U
// of the link's bandwidth-delay product (inflight.go). The window follows U
// towards eta: each ACK makes a new one, always from the reference window Wc,
// which moves once a round trip, so that no packet in flight is answered twice.
//
// Two forms are built in:
//
//   - window, Algorithm 1 of the paper (window.go): the state is W and Wc, and R =
//     W/T paces.
//   - rate, as the public RDMA simulator has it (alibaba-edu HPCC ns-3; rate.go):
//     the state is a rate and its reference, and the window is W_init x R / line
//     rate. With multi_rate each link of the path has its own U, stage and rate,
//     and the least rate holds. The simulator writes the queue's share of U as q
//     R_nic / (B W_init); with W_init = R_nic T that is the paper's q / (B T).
//
// Differs from the paper, which leaves it open: the first ACK only stores its records and begins a round, as in the
// simulator. An ACK whose path differs from the one before in its number of hops, its identity or its line rates, or
// that comes so late that the records' clocks may have wrapped, only stores its records; the round goes on. A link
// whose record is as old as the one before, to the nanosecond, is skipped; if all are, the ACK changes nothing. W is
// bounded by W_init above and min_rate x T below.
//
// Differs from the simulator: if the path changes, multi_rate starts again from the present rate, while there each
// place on the path keeps its rate; and rates are not truncated from step to step.
//
// W counts payload, as the NIC's window does, while U counts what the switches
// count, headers included; the loop makes up for it.
//
// Limits. A packet gathers records of inband.MaxHops switches; those beyond are not seen. Records are compared only
// with those of the packet before: if packets are sprayed over several paths, few comparisons give anything, and if
// they take turns on paths, none of a lone flow's does. The algorithm does not answer losses: it is made for a lossless
// class.
package hpcc
