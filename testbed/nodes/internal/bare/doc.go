// Package bare runs a timer beside a live run that only sleeps. Its delay is the host's part of lateness.
//
// Model. A thread sleeps to an instant each Beat, by the same calls as the loop of the windows, with the same
// slack and priority. Each instant that has passed when it wakes is a sample, including missed instants: the samples
// are spread evenly over time, as frames of an even stream are. It runs in a process that does not run windows
// if there is one; the timer holds a processor of the Go runtime of its own, so that goroutines never delay it. It
// cannot distinguish a core that other programs have from one that rocelab's own threads have.
package bare
