// Package mutant holds faults, each one deliberate mistake that specs must catch, or
// they would prove nothing. Nothing here is part of any product.
//
// There are two kinds. A Wrap works at the contract between NIC and algorithm: it changes the inputs of a flow's two
// ends, or their answers; the algorithm itself is the shipped one. All others are patches of the source, for a rule
// that lies inside an algorithm, a switch or a NIC: rules/*.patch, by the sentence that each must turn red,
// theory/*.patch by the row of specs/theory, repairs/*.patch, which undo the repair of a weakness that rocelab once
// had, and rows/*.patch, faults that published experiments must see (package reproduce reads them). The go command
// builds with an overlay, so that no file of the tree changes. README.md has the keys of their headers, and how each
// kind is run; `go run ./specs/mutant/patch` makes and refreshes them.
//
// `ROCELAB_SLOW=1 go test ./specs/mutant` carries out all of rules, with ROCELAB_MUTANTS=pc4 only mutants with that
// word in their sentence, file or name. Package schemata puts all of them into one program a suite, and a number
// chooses one; the few that it cannot hold, such as changed constants, have builds of their own.
//
// Edges do not need patches: TestEdgesAreHeld flips the edge of each <, <=, > and >= of switch, NIC, wide-area path and
// the reader of SONiC's files (< to <=, and so on), and wants a test of its own package red, in -short, or a sentence
// of specs/rules. A run without a mutant shows in which tests both sides are ever equal; the others cannot see the
// edge. Taking three seconds of a processor and ten times the test's own time is red too, as for a loop that does not
// end. Bounds of loops, as i < n in for i := 0; i < n; i++, are left out. testdata/edges.txt is the ledger of edges
// that tests do not see, a line each: file, function, comparison, its number among equal texts in the function, and the
// reason, with tabs between. The reason is "equivalent: ..." if no test could see it, "chance: ..." if only a very rare
// draw could show it, and "open" if a test is missing or no one has looked. The ledger may only shrink: a test that
// sees an edge makes its line red, and new code gets no line.
//
// A change of the code that a patch edits makes it stale, which the plain test of this
// package reports.
package mutant
