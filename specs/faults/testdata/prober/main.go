//go:build linux

// Command prober is a plugin that tries at its first event the thing that its parameter names, and prints the result.
package main

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/serve"
)

func main() { serve.Algorithm(algorithm{}) }

type algorithm struct{}

func (algorithm) Describe() cc.Description {
	return cc.Description{
		Name:    "prober",
		Version: "1.0.0",
		Summary: "tries what it may do",
		Source:  "specs",
		Params: []cc.Param{
			cc.Choice("do", "reach").Of("reach", "abi", "memory", "tasks", "log").Doc("what").From("specs"),
		},
	}
}

func (algorithm) New(p cc.Params) (cc.Controller, error) { return controller{p.Choice("do")}, nil }

type controller struct{ do string }

func (controller) Signals() cc.Signals                { return cc.Signals{} }
func (c controller) NewSender(cc.Facts) cc.Sender     { return sender{&c, &sync.Once{}} }
func (c controller) NewReceiver(cc.Facts) cc.Receiver { return nil }

type sender struct {
	*controller
	once *sync.Once
}

func (s sender) Handle(*cc.Event, *cc.Decision) {
	s.once.Do(map[string]func(){"reach": reach, "abi": abi, "memory": memory, "tasks": tasks, "log": fillLog}[s.do])
}

// say prints a line of the report.
func say(what string, came any) { fmt.Fprintf(os.Stderr, "tried %s: %v\n", what, came) }

// reach tries to reach its daemon, its keeper and the kernel.
func reach() {
	status, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(status)) {
		name, value, _ := strings.Cut(line, ":")
		switch name {
		case "CapEff", "CapPrm", "CapInh", "CapAmb", "NoNewPrivs":
			say(name, strings.TrimSpace(value))
		}
	}
	say("being root", os.Getuid() == 0 || os.Getgid() == 0)
	for who, pid := range map[string]int{"daemon": 1, "keeper": os.Getppid()} {
		_, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
		say("the descriptors of the "+who, bare(err))
		_, err = os.OpenFile(fmt.Sprintf("/proc/%d/mem", pid), os.O_RDWR, 0)
		say("the memory of the "+who, bare(err))
		say("to end the "+who, bare(unix.Kill(pid, unix.SIGKILL)))
		say("to stop the "+who, bare(unix.Kill(pid, unix.SIGSTOP)))
	}
	call := func(what string, number uintptr, args ...uintptr) {
		args = append(args, 0, 0, 0, 0, 0, 0)
		_, _, errno := unix.Syscall6(number, args[0], args[1], args[2], args[3], args[4], args[5])
		say(what, bare(errno))
	}
	call("ptrace", unix.SYS_PTRACE, unix.PTRACE_ATTACH, 1)
	call("process_vm_readv", unix.SYS_PROCESS_VM_READV, 1)
	pidfd, err := unix.PidfdOpen(1, 0)
	say("pidfd_open", bare(err))
	call("pidfd_getfd", unix.SYS_PIDFD_GETFD, uintptr(pidfd), 3)
	call("bpf", unix.SYS_BPF)
	call("io_uring_setup", unix.SYS_IO_URING_SETUP, 8)
	call("perf_event_open", unix.SYS_PERF_EVENT_OPEN)
	call("keyctl", unix.SYS_KEYCTL)
	call("userfaultfd", unix.SYS_USERFAULTFD)
	call("mount", unix.SYS_MOUNT)
	call("unshare", unix.SYS_UNSHARE, unix.CLONE_NEWUSER)
	call("setns", unix.SYS_SETNS)
	call("clone of a user namespace", unix.SYS_CLONE, unix.CLONE_NEWUSER|uintptr(unix.SIGCHLD))
	call("clone3", unix.SYS_CLONE3)
	call("sync", unix.SYS_SYNC)
	call("personality", unix.SYS_PERSONALITY, 0xffff_ffff)
	call("mknod", unix.SYS_MKNODAT)
	call("chroot", unix.SYS_CHROOT)
	for what, family := range map[string]int{"netlink": unix.AF_NETLINK, "packet": unix.AF_PACKET, "inet": unix.AF_INET,
		"vsock": unix.AF_VSOCK, "alg": unix.AF_ALG} {
		_, err := unix.Socket(family, unix.SOCK_RAW, 0)
		say("a socket of family "+what, bare(err))
	}
	_, err = unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	say("a socket of family unix", bare(err))
	say("to be root", bare(syscall.Setuid(0)))
	say("a file in /tmp", bare(os.WriteFile("/tmp/x", nil, 0o600)))
	_, err = os.ReadDir("/tmp")
	say("the names in /tmp", bare(err))
	// Another thread than the one that is about to make the call, as the kernel asks.
	say("its own limit", bare(unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{})))
}

// bare is an error without what depends on the process.
func bare(err error) any {
	if errno := syscall.Errno(0); err == nil || err == errno {
		return "done"
	}
	for {
		inner, ok := err.(interface{ Unwrap() error })
		if !ok {
			return err
		}
		err = inner.Unwrap()
	}
}

// abi makes a system call of another ABI, if the processor has one.
func abi() {
	const x32 = 0x4000_0000
	_, _, errno := unix.RawSyscall(x32|unix.SYS_GETPID, 0, 0, 0)
	say("another ABI", errno)
}

// memory takes 2 GB.
func memory() {
	var held [][]byte
	for range 32 {
		held = append(held, bytes.Repeat([]byte{1}, 64<<20))
	}
	say("2 GB", "done")
	runtime.KeepAlive(held)
}

// tasks makes 1000 threads.
func tasks() {
	var started sync.WaitGroup
	for range 1000 {
		started.Add(1)
		go func() {
			runtime.LockOSThread()
			started.Done()
			unix.Ppoll(nil, nil, nil)
		}()
	}
	started.Wait()
	say("1000 threads", "done")
}

// fillLog prints 8 MB.
func fillLog() {
	line := bytes.Repeat([]byte("word "), 200)
	for range 8 << 10 {
		os.Stderr.Write(line)
	}
	say("8 MB", "done")
}
