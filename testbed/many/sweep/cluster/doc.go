// Package cluster brings the shards of a sweep to an engine that places work: Slurm,
// Kubernetes, or the processes of this machine.
//
// It writes what the engine wants (an array script, an Indexed Job) and hands it to the
// site's own client. It keeps no state but files of the sweep's folder, and asks the
// engine for nothing but a view:
//
//	OUT/submit/001/slurm.sh         what was handed over (or job.yaml); users may edit it
//	OUT/submit/001/submission.json  engine, its job, tasks
//	OUT/submit/001/probe            by which a task knows that it sees this very folder
//	OUT/submit/001/logs/            a file a task
//	OUT/submit/001/tries/           what was tried where, a file for each process that tried
//
// For every engine, a task is the same: [Task] looks for the probe, then runs `rocelab sweep OUT --shard i/n` as a
// process. Its exit code decides the next step:
//
//	0, 1, 3        results: done
//	2, 5           final: a row without a result, not tried again
//	4              the host lacks something: another host
//	130, 137, 143  ended from outside: again, each run of the shard by itself, so
//	               that a run which never ends well costs the others nothing
//
// A run is tried three times in a submission. A task that is asked to stop passes that on and ends; its unfinished work
// is left to the next.
package cluster
