// Package unit holds the quantities of the emulator as types: time in integer
// picoseconds, sizes in bytes, rates in bits per second.
//
// A picosecond is fine enough that one byte at 10, 25, 40, 50, 100, 200, 400,
// 800 or 1600 Gb/s takes a whole number of them (800 to 5), so the
// serialisation of a frame is exact at every standard rate. The range of an
// int64 of picoseconds is 106 days.
//
// Every conversion between the three lives here, once, with its rounding in
// its name or comment and a 128-bit product inside: bytes x 8e12 leaves an
// int64 at 1.15 MB.
package unit
