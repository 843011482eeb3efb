// Package source reads the Go source of an algorithm and finds what keeps it
// from computing the same bits on every processor and in every process: a float
// product inside a sum without float64(), which a compiler may fuse; functions
// of package math that are computed as the processor likes; loops over maps;
// clocks, goroutines, files, chance of its own; package variables that change.
//
// The rules are the rules of package cc. They are about the source itself:
// what an algorithm does by way of another module is not seen.
package source
