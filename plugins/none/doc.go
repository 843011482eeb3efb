// Package none does not control at all: each flow sends at the line rate, without a window, whatever happens. It has no
// parameters, so that a run "without congestion control" means the same everywhere; package fixed has a rate and a
// window to choose.
//
// It asks for no signal: data are not ECN-capable, and no CNP is sent. The flow is bounded by PFC, or by the buffers if
// that is off.
package none
