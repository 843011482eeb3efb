// Package command shows what a user of live runs meets, through the program itself: runs with hosts that have
// their own stack, their folders and their replay; what is refused, and in which words; and that a
// machine's interfaces are as they were after every end of a run, SIGKILL included.
//
// The specs carry the label "live", are slow, and need root; what a host lacks is named.
package command
