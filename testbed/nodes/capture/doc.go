// Package capture captures live what passes the ports of a testbed, in model time.
//
// Model. A Tap listens on the veths of the captured ports, in their nodes' network namespaces. Every frame there ends
// in a trailer with the departure of its first bit; the tap cuts the trailer off, stamps a sent frame with that time
// and a received one with the arrival of its last bit, and lets the recorder of package pcapng merge the directions and
// ports in the order of model time. The file equals the one of a capture in memory, byte for byte, except for data that
// is not on the wire: comments about frames that a node dropped, and the records of frames dropped out of a queue. A
// frame that a node loses on arrival, because of a scenario's faults, did cross the wire and is in the file.
//
// The run's shared page determines which frames may be written: a frame that starts before the current window cannot
// still come, and the page has the number of frames sent on each link; the tap reads until it has them all. So the file
// grows during the run, and is whole at any end.
//
// Contract. A tap changes nothing in a run: frames are copied to it by the kernel, without any wait for it. If it falls
// behind, the frames that found its rings full are missing; the Summary has their number.
//
// Limits. A capture that begins during a run lacks the frames before, and may
// lack some of the very first ones. Frames that do not decode are counted, and
// left out.
//
// Sources. packet(7); package pcapng for the format.
package capture
