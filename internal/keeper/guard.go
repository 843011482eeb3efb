//go:build linux && !mem

package keeper

import (
	"encoding/json"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// guard starts the keeper of a program that is not in a PID namespace, and ends after it. The host knows only this
// process. If the host, or a library of it, kills the process that it knows, the keeper goes on and does its work: the
// processes that the program has started would escape a killed keeper. The children of a keeper that was killed come to
// this process, which is a subreaper too.
func (k *keep) guard(args []string) *Error {
	if failed := k.settle(); failed != nil {
		return failed
	}
	ignoreSignals()
	k.order.Guard = os.Getpid()
	text, err := json.Marshal(k.order)
	if err != nil {
		return newError("order", err)
	}
	var files []uintptr
	for descriptor := range firstFile + k.order.passed() {
		files = append(files, uintptr(descriptor))
	}
	resumed := make(chan os.Signal, 1)
	signal.Notify(resumed, unix.SIGCONT)
	// Its end is a signal that also wakes a keeper that was stopped.
	attr := &syscall.ProcAttr{Env: os.Environ(), Files: files, Sys: &syscall.SysProcAttr{Pdeathsig: unix.SIGCONT}}
	k.pid, _, err = syscall.StartProcess("/proc/self/exe", append([]string{name, string(text)}, args...), attr)
	if err != nil {
		return newError("start under a guard", err)
	}
	go func() {
		for range resumed { // by the end of the host, perhaps
			unix.Kill(k.pid, unix.SIGCONT)
		}
	}()
	for i := range k.order.passed() {
		unix.Close(firstFile + i)
	}
	if null, err := unix.Open(os.DevNull, unix.O_RDWR|unix.O_CLOEXEC, 0); err == nil {
		leaveOutput(null)
	}
	k.await()
	k.clear()
	return nil
}

// orphaned reports whether the guard that this keeper was started by, if it was, is
// gone.
func (k *keep) orphaned() bool { return k.order.Guard != 0 && os.Getppid() != k.order.Guard }
