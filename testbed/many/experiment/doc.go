// Package experiment carries out the runs that a command asks for: its
// contenders or variants, each with each seed.
//
// A Matrix is those runs, in their order; it hands them to jobs, judges each as
// it ends, tells a Meter how far they are, and stops at an interruption or a
// fault. An Experiment is the matrix of rocelab run: a scenario's variants, one
// run at a time, written into a run folder; its Report is for a person's
// screen. Package comparison presents a matrix of contenders.
//
// Neither knows a runner: the caller hands one in, so that the same experiment
// runs in process or on the testbed. An interrupted run ends the matrix; what
// there is by then is written and marked, and so it is when an algorithm fails. Any
// other error leaves no run folder.
package experiment
