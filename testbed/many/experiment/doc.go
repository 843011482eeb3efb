// Package experiment carries out a scenario's variants, each with each seed: rocelab run.
//
// An Experiment is a campaign of one run at a time, which are written into a run folder; its
// Report is for a person's screen. What it prints of runs side by side, package comparison
// uses too.
//
// It does not know a runner: the caller hands one in, so that the same experiment runs in process or on the testbed. An
// interrupted run ends the matrix; the results so far are written and marked, also when an algorithm fails. Any other
// error leaves no run folder.
package experiment
