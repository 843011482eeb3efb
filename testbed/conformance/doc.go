// Package conformance judges whether an algorithm keeps the contract of package
// cc and does what a congestion control is there for.
//
// Run carries out the checks, one after the other, on a Subject: an algorithm
// that is built in, or a program. They come in four groups:
//
//   - what it says of itself: handshake, parameters;
//   - whether it is a plain state machine: its source; the same events give the
//     same decisions again, in another process, built for another processor, and
//     with the other flows gone;
//   - whether its answers make sense, whatever the events: fuzz, reorder;
//   - what it does to traffic: reaction, recovery, fairness, beside-dcqcn,
//     decision-time.
//
// The last are runs of small scenarios in this process (package mem): one
// switch, links of 100 Gb/s and 1 us. What a sender does is judged by what it
// sent, not by the rate that it decided: a window that holds it back counts as
// much.
//
// The bounds are those that a deployable algorithm should keep on this smallest
// of fabrics. They say nothing of how good it is; the specs do, and the
// scenarios of its paper.
//
// An algorithm that declares itself uncontrolled is exempt from reaction and
// fairness. Where an algorithm that ships misses a check and there is a reason,
// Misses names it; the report then says so, and the check does not fail.
package conformance
