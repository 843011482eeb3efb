// Package attribution divides the time of each flow among causes, so that the parts add up to the time to the
// picosecond: see Part. docs/why.md has the definitions with pictures.
//
// It has two layers. The NIC's clocks are exact (record.Spent). The time during which a sender was paced, had a closed
// window or a busy port is then classified by the state of the ports on the flow's way, bin by bin: each port has its
// transmission time (record.Port.Load), each flow its time in those states (record.SendSeries). The n-th port of the
// way is examined later by the time that a packet takes to reach it on empty queues.
//
// In each bin one port of the way is the bottleneck: the port with the least time in which it was neither busy nor
// paused, and among equals the port with the most demand. Within the bin, in this order:
//
//	alone       the bits that it sends, at the bottleneck's rate
//	held back   the bottleneck was idle, at most for as long as pacer or window held the sender
//	paused      the bottleneck was held by PFC
//	alone       bits that it sent in earlier bins and that wait at a bottleneck slower than its NIC
//	contention  the bottleneck was busy with others
//
// The time during which the sender's port was busy with others is known exactly; the part that bins do not show is
// contention at the NIC. The remainder is unresolved. Contention counts as collision for as long as another member of
// the same ECMP group, and the way from there on, was idle. The rest is shared up to the cost of the flow's fair share,
// own time * (C/share - 1) over the flow's life, and unfair beyond. The fair share is max-min over all flows that are
// active in the bin, each weighted by the active part of the bin and with unbounded demand. At a port the queues have
// parts in proportion to their DWRR weights, and their flows share those; queues of strict priority come before all
// others. Frames without a flow, such as ACKs, count as a fair share.
package attribution
