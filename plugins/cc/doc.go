// Package cc is the contract between a NIC and a congestion-control algorithm:
// all that an author of an algorithm needs to know, and all that the NIC needs
// to know of the algorithm.
//
// An Algorithm is configured once into a Controller, which makes one Sender for each flow that a NIC sends and, if it
// wants one, a Receiver for each flow that a NIC receives. A Sender is handed events and answers with decisions: a
// rate, a window, a gap, the next timer. It is a plain state machine: it never reads a clock or starts a goroutine,
// keeps nothing between flows, and gets its chance from the Facts it was made with. The same code runs inside the
// emulator and as a separate program, with the same results to the bit.
//
// Floating point: write float64(x*y) + z where the compiler might fuse the two
// operations (the Go specification lets it, and processors differ), and use
// none of package math beyond Abs, Min, Max, Floor, Ceil, Trunc, Sqrt, Inf, NaN,
// IsNaN, IsInf, Float64bits and Float64frombits: these have no room to differ.
// Exp, Log, Tanh, Sigmoid and Pow come from package elementary. Decisions are
// integers.
//
// An author needs this package, units (unit), serve for the program and cctest for the tests; chance,
// elementary and inband are there for those who draw, compute or read in-band telemetry. What runs
// algorithms needs package hosting, too. The package imports unit, chance and inband and nothing else
// of rocelab.
package cc
