// Package bare runs a timer beside a live run that does nothing but sleep: how late it wakes is the host's part of
// lateness.
//
// Model. A thread sleeps to instants that are pace.Beat apart, by the same calls as the loop of the windows, with the
// same slack and priority. Each instant that has passed when it wakes is a sample, also those that it slept through: the
// samples are spread evenly over time, as frames of an even stream are. It runs in a process that does not run windows
// if there is one; the timer holds a processor of the Go runtime of its own, so that goroutines never delay it. What
// cannot be told apart is a core that other programs have and one that rocelab's own threads have.
package bare
