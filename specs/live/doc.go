// Package live shows that a run held to the clock on the wall is the run in memory:
// at whatever dilation, on however slow a host, the inside is exact, and no window
// begins before its time. How far model time was behind its time on the wall is
// recorded and printed, never judged; a standstill moves the epoch and is named.
//
// The specs carry the label "live". They need root; a host that lacks something skips
// them with the reason that `rocelab doctor` gives. The test binary is the daemons.
package live
