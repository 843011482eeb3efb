// Package judge judges an algorithm of congestion control: whether it keeps the
// contract of package cc, and whether it does what a congestion control is there
// for. Its checks are Ginkgo specs, one each, labelled contract or behaviour;
// `rocelab algorithm check` runs those labelled quick, `rocelab test` runs all.
//
// The contract: a program that speaks the protocol and identifies itself, a plain state machine that makes the same
// decisions again for the same events, or the same scenario, anywhere and in any way, and answers that make sense for
// any events.
//
// The behaviour is tested in small scenarios: one switch, links of 100 Gb/s and 1 us. The algorithm is a black box: it
// is judged by the data that it sent, not by the rate that it decided, for a window that holds it back counts as much.
// Every bound is defined in bounds.go. The bounds are wide: a good algorithm is far from them, and its figures stand
// beside them. A paper's claims for one algorithm are outside this package; the other folders of specs hold them.
//
// An algorithm that declares itself uncontrolled (cc.Description) is exempt from the checks that ask for control, and
// one that declares a time of recovery is given that time. If a shipped algorithm misses a check for a known reason,
// Misses names it; the report then has it, and the check does not fail.
//
// The specs are a part of the program, not test files: see specs/adr/0010.
// Ginkgo runs a suite once in a process, and so does Run.
package judge
