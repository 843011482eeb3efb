// Package wan models a long-haul path between two ports: dark fibre or a
// leased wavelength between two sites.
//
// A path is a node with two ports that behaves as a wire. It does not store and
// forward: the first bit of a frame leaves it at a fixed time after the first
// bit came in, at the same rate, so the frame's time on the wire is counted
// once. Everything passes, PFC too. Each direction is on its own.
//
// # Time
//
// A frame's first bit leaves the near port at s. The near link has the latency a, the far one b, and the frame takes S
// on the wire. The path receives the frame when its last bit is in, at
//
//	s + a + S
//
// and sends it on, with D the one-way delay in force at s and j its jitter, at
//
//	e = max(s + D + j - b, end of the frame before it)
//
// so that without jitter its last bit is at the far port at e + b + S =
// s + D + S, as on a wire of latency D. A node may send at the time of the event
// that it handles or later, so D - a - b >= S must hold for the largest frame:
// see profile.LeastDelay. A way shorter than that is a plain link.
//
// # Order and what the path holds
//
// Frames never overtake each other. If the delay shrinks, by jitter or because the path is switched to a shorter one, a
// frame waits at the far end until earlier ones are out; at full load that wait lasts until there is a gap. By
// induction e <= s + D + J - b, with D and J the largest there are, so the frames inside take at most
//
//	D + J - a - b + S
//
// of wire time, with S the largest frame's: rate times delay. This is all
// the buffering that there is, nothing is dropped for want of it, and
// CheckInvariants and the result's conservation compare the high-water mark with
// it.
//
// # Loss
//
// Frames are lost independently of each other, or by the channel of Gilbert and Elliott, which steps once a frame. In a
// flap there is no light: a frame with any bit on the path in that time is lost, so frames in flight when it begins are
// lost too. The ports at the ends do not learn of a flap. Losses show at the far end: they are counted when the frame
// would have left.
//
// # Not modelled
//
// A bundle of wavelengths is one channel of the sum of their rates: frames are
// not hashed to wavelengths, and there is no skew between these. Neither are
// dispersion, bit errors within a frame that gets through, and protection
// protocols; a path switch is given by the scenario.
package wan
