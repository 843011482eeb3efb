// Package pc4 is PC4 (Qi et al., "PC4: Precision Collective Communication
// Congestion Control for AI Cluster"): the receiver announces to each sender its share
// of the link, and the sender fine-tunes it by one-way delay.
//
// Data carry tx_time and the baseline delay of their path. The receiver
// (Algorithm 1 of the paper, receiver.go) answers each packet with the base
// rate, line rate over the number of incoming flows, and the one-way delay
// beyond the baseline. The sender (Algorithm 2, sender.go) takes a new base
// rate over at once; while the base rate does not change it moves its rate once an
// adjust interval, up by hai on an empty path, up by ai below the target
// queueing time, down in proportion beyond it. The window is rate x RTT; a
// window below one packet is kept by pacing.
//
// The paper leaves gains, target, interval and much else open. Every such choice is a named parameter, documented with
// the paper's words at its description (params.go), and the printed reading can be chosen wherever it can be run. Sets
// of constants have names (settings.go): evidence, the default, which is chosen by evidence and replaces some sentences
// of the paper; literal, which has these as they are printed; earlier, the former default; and two with an extension
// that the paper does not have: in return-to-base rates are drawn back to the base rate, in keep-share they do not
// yield below a third of it. specs/adr/0017-pc4-constants.md has the reasons. Decided elsewhere: when the controller's
// update of n arrives and which flows n counts (scenario and NIC), when tx_time is taken (NIC: at the first bit on the
// wire, so that waiting for a sibling flow does not count as a queue), baselines of short packets (NIC, by packet
// length), and clock errors (NIC).
//
// With n_source controller+sender the sender gets the controller's update itself
// and takes the base rate that follows over before ACKs bring it, which over 120 km
// are 600 us on their way. Of the end of a flow with a size it does not hear, and
// learns from ACKs.
//
// The target of set evidence is the larger of 1 us and 2 sqrt(N) packet times, the same
// on all paths; windows are made of the RTT without the wait of data; and a flow whose
// window is below a packet takes smaller steps, for it hears of the queue more rarely.
//
// Limits. A flow whose window is below a packet learns of a new base rate only
// with its next ACK, RTT/cwnd later; receivers send no unsolicited ACK. The
// target queueing time has no upper clamp: a sender does not know the port's
// buffer. NAKs carry no feedback and change nothing.
//
// Rates and windows are floating point inside; in decisions rates are
// truncated to whole bit/s and windows to whole bytes, at least 1.
package pc4
