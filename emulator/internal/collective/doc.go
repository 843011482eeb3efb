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
// Reduction takes no extra time: a host's computation is in the phase before.
//
// # Methods
//
// Bytes and steps a rank, of S bytes over n ranks:
//
//	all-reduce      ring               2 (n-1) steps of S/n, rank r to r+1
//	                halving-doubling   2 log2 n steps: S/2, S/4 .. S/n with ranks 1, 2, 4 .. apart, and back
//	                tree               binary tree: reduce to rank 0, then broadcast, in chunks
//	                parameter-server   all to rank 0, which answers when it has all
//	                hierarchical       in G groups of m = n/G: m-1 steps of S/m around a ring in
//	                                   each, S/m to and from the ranks in the same place of the
//	                                   other groups, m-1 steps of S/m around the ring again
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
// al., OSDI 2014 (parameter server); Mikami et al., "Massively Distributed SGD:
// ImageNet/ResNet-50 Training in a Flash", arXiv:1811.05233, 2018 (2D-torus
// all-reduce: a ring reduce-scatter in one dimension, an all-reduce of the pieces in
// the other, a ring all-gather in the first); NVIDIA nccl-tests, doc/PERFORMANCE.md (sizes and bandwidths).
//
// # Limits
//
// One binary tree, not NCCL's double one; no choice among methods by size; a
// power of two of ranks where distances are halved.
//
// The hierarchy has two levels, and is for an all-reduce only. Differs from the paper: between groups the pieces are
// exchanged directly. A long way between groups is then crossed once per operation, while a ring through G groups
// crosses it 2 (G-1) times, one after the other; in exchange a rank sends (G-1) S/m there and not 2 (G-1)/G S/m, which
// is the same for two groups. As with the other methods a rank is done only when its data is acknowledged: if the last
// ring steps take less time than an ACK needs back over the long way, the ACK determines the time of the operation.
package collective
