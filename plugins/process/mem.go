//go:build mem

package process

// OnlyMem reports whether the program was built for runs in this process alone,
// by the tag mem: without the testbed, programs of algorithms and the checks of
// algorithms, whose libraries are most of what a first build compiles.
const OnlyMem = true
