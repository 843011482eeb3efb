// Package attribution divides the time of each flow among causes, so that the parts add up to the time to the
// picosecond: see Part. docs/why.md has the definitions with pictures.
//
// It has two layers. The NIC's clocks are exact (record.Spent). The time in which a sender was paced, had a closed
// window or a busy port is then classified by the state of the ports on the flow's way, bin by bin: each port has
// the time during which it transmitted (record.Port.Load), each flow the time in those states (record.SendSeries).
// A port at the n-th hop is looked at as much later as a packet takes to it on empty queues.
//
// In each bin one port of the way is the bottleneck: that with the least time in which it was neither busy nor
// paused; of several that with the most demand. Within the bin, in this order:
//
//	alone       the bits that it sends, at the bottleneck's rate
//	held back   the bottleneck was idle, at most for as long as pacer or window held the sender
//	paused      the bottleneck was held by PFC
//	alone       bits that it sent in earlier bins and that wait at a bottleneck slower than its NIC
//	contention  the bottleneck was busy with others
//
// That the sender's port was busy with others is known exactly; what of it bins do not show is contention at the NIC.
// What remains is unresolved. Of contention, collision is as much as another member of the same ECMP group, and the
// way from there on, was idle. The rest is shared up to what the flow's fair share costs, own time * (C/share - 1)
// over the flow's life, and unfair beyond. The fair share is max-min over all flows that are active in the bin, each
// weighted by the part of the bin in which it was and with demand without bound. At a port the queues have parts in
// proportion to their DWRR weights, and their flows share those; queues of strict priority come before all others.
// Frames that are of no flow, such as ACKs, count as a fair share.
package attribution
