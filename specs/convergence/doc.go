// Package convergence holds specs of PC4 on fabrics for which its paper makes large claims: 100 to 5000 flows onto one
// port, flows on long and short paths, ACKs beside a load, and a controller's messages to a sender that is far away.
// Each list of criteria is also put to a mutant.
//
// How fast and how fairly few flows find their shares, against DCQCN, are rows of
// experiments/pc4, after Qi et al., "PC4: Precision Collective Communication Congestion Control
// for AI Cluster".
//
//	go test -v ./specs/convergence
package convergence
