// Package bench measures how fast the emulator runs: packet-hops and events
// per second, allocations and peak memory, on scenarios that other simulators
// of the field can run too. It prints figures and judges nothing; machines are
// noisy, so compare rows of one run. Cases that are to be compared with each
// other are run in turn.
package bench
