//go:build linux && (amd64 || arm64)

package surroundings

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// The first arguments of the two parts; Init recognises them. The factors, as a number, and the program's command line
// follow.
const (
	keeperName = "rocelab-surroundings"
	stageName  = "rocelab-surroundings-stage"
	// probeName is that of a program that ends at once.
	probeName = "rocelab-surroundings-probe"
)

func init() {
	// A thread other than the first would leave its tracer behind when it executes a
	// program, and the stage's filter is its thread's own.
	if len(os.Args) > 1 && os.Args[1] == stageName {
		runtime.LockOSThread()
	}
}

// Init must be called first in main by every program that uses Through, and in TestMain of every test that does. In a
// process that is to be a part of this package it never returns.
func Init() {
	if len(os.Args) == 2 && os.Args[1] == probeName {
		os.Exit(0)
	}
	if len(os.Args) < 4 {
		return
	}
	var become func(Factors, []string) error
	switch os.Args[1] {
	case keeperName:
		become = keep
	case stageName:
		become = execute
	default:
		return
	}
	number, err := strconv.ParseUint(os.Args[2], 10, 8)
	if err == nil {
		err = become(Factors(number), os.Args[3:])
	}
	fmt.Fprintf(os.Stderr, "other surroundings: %v\n", err)
	os.Exit(1)
}

// Through returns the command line to put before the program's own.
func (f Factors) Through() ([]string, error) {
	return []string{self, keeperName, strconv.Itoa(int(f))}, nil
}

// Try returns why this host cannot give a program these surroundings.
func (f Factors) Try(ctx context.Context) error {
	through, err := f.Through()
	if err != nil {
		return err
	}
	out, err := exec.CommandContext(ctx, through[0], append(through[1:], self, probeName)...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s (%w)", bytes.TrimSpace(out), err)
	}
	return nil
}

// self is this program.
const self = "/proc/self/exe"

// keep is the keeper: it runs the stage, which becomes the program, and ends as that
// does.
func keep(factors Factors, program []string) error {
	runtime.LockOSThread() // the tracer is a thread
	files, err := inherited()
	if err != nil {
		return err
	}
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("make socket pair: %w", err)
	}
	theirs := os.NewFile(uintptr(pair[1]), "stage")
	arguments := append([]string{self, stageName, strconv.Itoa(int(factors)), strconv.Itoa(len(files))}, program...)
	stage, err := os.StartProcess(self, arguments, &os.ProcAttr{
		Env:   os.Environ(),
		Files: append(files, theirs),
		Sys:   &syscall.SysProcAttr{Ptrace: true, Pdeathsig: syscall.SIGKILL},
	})
	if err != nil {
		return err
	}
	theirs.Close()
	for _, f := range files[3:] {
		if f != nil {
			f.Close() // its end is the program's alone
		}
	}
	signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGQUIT) // the program decides
	go func() {
		if listener, err := receiveFile(pair[0]); err == nil {
			answer(listener)
		}
	}()
	status, err := trace(stage.Pid, factors)
	if err != nil {
		return err
	}
	if status.Signaled() {
		return fmt.Errorf("the program was ended by a signal: %v", status.Signal())
	}
	os.Exit(status.ExitStatus())
	return nil
}

// inherited returns the files that this process was started with, at the places of their numbers, nil for missing ones.
func inherited() ([]*os.File, error) {
	files := []*os.File{os.Stdin, os.Stdout, os.Stderr}
	const most = 64 // a plugin has some ten
	for fd := 3; fd < most; fd++ {
		flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0)
		if err == nil && flags&unix.FD_CLOEXEC == 0 {
			for len(files) < fd {
				files = append(files, nil)
			}
			unix.CloseOnExec(fd)
			files = append(files, os.NewFile(uintptr(fd), "inherited"))
		}
	}
	return files, nil
}

// trace lets the process run to its end, and for another day takes the kernel's clock
// away from each program that it executes.
func trace(pid int, factors Factors) (status unix.WaitStatus, err error) {
	begun := false
	for {
		if _, err := unix.Wait4(pid, &status, unix.WALL, nil); err == unix.EINTR {
			continue
		} else if err != nil {
			return status, os.NewSyscallError("wait4", err)
		}
		if status.Exited() || status.Signaled() {
			return status, nil
		}
		deliver := 0
		switch stop := status.StopSignal(); {
		case !begun: // the stage, at its first instruction
			begun = true
			err = unix.PtraceSetOptions(pid, unix.PTRACE_O_TRACEEXEC|unix.PTRACE_O_EXITKILL)
		case status.TrapCause() == unix.PTRACE_EVENT_EXEC:
			if factors&Day != 0 {
				err = hideClock(pid)
			}
		default:
			deliver = int(stop)
		}
		if err == nil {
			err = unix.PtraceCont(pid, deliver)
		}
		if err != nil && err != unix.ESRCH {
			return status, err
		}
	}
}
