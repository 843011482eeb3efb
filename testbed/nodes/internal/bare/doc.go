// Package bare runs a timer beside a live run that only sleeps. It is late if cores are taken.
//
// Model. A thread sleeps to an instant each Beat, by the same calls as the loop of the windows, with the same slack
// and priority. Each instant that has passed when it wakes is a sample, including missed instants: the samples are
// spread evenly over time, as frames of an even stream are. It runs in a process that does not run windows if there
// is one, and holds a processor of the Go runtime while it sleeps; if the runtime takes that back, the sample
// contains the wait for another. It cannot distinguish a core that other programs have from one that rocelab's own
// threads have.
package bare
