// Package outside joins an edge of a fabric to an interface of the host.
//
// A Port stands between two clocks. Frames that came in at the interface have the
// kernel's time stamp, on the wall; Look gives them to the edge's model at the
// model time of that stamp. Frames that the model lets out are due at a model time;
// SendDue sends them when the wall has reached it, and counts by how much it came
// too late. The latency of the edge's link is the budget of both: a frame that is
// read within it enters as if it had been read at once.
//
// A port looks for input twice in that time, or is woken by its socket: if it comes more rarely, by a thread that waits
// for the socket itself (Setup.Watched); by any other only after a rest.
//
// Model time never passes unread frames: Look takes all that came in before the end of the window which is about to be
// run, in any number, and leaves later ones in the ring.
//
// # What it holds
//
// A frame on its way out is copied when its last bit is due to be known, one window and one latency ahead, and waits
// here. So the memory holds the link's traffic of its latency and a window, plus the lag if model time is behind.
package outside
