// Package experiment carries out a scenario's variants, each with each seed: rocelab run.
//
// An Experiment is a campaign that makes one run at a time and writes them into a run folder; its Report is for a
// person's screen. Package comparison uses the parts that print runs side by side, too.
//
// It does not know a runner: the caller hands one in, so that the same experiment runs in process or on the testbed. An
// interrupted run ends the matrix; the results so far are written and marked, also when an algorithm fails. Any other
// error leaves no run folder.
package experiment
