// Package nicd models a RoCEv2 NIC: reliable-connected queue pairs, their
// pacers and windows, acknowledgements, congestion notifications, priority
// flow control, a clock that may be wrong, and the hosting of congestion-control
// algorithms (plugins/cc).
//
// # Model
//
// A NIC is a fabric.Node with one port. A flow is one reliable connection that carries WRITE messages one way: the
// sending end cuts them into packets (First, Middle, Last, Only) with PSNs of 24 bits, the receiving end acknowledges.
// Received in order, or go-back-N: a packet ahead of the expected PSN is discarded and answered by one NAK, and the
// sender goes back. With profile.NIC.OutOfOrder the receiver keeps up to 256 packets beyond a gap and the sender
// resends the missing one. With profile.NIC.Selective it keeps a window of packets and reports them in ACKs
// (wire.ExtSelective), and the sender, which finds losses by the starts of packets (scoreboard), resends lost packets
// and nothing else; both ends of a flow must have it.
//
// The port serves its ACKs, NAKs and CNPs first and then the sending QPs in round robin among the ones that are due by
// their pacer, within their window and of a class that is not paused: the one that has been due longest or, with
// profile.NIC.QPsByNumber, the next by number. It is never faster than the line. A NIC honours PFC. Data wait in the
// host's memory, which has no limit, and a NIC takes everything that arrives: it sends PFC only in a storm of its
// profile. Such a NIC pauses its peer; it works on as ever, although a real one would process nothing.
//
// The next packet of a QP may start one gap after the last, wire bytes by
// rate; a change of rate re-times the gap under way, unless profile.NIC.Repace is
// false. A QP is window-bound when
// inflight >= window. The retransmission timeout is max(floor, factor x RTT).
// These rules are the same for every algorithm.
//
// # Messages that wait
//
// A flow may say for each of its messages what it waits for: that messages of
// other flows which start or end at this NIC are complete here, or that phases
// of its rank have ended, such as the computation before a collective
// operation. A NIC looks at nothing beyond itself: see Await. Messages leave in
// order, and the time of each counts from when it might be sent.
//
// # Events
//
// Per packet sent there is one event: the pacer's if the port is idle when the packet is due, the ACK's if that opens
// the window, the end of the transmission before if something waits for the port. Timers are lazy: see link.Timer.
// After each event the port is served.
//
// # Algorithms
//
// An algorithm is called for each event that may change its decision, and its
// answer is in force at once. With profile.NIC.DecisionDelay it takes effect
// that much later; events then wait until the first answer is needed and are
// handled together, which algorithms in their own processes make use of
// (hosting.Batcher). The results are the same as if each were handled when it comes.
//
// # Sources
//
// InfiniBand Architecture Specification, volume 1, chapter 9 (transport), annex A17 (RoCEv2); IEEE 802.1Q clause 36 and
// 802.3 annex 31B (PFC); Zhu et al., SIGCOMM 2015 (notification point); pacing and window rules of the public RDMA
// simulator (alibaba-edu HPCC ns-3), and its re-timing rule, which only HPCC has there. Points that sources leave open
// are documented at the code that decides them.
//
// # Limits
//
// It sends no READ, atomics, SEND or UD. A receiver takes WRITEs and SENDs, refuses READs and
// atomics, and after a refusal answers nothing; it checks keys, bounds and receives only where
// ReceiverConfig has some, which flows of a plan have not: they have all memory and receives without
// end. A sender takes no NAK but that of a PSN sequence error. No connection set-up; no PCIe and no
// doorbell delays; one port and one path MTU a flow. A receiver does not check
// that payload lengths fit the messages.
package nicd
