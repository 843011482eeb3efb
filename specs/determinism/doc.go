// Package determinism shows the promise on which all other results rest: a
// scenario and a seed give one result, to the picosecond and the byte, however
// the run is carried out. Neither the length of the windows shows, nor the
// number of workers, nor whether frames travel as pointers or as bytes, nor that
// an algorithm is a process; a seed or a parameter that differs does show.
//
// What is compared is the trace hash and every file of the run folder but its
// manifest: summary, flows, ports, queues, PFC, drops, time series.
//
// Source: the design of rocelab, "windows". Windows are as long as the fabric's
// lookahead L or shorter; here they are L, L/2, L/7 and, from 1 ps to L, of
// random length.
package determinism
