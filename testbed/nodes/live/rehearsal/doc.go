// Package rehearsal finds out which clock a host can keep before a live run is held
// to one: how much slower than the wall a plan runs when nothing holds it back,
// in its busiest millisecond, and how late a thread wakes that asked for a time.
//
// Model. The slowdown is a run's own: its windows on the testbed of a live run, one after the other without a clock,
// watched from outside through the page that its daemons share. A run that is held to the clock with a dilation above
// the slowdown of its busiest millisecond begins each window in time, except for interference by the host, for which
// there is a margin. Edges are silent in it: the traffic of hosts outside is unknown, so for a plan whose load comes
// only from them the slowdown means little, and the advice points that out.
//
// Sources. The margin and the use of a millisecond: a mean over the whole run hides the first burst of an incast, which
// makes such a run late.
package rehearsal
