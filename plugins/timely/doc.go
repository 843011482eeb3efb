// Package timely is TIMELY: the sending NIC raises and lowers a flow's rate by
// how its round-trip time changes.
//
// Each update takes one RTT sample. Below T_low the rate rises, above T_high it
// falls whatever the RTT does, and between the two the gradient decides: the
// smoothed difference of successive samples, in units of D_minRTT. Two rules
// for that band are built in (parameter variant):
//
//   - original (Mittal et al., "TIMELY: RTT-based Congestion Control for the
//     Datacenter", SIGCOMM 2015, section 4.3, Algorithm 1): a gradient of at most
//     0 raises the rate, a positive one lowers it. The queue and the shares of
//     the flows at rest are whatever they happen to become: many pairs of rates
//     have a gradient of 0.
//   - patched (Zhu et al., "ECN or Delay: Lessons Learnt from Analysis of DCQCN
//     and TIMELY", CoNEXT 2016, section 4.3, Algorithm 2): gradient and distance
//     from a reference RTT are weighed together, which leaves one fixed point, at
//     which N flows share C equally and queue for
//     q* = q' + N delta q' / (beta C), q' the queue at the reference.
//
// The two parameter sets differ in their constants. paper is section 5's, for networks whose RTT is tens of us: T_low
// 50 us by itself lets 600 KB stand at 100 Gb/s. fabric takes multiples of the flow's base RTT in their place: 2, 12
// and 1 of them for T_low, T_high and D_minRTT, 8.4, 50 and 4.2 us through one switch with links of 1 us.
//
// When a sample counts is a parameter, too (update): one per round trip, as in
// the public RDMA simulator (alibaba-edu HPCC ns-3), or one per completion, as
// in the paper, where a completion belongs to a segment of 16 to 64 KB; here it
// is an ACK or, with the parameter segment, so much acknowledged payload.
//
// Differs from the paper: packets are paced one by one, where TIMELY's segments
// left at line rate with gaps between them; RTT is the RTT of the newest
// acknowledged packet, from its first bit leaving to its ACK's arrival, its
// serialisation and the receiver's turnaround included (together under 0.2 us
// at 100 Gb/s and one ACK a packet). The rate starts at line rate, not at
// C/(N+1): the NIC does not say how many flows it has. Resent packets give no
// sample, and loss changes no rate: the paper leaves both open.
//
// What is slow by design: set paper does not answer a load before its queue is
// near 50 us long, and the patched rule below T_high takes 0.8 % of the rate a
// round trip and unit of error; both need far more than 20 round trips for a
// doubled load. Without a window an incast that starts at line rate fills the
// switch's buffer, whatever the set.
//
// Rates are floating point inside and truncated to whole bit/s in decisions.
package timely
