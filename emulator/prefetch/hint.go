//go:build amd64 || arm64

package prefetch

import "unsafe"

// Line asks for the cache line at p. p may be nil.
//
//go:noescape
func Line(p unsafe.Pointer)
