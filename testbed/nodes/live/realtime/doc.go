// Package realtime gives the threads that run windows real-time priority: SCHED_FIFO at
// its lowest level, 1, so that no thread of normal priority delays them (sched(7)).
//
// Such a thread can take a core from all others. Three things bound that. A host with one core is refused. The kernel
// limits the time that a thread may run without a wait (RLIMIT_RTTIME): after 500 ms it notes that, after a second it
// kills the process. And a Guard, whose own thread has normal priority, takes the class away from a thread that the
// kernel noted, and from one that had more than 80 % of a core for a second; that thread goes on at normal priority,
// and is named. A daemon whose guard has died, with the command that ran it, ends itself if its windows do not end.
//
// The class is given from outside: a daemon in a container has no right to it, and gets none. It names the thread on
// which windows run, and the kernel names its process. Children of a thread of this class have normal priority
// (SCHED_FLAG_RESET_ON_FORK).
package realtime
