// Package engine runs the nodes of a fabric in one process, window by window.
//
// Two nodes cannot influence each other sooner than the latency between them plus the time of the shortest frame; the
// least of that over all links is the lookahead L. A window is [T, T+L') with T the earliest pending event of all
// nodes, frames in flight included, and L' <= L: inside it every node runs independently, then the frames that started
// are handed over. Idle time costs nothing. The cuts between windows never show in a result, which is the main property
// test of this package and of the models.
//
// Windows are short (a microsecond of a busy star is a few microseconds of
// work), so a second worker pays only on large fabrics. The runner finds out
// by trying: it measures both ways now and again and keeps the faster.
// Wall-clock time decides that and nothing else.
package engine
