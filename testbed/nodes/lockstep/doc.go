// Package lockstep is the barrier between the processes of a testbed: windows
// of model time, granted through one page of shared memory.
//
// A participant is a process that hosts one or more nodes. In a window it takes the frames that were announced to it,
// advances its nodes, sends their frames, announces these, and is done; the last one to be done concludes the window:
// it finds the earliest pending event of all, cuts the next window and wakes the participants that have work in it. So
// only the participants take part, and one that stays busy from window to window is never put to sleep.
//
// The page carries time, sequence and counts, nothing else: all that a node learns it learns from the bytes of a frame.
// The progress that participants publish (Member.Tell) is for display only, and is not read in the run. Its words are
// written by one participant each, or by the one that concludes a window while the ones that it wakes still wait; only
// the announced arrivals take minima of several senders.
//
// Waiting is a futex with a bit for each participant (FUTEX_WAIT_BITSET), so
// that one system call wakes just those with work, up to 32 of them; a wait
// that lasts gives its processor up to the Go runtime, and costs nothing from
// then on.
//
// A run may be held to the clock on the wall (Setup.Clock): the participant that concludes a window then waits for the
// next one's time, in the same futex, before it grants that. Models do not see it: on a machine that is too slow model
// time lags behind. Participants with input from outside (Setup.Looks) take part in every window, are served while they
// wait, and bring the next window forward when input came (Member.Hasten).
//
// Waking costs such a run most: a window waits up to nap.Grain for something else that wakes the thread, two timed
// wake-ups are as far apart at least, and a wait that is shorter than the processor time of a sleep spins
// (Member.MeasureSleep). A participant that is the only one waits for its sockets itself (Member.Watch).
package lockstep
