// Package clock models the clock of a NIC: how far its readings lie from true
// time.
//
// A reading at t, in whole nanoseconds rounded down, is
//
//	floor(t + offset + drift x (t - last resynchronisation) + noise)
//
// Offset and drift are drawn once per clock from uniform distributions, noise
// at each reading; all three come from the stream (seed, "<name>/clock"). The
// sum is integer arithmetic in picoseconds but for the Gaussian noise, whose
// one product is exact on every processor.
//
// A one-way measurement cannot distinguish an offset from a queueing delay, a drift grows until the clock is set right,
// and noise averages out: that is why the three are separate. Temperature, and the shape of a real clock's servo, are
// not modelled: resynchronisation puts the drift back to zero at once.
package clock
