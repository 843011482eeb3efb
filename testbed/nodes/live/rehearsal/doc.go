// Package rehearsal finds out which clock a host can keep before a live run is held
// to one: how much slower than the wall a plan runs when nothing holds it back,
// in its busiest millisecond, and how late a thread wakes that asked for a time.
//
// Model. The slowdown is a run's own: its windows on the testbed that a live run would
// have, one after the other without a clock, watched from outside by the page that its
// daemons share. A run that is held to the clock with a dilation above the slowdown of
// its busiest millisecond begins each window in time, but for what the host does
// meanwhile, for which there is a margin. Edges are silent in it: what hosts
// outside will send is not known, so a plan whose load comes from them alone is not told
// much by its slowdown, and the advice says so.
//
// Sources. The margin and what a millisecond is for: a mean over the whole run hides the
// first burst of an incast, which is what makes such a run late.
package rehearsal
