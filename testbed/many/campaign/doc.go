// Package campaign carries out the runs of every command that makes many of them: run with
// several seeds, compare, sweep, tune, reproduce and test.
//
// A Matrix is runs in their order: it hands them to jobs, judges each as it ends and stops at an interruption or a
// fault. A Meter reports their progress. A Store keeps finished runs, each under an ID that is a digest of all inputs
// of its result, so that a command that was interrupted, or killed, resumes. A Sample estimates the cost of runs before
// they begin, and Room bounds their memory.
//
// The package does not know scenarios or runners: the caller hands in how a run is planned and carried out. Package
// experiment has the runs of rocelab run, package comparison the runs of contenders, package sweep the runs of a plan.
package campaign
