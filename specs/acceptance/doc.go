// Package acceptance holds the specs that any congestion-control algorithm can
// be held to, as a black box and by its name: it completes an incast without
// loss, keeps queues bounded, shares fairly among equals, makes room and takes
// it back, survives losses and an outage, stands wrong clocks, is
// deterministic, and does on a testbed of containers what it does in memory.
// They are what `rocelab test` runs, so they stand in the program and not in
// test files.
//
// What a paper claims of one algorithm is no business of these specs; the
// other folders of specs hold that. The bounds here are wide: a good algorithm
// is far from them, and its figures are reported beside the result.
//
// An algorithm that declares itself uncontrolled (cc.Description) is exempt
// from the specs labelled convergence and fairness and from the bound on
// queues; one that declares a time of recovery is given that time.
//
// Ginkgo runs a suite once in a process, and so does Run.
package acceptance
