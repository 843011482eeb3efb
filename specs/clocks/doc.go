// Package clocks holds the specs of PC4 on clocks that are wrong. PC4 compares
// the receiver's clock with the sender's: noise, offset and drift all read as
// queueing.
//
// Noise repeats Figure 9 of Qi et al., "PC4: Precision Collective Communication
// Congestion Control for AI Cluster": ten flows onto one port, a target
// queueing time of 1 us, noise of up to 1 us added to each reading. The paper
// adds it to the measured delay, which is noise at the receiver alone; noise of
// both clocks has a triangular sum and rows of its own. Queueing is always the
// switch's true one, never the noisy reading.
//
// The printed algorithm leaves negative delays open. Taken literally they fall
// into the decrease, whose factor is then above 1; taken robustly they count as
// an empty path, which is the default here. Both are run.
//
// Offset and drift repeat the incast of Figure 6(a) with the accuracy that the
// paper calls sufficient, 100 ns.
//
// Bounds hold for medians over five seeds; published figures are targets that
// the tables report and nothing asserts.
//
//	go test -v ./specs/clocks      # with the tables
package clocks
