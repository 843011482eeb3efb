// Package collectives holds the specs of collective operations: that each
// method takes, on a network that gives no trouble, the time that its messages
// need and no less; that ranks wait for stragglers, losses and outages, and for
// nothing else; and that what cannot go on is named.
//
// The time of a method is worked out from its steps: a step of b bytes takes
//
//	W(b) + L,  W(b) = (82 B + 1000 B) x packets + 16 B, at 100 Gb/s
//
// with L the way of its last packet over two links of 1 us and the switch. Over two sites, traffic on the fibre between
// them is counted as well. The list of criteria is also applied to a mutant in which messages wait for nothing, which
// must miss it.
//
//	go test -v ./specs/collectives    # with the table
package collectives
