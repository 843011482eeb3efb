// Package experiment carries out a scenario: it runs each variant with each
// seed, judges and writes every run as it ends, and brings back the report that
// stands on a person's screen.
//
// It knows no runner: the caller hands one in, so that the same experiment runs
// in process or on the testbed. An interrupted run ends the experiment; what
// there is by then is written and marked. A run that fails with an error
// leaves no run folder.
package experiment
