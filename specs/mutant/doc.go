// Package mutant holds faults, each one deliberate mistake that specs must catch, or
// they would prove nothing. Nothing here is part of any product.
//
// There are two kinds. A Wrap works at the contract between NIC and algorithm: it
// changes what a flow's two ends are told, or what they answer; the algorithm itself
// is the one that ships. A Source is an edit of one file, for a rule that lies inside
// an algorithm, a switch or a NIC: the go command builds the specs with an overlay, so
// that no file of the tree changes. Sources is the table of them, by the sentence that
// each must turn red; `ROCELAB_SLOW=1 go test ./specs/mutant` runs it, with
// ROCELAB_MUTANTS=pc4 only what has that word in its sentence or file. Package schemata
// has one program a suite hold all of them, and a number choose one; the few that it
// cannot hold, such as those of constants, have builds of their own.
//
// Repairs are the table of weaknesses that rocelab once had: `ROCELAB_NIGHT=1 go test
// -run Repairs ./specs/mutant` undoes each repair and wants a named test red.
//
// A change of the code that a mutant edits makes the mutant stale, which the plain
// test of this package says: give it the new text.
package mutant
