// Package command shows a user's view of live runs, through the program itself: runs with hosts that have their own
// stack, their folders and their replay; refusals with their words; and that a machine's interfaces are as before after
// every end of a run, SIGKILL included.
//
// The specs carry the label "live", are slow, and need root; what a host lacks is named.
package command
