// Package mem runs a plan in this process: no root, no containers, no packets
// on a wire unless asked for. It builds the models of the plan, gives them to
// the engine, and brings back an outcome.
//
// It is the embedded default of rocelab: its results equal the results of the testbed of containers, to the picosecond
// and the byte.
package mem
