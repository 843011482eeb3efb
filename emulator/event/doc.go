// Package event keeps the pending events of one node in the order that every
// run of rocelab agrees on: time, then kind, then port, then sequence.
//
// Most events are scheduled among the next two or three: the end of a transmission, the next frame towards a port. So
// the earliest events are in a short sorted run: taking one needs no comparison, and adding one moves the few that come
// before it. Events beyond the run are in a heap. Frames in flight towards a port arrive in the order in which they
// were sent, so each port keeps them in a ring and only the first is an item of the run or the heap: they hold a few
// events per port and stay in the first-level cache.
package event
