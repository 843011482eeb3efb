// Package bump is a bump in the wire: a piece of network between two interfaces of the
// host, which delays, queues, marks and loses what passes, as two switches do with a
// long-haul path between them.
//
// It is a scenario with two edges, which Options write, and a loop of its own: one
// thread runs all five models, windows held to the clock on the wall, and hands frames
// over without a socket between the nodes. What passes is carried as bytes, and
// nothing in it changes but ECN.
//
// The loop looks for input at a tick while there is traffic, and rests on the sockets
// when there is none.
package bump
