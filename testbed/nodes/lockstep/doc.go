// Package lockstep is the barrier between the processes of a testbed: windows
// of model time, granted through one page of shared memory.
//
// A participant is a process that hosts one or more nodes. In a window it takes
// the frames that were announced to it, advances its nodes, sends what they
// send, announces that, and is done; the last one to be done concludes the
// window: it finds the earliest pending event of all, cuts the next window and
// wakes those that have work in it. So no process but the participants takes
// part, and one that stays busy from window to window is never put to sleep.
//
// The page carries time, sequence and counts, nothing else: whatever a node
// learns it learns from the bytes of a frame. What participants tell of themselves
// (Member.Tell) is for display alone, and read by nobody in the run. Its words are written by one
// participant each, or by whoever concludes a window while those that it wakes
// still wait; the arrivals announced alone take minima of several senders.
//
// Waiting is a futex with a bit for each participant (FUTEX_WAIT_BITSET), so
// that one system call wakes just those with work, up to 32 of them; a wait
// that lasts gives its processor up to the Go runtime, and costs nothing from
// then on.
//
// A run may be held to the clock on the wall (Setup.Clock): whoever concludes a window
// then waits for the next one's time, in the same futex, before it grants that. Models
// see nothing of it: on a machine that is too slow model time lags behind. Participants
// to which input comes from outside (Setup.Looks) take part in every window, are served
// while they wait, and bring the next window forward when input came (Member.Hasten).
package lockstep
