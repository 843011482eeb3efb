// Package trace fingerprints a run. Each node folds its outward events into a
// 64-bit hash, and the hashes of all nodes, folded in the order of their
// names, are the run's: two runs with one hash sent the same frames at the
// same picoseconds, and dropped the same ones for the same reasons.
//
// A History is a node's hash at instants of model time: it shows from when on two runs differ.
//
// The hash is not a cryptographic digest: it distinguishes accidental differences, at two multiplications a record.
package trace
