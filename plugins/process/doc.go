// Package process runs a congestion-control algorithm as a separate program.
//
// # For hosts
//
// Start runs the program and returns a Plugin, whose Algorithm is used like any
// other; its senders and receivers forward to the ones in the process. One plugin
// serves any number of controllers and flows, from any number of goroutines.
//
// # Two ways across
//
// hashicorp/go-plugin starts the program and shakes hands with it (a cookie, a
// protocol version, a Unix socket in a folder that only its owner can enter and
// that is gone once connected); over its gRPC connection go identity,
// parameters and configuration, package control.
//
// From there on a program takes one of two ways. Those made by package serve take the ring: events, decisions and the
// set-up of flows go through slots in anonymous shared memory. The host fills slots and rings the plugin's bell; the
// plugin handles them in order, writes each answer into the event's own slot and rings the host's. A call is one such
// round trip, of one event or of a batch (hosting.Batcher). Messages that need no answer travel with the next call.
// Callers that have more to do ask without a call (Ask), and one Exchange brings all answers, as for the NICs of a
// window.
//
// Programs in other languages set stream in their description, and the same
// messages go through one gRPC call, Converse of package control: tens of times
// as slow, so best in batches. The Python module in plugins/python is such a
// program's end of it.
//
// # Faults
//
// A process that exits, panics, is killed or does not answer in time breaks the plugin for good: it is ended, the call
// answers Rate 0 (BaseRate -1), all later calls do so at once, and Err of senders and receivers (hosting.Failing) names
// program, pid, flow and event and quotes the end of the program's stderr. On a stream only the program knows which
// message of a batch it failed at: it names it by answering those before, with the problem; if it just ends or hangs,
// the whole batch has no answers. The time limit is one of the wall clock and meant for programs that hang; it never
// changes a result. When the host dies, however it dies, its plugins end with all that they have started: each is held
// by a process of package keeper, of which there is one more for each.
//
// # Limits
//
// Linux. Host and program must agree on the layout of the slots, which Start
// checks. An author's code that overwrites memory at random may do so in the
// shared pages too; the host takes nothing from there but numbers that the NIC
// checks.
package process
