// Package fabric is the contract between the models of a fabric and the programs that run them.
//
// A fabric is nodes joined by links. A node is a pure state machine: it changes only when it is called, and each call
// carries the time. A link has a rate and a latency in each direction; a frame is handed over when its first bit
// leaves, and the receiver derives when its last bit arrives. A frame once started always completes. Switches and NICs
// store and forward; a long-haul path is a node that behaves as a wire.
//
// Between two calls of Advance a node is only ever given frames; it must not
// depend on how often Advance is called or where its horizons lie.
package fabric
