// Package traffic turns an entry of a scenario's traffic, such as "an incast of
// 16", into flows.
//
// Flows start by the clock: at the entry's start, spaced if the entry asks for
// it, never by the end of another flow; for what waits for others see the
// package collective. Flows of one run that are due at the
// same instant would meet the switch in the order of its ports, the same one
// each time; each of them is therefore given an offset, uniform from 0 up to
// but not including the time of one full-size frame at its sender's line rate.
// An entry's jitter, if longer, takes the place of that frame time. A flow that
// is alone at its instant, and has no jitter, starts exactly then.
//
// Flows of a Poisson entry arrive at exponential gaps, at a mean that follows from the load and the mean of the
// distribution of sizes. An incast can repeat, each time with newly drawn senders.
//
// Chance comes from streams named after the entry or the flow, so that a seed
// gives the same flows on every machine, and an added entry does not change
// the pairs or the offsets of the others.
package traffic
