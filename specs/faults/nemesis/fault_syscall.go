//go:build linux

package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
)

const kindCalls = "system calls: INT, KILL, ENOSPC, EIO at the n-th"

// callFaults meet a command at a system call, which strace (1) counts: the moment is the program's own, and no clock's.
var callFaults = []Fault{
	atCall("INT at a call", "signal=SIGINT", busyCalls, []int{130, 4, bySignal(syscall.SIGINT)}, false),
	atCall("KILL at a call", "signal=SIGKILL", busyCalls, []int{bySignal(syscall.SIGKILL)}, true),
	atCall("ENOSPC at a call", "error=ENOSPC", fileCalls, []int{2, 4, 5}, false),
	atCall("EIO at a call", "error=EIO", fileCalls, []int{2, 4, 5}, false),
}

// busyCalls are calls that a command makes all the time, fileCalls the ones that make and name files. Go's runtime
// writes to descriptors of its own, and dies if that fails: write is not among the latter.
var (
	busyCalls = strings.Fields("openat read write close fstat newfstatat mmap fsync futex getdents64 unlinkat " +
		"epoll_pwait")
	fileCalls = strings.Fields("openat mkdirat renameat fsync unlinkat ftruncate")
)

// atCall is a fault at a system call of the case's choice, the first times or later.
func atCall(name, what string, calls []string, codes []int, leaves bool) Fault {
	return Fault{
		Kind: kindCalls,
		Name: name,
		Fits: func(c *Case) bool { return c.isVerb() && !c.waits() || c.Form == "mem" && c.Algorithm != "python" },
		Before: func(b *bed) error {
			if _, err := exec.LookPath("strace"); err != nil {
				return nil
			}
			ranges := []uint64{2, 4, 8, 32} // strace counts the calls of each thread
			nth := 1 + (b.Pick>>16)%ranges[(b.Pick>>8)%uint64(len(ranges))]
			call := calls[b.Pick%uint64(len(calls))]
			b.traced = []string{"strace", "-f", "-qqq", "-o", b.path("calls"), "--seccomp-bpf", "-e", "trace=" + call,
				fmt.Sprintf("--inject=%s:%s:when=%d", call, what, nth)}
			b.note("%s", strings.Join(b.traced, " "))
			return nil
		},
		Inject: func(b *bed) error {
			if b.traced == nil {
				return errRefused
			}
			if text, err := os.ReadFile(b.path("calls")); err != nil || !strings.Contains(string(text), "(INJECTED)") &&
				!strings.Contains(string(text), "--- SIGINT") && !strings.Contains(string(text), "+++ killed") {
				return errAbsent // not yet
			}
			return nil
		},
		Codes:  codes,
		Leaves: leaves,
	}
}
