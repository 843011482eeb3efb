// Package fixed is the baseline without congestion control: each flow sends at
// one rate, with one window, whatever happens. What PFC and the buffers do
// alone shows with it.
//
// It asks for no signal: data are not ECN-capable, and no CNP is sent.
package fixed
