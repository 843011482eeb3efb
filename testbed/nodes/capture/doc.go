// Package capture captures live what passes the ports of a testbed, in model time.
//
// Model. A Tap listens on the veths of the captured ports, in their nodes'
// network namespaces. Every frame there ends in a trailer that says when its
// first bit left; the tap cuts the trailer off, stamps a sent frame with that
// time and a received one with the arrival of its last bit, and lets the
// recorder of package pcapng merge the directions and ports in the order of
// model time. The file equals the one of a capture in memory, byte for byte, apart
// from what the wire does not show: comments about frames that a node dropped,
// and the records of those dropped out of a queue. A frame that a node loses on
// arrival, as a scenario's faults ask, did cross the wire and is in the file.
//
// What may be written follows from the run's shared page: no frame that starts
// before the current window is still to come, and the page says how many frames
// were sent on each link; the tap reads until it has them all. So the file grows
// during the run, and is whole whenever it ends.
//
// Contract. A tap changes nothing in a run: frames are copied to it by the
// kernel, and nobody waits for it. If it falls behind, the frames that found its
// rings full are missing; the Summary says how many.
//
// Limits. A capture that begins during a run lacks the frames before, and may
// lack some of the very first ones. Frames that do not decode are counted, and
// left out.
//
// Sources. packet(7); package pcapng for the format.
package capture
