// Package convergence holds the specs of how fast, and how fairly, flows find
// their share of a port: PC4 against DCQCN.
//
// They repeat three experiments of Qi et al., "PC4: Precision Collective
// Communication Congestion Control for AI Cluster": the n-to-1 incast of Figure
// 6(a), the long and the short flow of Figures 6(b) and 6(c), and the five flows
// that join and leave of Figure 10. The fabric is 100 Gb/s and 1 us a link, a
// packet carries 1000 B, and both algorithms run with their default parameters
// (DCQCN with NVIDIA's); other settings stand in rows of their own.
//
// Bounds hold for medians over five seeds. Published figures are targets: the
// tables say whether they were reached, and nothing is asserted of them. Where a
// bound is missed by the algorithm as it is, a spec of its own says so, with the
// cause and with what was measured instead.
//
// Every list of criteria is also put to a mutant, in which PC4 has one
// deliberate fault, and must be missed by it.
//
//	go test -v ./specs/convergence                # with the tables
//	ROCELAB_SLOW=1 go test ./specs/convergence    # with flows of 100 MB
package convergence
