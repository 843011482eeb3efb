// Package twodc holds the specs of a training across two data centres with 120 km of fibre between them, and of
// proximal CNP, by which a congested switch asks the switch next to the sender to slow it down.
//
// Source: draft-ji-ccwg-distributed-lossless-mechanism-00. It reports over 90 %
// of the performance of one data centre, and names neither workload nor baseline.
// So both are stated here:
//
//   - fabric: two-dc at 1/64, 16 NICs of 50 Gb/s at 8 leaves, the DCI
//     oversubscribed 4:1; links of leaves and spines are wide, so that ECMP's
//     collisions are those at the fibre; packets of 4096 B;
//   - one job (lab.OneJob): one spine a site, one DCI link, eight ranks, four in each
//     data centre, 64 MB a rank and iteration, of which 16 MB cross the fibre, one
//     way and once; 10 ms of computation. No draw of paths, no drift of jobs;
//   - two jobs: specs/scenarios/two-dc.yaml, whose paths ECMP draws.
//
// A run is held against the bound of its own plan, bound_us. Each part of the scheme
// has a spec, which a mutant without the part turns red. The part won back is (ECN -
// scheme) / (ECN - bound), of mean iteration times. The claim of the draft is rows R1
// and R6 of experiments/draft.
//
//	go test -v ./specs/twodc                   # one job
//	ROCELAB_SLOW=1 go test -v ./specs/twodc    # and ten draws of ECMP, with the table
package twodc
