// Package fixed is the baseline without congestion control: each flow sends at one rate, with one window, whatever
// happens. It shows the effects of PFC and the buffers by themselves.
//
// It asks for no signal: data are not ECN-capable, and no CNP is sent.
package fixed
