// Package conformance holds the conformance kit, rocelab algorithm check, to its
// word: every algorithm that ships passes it, or misses what is documented, and
// algorithms that are wrong on purpose, each in one way, miss what they should
// and nothing that has no part in their fault. Those are programs in
// testbed/conformance/testdata/mutants.
//
// An algorithm as a program decides as the same algorithm built in does, on the
// event log of a run: that is the kit's check process.
package conformance
