//go:build linux && !mem

package process

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// TakeTurns binds the calling thread, and so the plugins that it starts, to one of the processors that it may use: the
// index-th, counted round. A host and its plugin never run at the same time; if the kernel puts them on two processors
// each waits for the other's to wake up, which can take ten times as long as an answer. Calling back ends that. If the
// kernel refuses, nothing is bound, and answers are slower but the same.
func TakeTurns(index int) (back func()) {
	runtime.LockOSThread()
	var allowed, one unix.CPUSet
	if unix.SchedGetaffinity(0, &allowed) != nil || allowed.Count() == 0 {
		return runtime.UnlockOSThread
	}
	skip := index % allowed.Count()
	for cpu := 0; ; cpu++ {
		if !allowed.IsSet(cpu) {
			continue
		}
		if skip == 0 {
			one.Set(cpu)
			break
		}
		skip--
	}
	if unix.SchedSetaffinity(0, &one) != nil {
		return runtime.UnlockOSThread
	}
	return func() {
		unix.SchedSetaffinity(0, &allowed)
		runtime.UnlockOSThread()
	}
}
