// Package twodc holds the specs of a training across two data centres with 120
// km of fibre between them, and of proximal CNP, by which a congested switch has
// the switch next to the sender slow it down.
//
// Source: draft-ji-ccwg-distributed-lossless-mechanism-00. It reports over 90 %
// of the performance of one data centre, and names neither workload nor baseline.
// So workload, bound and what end-to-end ECN alone comes to are stated here:
//
//   - fabric: two-dc at 1/64, 16 NICs of 50 Gb/s at 8 leaves, the DCI
//     oversubscribed 4:1, 2 x 50 Gb/s; links of leaves and spines are wide, so that
//     ECMP's collisions do not show; packets of 4096 B;
//   - hierarchical: two jobs of eight ranks, four in each data centre, 64 MB a rank
//     and iteration, of which 16 MB cross the fibre, one way and once; 10 ms of
//     computation;
//   - exchange: eight jobs of two ranks, one in each data centre, 16 MB each way,
//     10 ms of computation: what crosses the fibre alone;
//   - bound: the iteration of one data centre, which has no congestion, with the
//     crossing at a quarter of the rate and 600 us later: every flow has its fair
//     share at once, and no queue stands. It bounds jobs in step; those that drift
//     apart compute while others send, and can do better.
//
// The part recovered is (ECN - scheme) / (ECN - bound), of mean iteration times.
// Criteria are put to end-to-end ECN too, and must be missed by it.
//
//	go test -v ./specs/twodc                   # with the tables
//	ROCELAB_SLOW=1 go test -v ./specs/twodc    # and over three seeds, both parameter sets, and more iterations
package twodc
