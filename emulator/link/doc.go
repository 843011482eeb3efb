// Package link is what every end of a link does, at a switch, a NIC or a
// long-haul path: it takes time to send (Serializer), it obeys PFC
// (Pauses, Obedient), it is down at times and loses frames (Faults), and it waits
// (Timer, Deadline).
//
// # Model
//
// Each is a small value with methods that know neither a switch nor a NIC: they
// are told the time and say what follows, and their owner schedules the events.
// Serializer is the whole time rule; PFC is IEEE 802.1Q clause 36 with the
// quanta of IEEE 802.3 annex 31B.
//
// # Contract
//
// What is read for every frame is a word of the value itself, what is read
// seldom is behind a pointer or, of a link without faults, absent: a port is laid
// out by cache lines. Methods that run for every frame inline and allocate
// nothing. All is a function of the calls made: no clock, no goroutine.
package link
