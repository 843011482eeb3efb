// Package swift is Swift: a congestion window that holds a flow's delay at a
// target (Kumar et al., "Swift: Delay is Simple and Effective for Congestion
// Control in the Datacenter", SIGCOMM 2020).
//
// The RTT of each ACK is split by its timestamps: what the packet waited at the
// remote endpoint is endpoint delay, the rest is fabric delay. Each part drives
// a window of its own by Algorithm 1, fcwnd and ecwnd, against a target of its
// own: additive increase below the target, at most one multiplicative decrease
// per RTT from it on, by how far the delay exceeds it. The flow gets the smaller
// window. The fabric target grows with the hops of the path and, since many
// flows mean small windows and long queues, with 1/sqrt(fcwnd). A window below
// one packet is kept by pacing, one packet each rtt/cwnd.
//
// Windows count packets, as in the paper; a packet is an MTU of payload. The NIC
// lets a packet go while less than the window is in flight, so that a window of
// 1.5 packets allows two.
//
// Differs from the paper: line 27 of Algorithm 1 is printed as cwnd <= cwnd_prev, with which an ACK that does not
// change the window counts as a decrease, and a window at its ceiling, or under steady congestion with more than one
// ACK per RTT, would not be cut again; a smaller window counts here. Fast recovery, there caused by selective ACKs, is
// the answer to a NAK. There is no local endpoint delay, since the NIC itself takes the ACK. Loss concerns both
// windows; the paper does not mention it. The NIC re-times a paced packet that waits when the window changes.
//
// The paper has the target and Algorithm 1, and few numbers; the defaults are
// rocelab's for 100 Gb/s and links of 1 us and named as such.
package swift
