// Package mutant holds faults: wrappers of shipped algorithms, each with one
// deliberate mistake. An experiment's criteria must be missed by its mutant, or
// they would prove nothing. Nothing here is part of any product.
//
// A mutant works at the contract between NIC and algorithm: it changes what a
// flow's two ends are told, or what they answer. The algorithm itself is the
// one that ships.
package mutant
