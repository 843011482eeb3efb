// Package determinism shows the promise on which all other results rest: a scenario and a seed give one result, to the
// picosecond and the byte, for any way of carrying out the run. The result does not depend on the length of the
// windows, on the number of workers, on whether frames travel as pointers or as bytes, or on whether an algorithm is a
// process; a seed or a parameter that differs does show.
//
// It compares the trace hash and every file of the run folder except its manifest: summary, flows, ports, queues, PFC,
// drops, time series.
//
// Source: the design of rocelab, "windows". Windows are as long as the fabric's
// lookahead L or shorter; here they are L, L/2, L/7 and, from 1 ps to L, of
// random length.
package determinism
