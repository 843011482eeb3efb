// Package dcqcn holds the specs of DCQCN's extensions, and of algorithms mixed
// in one fabric.
//
// The extensions are from "The Signal Before the Stall", an article on ECN and
// DCQCN in AI fabrics. It claims that flows of 2 us and of 20 us RTT share a port
// 3 to 5 to 1, that RTT-independent recovery evens that out, and that jitter ends
// oscillation. It names no set-up; here the fabric is one switch of 100 Gb/s
// with the article's Kmax = 3 Kmin, a packet carries 1000 B, and RTTs come from
// the latency of the senders' links.
//
// The article takes recovery by 5 % for each RTT for DCQCN's own rule. It is
// not: DCQCN rises by a timer and a byte counter, so that its shares are even to
// begin with. The specs show both. What jitter does instead is in docs/findings.
//
// Bounds hold for medians over five seeds; published figures are targets that
// the tables report and nothing asserts. Every list of criteria is also put to a
// mutant, a setting or a wrapper with one deliberate mistake, and must be missed
// by it.
//
//	go test -v ./specs/dcqcn                   # with the tables
//	ROCELAB_SLOW=1 go test -v ./specs/dcqcn    # and with both parameter sets and more flows
package dcqcn
