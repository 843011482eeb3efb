// Package surroundings carries a program out in surroundings other than this process's: on another day, on another
// number of processors, with another environment, at other addresses. An algorithm must not notice; `rocelab algorithm
// check` tests that.
//
// Model. Through returns a command line to put before the program's own. It runs
// this executable twice more: as the keeper, which becomes the program's parent,
// and as the stage, which gives itself the other surroundings and then executes the
// program. So main must call Init first.
//
// The other day needs the keeper. A program asks for the time without a system
// call, of code that the kernel maps into it (vdso(7)). The keeper traces each
// execve and strikes that code from the auxiliary vector (getauxval(3)), before the
// program's first instruction. From then on the program has to ask the kernel, a
// seccomp filter sends the question to the keeper, and the keeper answers
// (seccomp_unotify(2)). Only the time of day changes, not the monotonic clock.
//
// Limits. Linux on amd64 and arm64. Other information about the machine, such as /proc/cpuinfo or the processor's time
// stamp counter, stays as it is. A host with one processor has no other number. Chance does not need other
// surroundings: it differs at each start.
package surroundings
