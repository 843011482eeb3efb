// Package dctcp is DCTCP (Alizadeh et al., "Data Center TCP (DCTCP)", SIGCOMM 2010; RFC 8257): the share of marked
// packets, not the mere presence of a mark, decides how much the sender gives way.
//
// The switch marks above one threshold K, the receiver echoes each mark in the
// ACK, and the sender keeps alpha, a running mean of the marked share F of each
// window of data:
//
//	alpha = (1-g) alpha + g F
//
// A mark cuts by alpha/2, at most once a window of data. Two forms are built
// in:
//
//   - rdma, as the public RDMA simulator has it (alibaba-edu HPCC ns-3): the
//     state is a rate. A flow starts at line rate, the rate is cut and grows by a
//     fixed amount per window of data, and a window of one BDP, scaled by rate /
//     line rate, bounds what is in flight.
//   - window, as in the paper and RFC 8257: the state is a congestion window with
//     TCP's slow start, one MTU more per window of data, and TCP's answer to
//     losses. Packets leave as ACKs come, not paced.
//
// Differs from the paper: there is no delayed ACK, each packet is acknowledged
// unless the NIC is configured otherwise, and the echo is exact (RFC 8257, section
// 3.2, is the NIC's). Differs from the public RDMA simulator: marked ACKs are
// counted as the packets that they acknowledge, which is the same for one ACK a
// packet; rates are not truncated from step to step.
//
// K is a setting of the switch: with one threshold Kmin = Kmax the paper's guideline is K > C RTT / 7 (section 3.4);
// the public RDMA simulator takes 30 KB per 10 Gb/s.
//
// Limits. The rdma form takes losses for no sign of congestion, as its model
// does: it is made for a lossless class. Its increase is one MTU per RTT by
// default, so that a flow over a long path needs many RTTs to reach line rate.
package dctcp
