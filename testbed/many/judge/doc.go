// Package judge judges an algorithm of congestion control: whether it keeps the
// contract of package cc, and whether it does what a congestion control is there
// for. Its checks are Ginkgo specs, one each, labelled contract or behaviour;
// `rocelab algorithm check` runs those labelled quick, `rocelab test` runs all.
//
// The contract: a program that speaks the protocol and says who it is, a plain
// state machine, of which the same events, or the same scenario, make the same
// decisions again, wherever and however they are carried out, and answers that
// make sense whatever the events.
//
// The behaviour is that of small scenarios: one switch, links of 100 Gb/s and 1
// us. The algorithm is a black box: it is judged by what it sent, not by the rate
// that it decided, for a window that holds it back counts as much. Every bound
// is defined in bounds.go. The bounds are wide: a good algorithm is far from
// them, and its figures stand beside them. What a paper claims of one algorithm
// is no business of this package; the other folders of specs hold that.
//
// An algorithm that declares itself uncontrolled (cc.Description) is exempt from
// the checks that ask for control, and one that declares a time of recovery is
// given that time. Where a shipped algorithm misses a check and there is a
// reason, Misses names it; the report then says so, and the check does not fail.
//
// The specs are a part of the program, not test files: see specs/adr/0010.
// Ginkgo runs a suite once in a process, and so does Run.
package judge
