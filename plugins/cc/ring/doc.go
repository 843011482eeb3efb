// Package ring is the memory that a host and a Go program of an algorithm share: events, decisions and the set-up of
// flows in slots, and two bells with which the sides wake each other. Linux.
//
// A bell is a word of that memory, a futex: ringing never blocks, for any behaviour of the other side. Neither side
// spins. A wait is one futex call: up to a millisecond as a raw system call, which spares Go's scheduler, then as an
// ordinary one, so that an idle side costs nothing and garbage can be collected (a raw call holds off the collector).
package ring
