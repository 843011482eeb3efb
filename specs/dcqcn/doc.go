// Package dcqcn holds the specs of algorithms mixed in one fabric: groups of flows under
// DCQCN, PC4 and none, each by its own entry of the traffic.
//
// What an article claims of DCQCN's ways to recover is in experiments/article, row by row.
//
//	go test -v ./specs/dcqcn
package dcqcn
