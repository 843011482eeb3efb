// Package live shows that a run held to the clock on the wall equals the run in memory: at any dilation, on a slow host
// too, the inside is exact, and no window begins before its time. The delay of model time behind its time on the wall
// is recorded and printed, never judged; a standstill moves the epoch and is named.
//
// The specs carry the label "live". They need root; a host that lacks something skips
// them with the reason that `rocelab doctor` gives. The test binary is the daemons.
package live
