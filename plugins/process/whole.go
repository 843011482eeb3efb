//go:build !mem

package process

// OnlyMem reports whether the program was built for runs in this process alone,
// by the tag mem.
const OnlyMem = false
