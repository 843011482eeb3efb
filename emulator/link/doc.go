// Package link has the behaviour of an end of a link, at a switch, a NIC or a long-haul path: it takes time to send
// (Serializer), obeys PFC (Pauses, Obedient), is down at times and loses frames (Faults), and waits (Timer, Deadline).
//
// # Model
//
// Each is a small value with methods that do not know about switches or NICs: each call carries the time and returns
// the consequence, and their owner schedules the events. Serializer is the whole time rule; PFC is IEEE 802.1Q clause
// 36 with the quanta of IEEE 802.3 annex 31B.
//
// # Contract
//
// State read for every frame is a word of the value itself; rarely read state is behind a pointer or, for a link
// without faults, absent: a port is laid out by cache lines. Methods that run for every frame inline and do not
// allocate. Everything is a function of the calls made: no clock, no goroutine.
package link
