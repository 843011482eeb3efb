// Package ring is the memory that a host and a Go program of an algorithm share: events,
// decisions and the set-up of flows in slots, and two bells by which the sides wake each
// other. Linux.
//
// A bell is a word of that memory, a futex: to ring it never blocks, whatever the other
// side does. Neither side spins. A wait is one futex call: up to a millisecond as a raw
// system call, which spares Go's scheduler, then as an ordinary one, so that an idle side
// costs nothing and garbage can be collected (a raw call holds off the collector).
package ring
