package doctor

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// FIFO reports whether this process may give a thread of its own real-time priority
// (SCHED_FIFO), and why or why not. It gives none to any.
func FIFO() (may bool, why string) { return host{root: "/"}.fifo(prioLimit()) }

// prioLimit is the highest real-time priority that this process may ask for by its
// limits; 0 for none.
func prioLimit() uint64 {
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_RTPRIO, &limit) != nil {
		return 0
	}
	return limit.Cur
}

func (h host) fifo(limit uint64) (may bool, why string) {
	effective, err := h.field("proc/self/status", "CapEff", 16)
	if err != nil {
		return false, err.Error()
	}
	if runtime, err := h.number("proc/sys/kernel/sched_rt_runtime_us"); err == nil && runtime == 0 {
		return false, "sched_rt_runtime_us is 0: the kernel gives such threads no time"
	}
	switch {
	case effective&(1<<unix.CAP_SYS_NICE) != 0:
		return true, "CAP_SYS_NICE is there"
	case limit > 0:
		return true, fmt.Sprintf("RLIMIT_RTPRIO is %d", limit)
	}
	return false, "neither CAP_SYS_NICE nor an RLIMIT_RTPRIO above 0"
}
