// Package sweep carries out many runs of one scenario: values of its keys, x variants, x
// seeds.
//
// A Plan lists the runs in their order. A run's name follows from its content: the ID is a digest of all inputs of its
// result, so that two ways to write a run have one name, and a rebuilt program resumes another's work. Results are in a
// store of package campaign: each is published under its name by one rename, and one that is there is done. So two
// processes or machines that share the folder do not need a lock, and a run that both made is the same one. A Shard is
// a part of a plan, for placing work on machines.
//
// The package does not know schedulers: it runs a shard here, and testbed/many/sweep/cluster writes the files with
// which others do the same.
package sweep
