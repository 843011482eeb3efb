// Package collective turns a collective operation, such as an all-reduce over a
// ring, into flows whose messages wait for each other, and into the phases of
// its ranks.
//
// # Model
//
// A rank is a NIC. In each iteration a rank first computes; then the operation
// runs, and the rank is done with it when it has received all and all that it
// sent is acknowledged; then it computes for the next. There is no barrier
// between ranks: a fast one waits only for the messages that it needs. What
// waits, waits for what its own NIC sees: see plan.Await.
//
// Two ranks that exchange messages have one connection each way for the whole
// job, as collective libraries have, and messages leave on it one by one.
// So the congestion control of a connection keeps what it learned from one
// step, and one iteration, to the next. All messages of a connection have one
// size.
//
// Reducing takes no time of its own: what a host computes is in the phase before.
//
// # Methods
//
// Bytes and steps a rank, of S bytes over n ranks:
//
//	all-reduce      ring               2 (n-1) steps of S/n, rank r to r+1
//	                halving-doubling   2 log2 n steps: S/2, S/4 .. S/n with ranks 1, 2, 4 .. apart, and back
//	                tree               binary tree: reduce to rank 0, then broadcast, in chunks
//	                parameter-server   all to rank 0, which answers when it has all
//	all-gather,     ring               n-1 steps of S/n
//	reduce-scatter  halving-doubling   log2 n steps, S/n .. S/2 or S/2 .. S/n
//	all-to-all      direct             S/n to each other rank, all at once
//	                pairwise           n-1 steps of S/n, rank r to r+s and from r-s
//	broadcast       tree               binary tree from rank 0, in chunks
//	                ring               chain from rank 0, in chunks
//	permute         direct             S, rank r to r+1
//
// # Sources
//
// Thakur, Rabenseifner, Gropp, "Optimization of Collective Communication
// Operations in MPICH", IJHPCA 19(1), 2005 (ring, recursive halving and
// doubling, pairwise exchange); Patarasuk, Yuan, "Bandwidth Optimal All-reduce
// Algorithms for Clusters of Workstations", JPDC 69(2), 2009 (ring); Li et
// al., OSDI 2014 (parameter server); NVIDIA nccl-tests, doc/PERFORMANCE.md (sizes and bandwidths).
//
// # Limits
//
// One binary tree, not NCCL's double one; no choice among methods by size; no
// hierarchy of methods; a power of two of ranks where distances are halved.
package collective
