// Package campaign carries out the runs of every command that makes many of them: run with
// several seeds, compare, sweep, tune, reproduce and test.
//
// A Matrix is runs in their order: it hands them to jobs, judges each as it ends and stops at
// an interruption or a fault. A Meter reports how far they are. A Store keeps what is done,
// each run under an ID that is a digest of all that decides its result, so that a command that
// was interrupted, or killed, goes on where it was. A Sample estimates what runs cost before
// they begin, and Room bounds their memory.
//
// The package knows neither scenarios nor runners: whoever has the runs hands in how one is
// planned and carried out. Package experiment has those of rocelab run, package comparison
// those of contenders, package sweep those of a plan.
package campaign
