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
// Edges need no table: TestEdgesAreHeld flips the edge of each <, <=, > and >= of switch,
// NIC, wide-area path and the reader of SONiC's files (< to <=, and so on), and wants a test
// of its own package red, in -short, or a sentence of specs/rules. A run without a mutant
// tells in which tests both sides are ever equal; the others cannot see the edge. Red is
// also what takes three seconds of a processor and ten times the test's own time, as a loop
// that does not end. What bounds a loop, as i < n in for i := 0; i < n; i++, is left out.
// testdata/edges.txt is the ledger of edges that no test sees, a line each: file, function,
// comparison, which of that text in the function, and the reason, with tabs between. The
// reason is "equivalent: ..." if no test could see it, "chance: ..." if only a draw that hardly
// ever comes could show it, and "open" if a test is missing or no one has looked. The ledger may
// only shrink: a test that sees an edge makes its line red, and new code gets no line.
//
// Repairs are the table of weaknesses that rocelab once had: `ROCELAB_NIGHT=1 go test
// -run Repairs ./specs/mutant` undoes each repair and wants a named test red.
//
// A change of the code that a mutant edits makes the mutant stale, which the plain
// test of this package says: give it the new text.
package mutant
