// Package sweep carries out many runs of one scenario: values of its keys, x variants, x
// seeds.
//
// A Plan lists the runs in their order. What a run is called follows from its content: the
// ID is a digest of all that decides its result, so that two ways to write a run have one
// name, and a rebuilt program goes on where another stopped. Results are in a store of package
// campaign: each is published under its name by one rename, and one that is there is done. So
// two processes or machines that share the folder need no lock, and a run that both made is
// the same one. A Shard is a part of a plan, for whoever places work on machines.
//
// The package knows no scheduler: it runs a shard here, and testbed/many/sweep/cluster writes
// what others need to do the same.
package sweep
