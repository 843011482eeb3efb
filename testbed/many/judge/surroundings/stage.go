//go:build linux && (amd64 || arm64)

package surroundings

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"unsafe"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// execute is the stage: it takes the other surroundings and executes the program.
// The first argument is the number of the socket to the keeper.
func execute(factors Factors, arguments []string) error {
	socket, err := strconv.Atoi(arguments[0])
	if err != nil {
		return err
	}
	unix.CloseOnExec(socket)
	program := arguments[1:]
	if factors&Processors != 0 {
		if err := changeProcessors(); err != nil {
			return err
		}
	}
	if factors&Addresses != 0 {
		const compatLayout, noRandomize = 0x0200000, 0x0040000 // linux/personality.h
		if _, _, errno := unix.Syscall(unix.SYS_PERSONALITY, compatLayout|noRandomize, 0, 0); errno != 0 {
			return fmt.Errorf("personality: %w", errno)
		}
	}
	path, err := exec.LookPath(program[0])
	if err != nil {
		return err
	}
	if factors&Day != 0 {
		listener, err := askKeeper()
		if err != nil {
			return fmt.Errorf("filter system calls: %w", err)
		}
		if err := unix.Sendmsg(socket, []byte{0}, unix.UnixRights(listener), nil, 0); err != nil {
			return err
		}
	}
	return fmt.Errorf("execute %s: %w", path, unix.Exec(path, program, os.Environ()))
}

// receiveFile receives the file that the stage sends.
func receiveFile(socket int) (int, error) {
	room := make([]byte, unix.CmsgSpace(4))
	_, n, _, _, err := unix.Recvmsg(socket, make([]byte, 1), room, unix.MSG_CMSG_CLOEXEC)
	if err != nil {
		return -1, err
	}
	messages, err := unix.ParseSocketControlMessage(room[:n])
	if err != nil || len(messages) != 1 {
		return -1, errors.Join(err, errors.New("the stage sent no file"))
	}
	files, err := unix.ParseUnixRights(&messages[0])
	if err != nil || len(files) != 1 {
		return -1, errors.Join(err, errors.New("the stage sent no file"))
	}
	return files[0], nil
}

// changeProcessors gives this thread, and its programs, another number of processors: one of its own, or all that the
// host allows if it has one.
func changeProcessors() error {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return fmt.Errorf("processors: %w", err)
	}
	if set.Count() == 1 {
		set.Fill() // the kernel takes those that there are
		return unix.SchedSetaffinity(0, &set)
	}
	first := 0
	for !set.IsSet(first) {
		first++
	}
	set.Zero()
	set.Set(first)
	return unix.SchedSetaffinity(0, &set)
}

// askKeeper directs requests for the time of day to the keeper from now on, and returns the descriptor on which it
// receives them.
func askKeeper() (listener int, err error) {
	// A program without rights may have a filter only so.
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return -1, err
	}
	raw, err := bpf.Assemble(timeFilter())
	if err != nil {
		return -1, err
	}
	var filter []unix.SockFilter
	for _, r := range raw {
		filter = append(filter, unix.SockFilter{Code: r.Op, Jt: r.Jt, Jf: r.Jf, K: r.K})
	}
	list := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	fd, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_NEW_LISTENER,
		uintptr(unsafe.Pointer(&list)))
	if errno != 0 {
		return -1, errno
	}
	return int(fd), nil
}

// timeFilter sends time, gettimeofday, and clock_gettime of a clock with the time of day, to the keeper, and lets all
// else pass. Its words follow struct seccomp_data: the number, the architecture, and from the sixteenth byte on the
// arguments, their low halves first.
func timeFilter() []bpf.Instruction {
	const number, architecture, argument = 0, 4, 16
	own := map[string]uint32{"amd64": unix.AUDIT_ARCH_X86_64, "arm64": unix.AUDIT_ARCH_AARCH64}[runtime.GOARCH]
	return []bpf.Instruction{
		bpf.LoadAbsolute{Off: architecture, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: own, SkipTrue: 7},
		bpf.LoadAbsolute{Off: number, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: callTime, SkipTrue: 6},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.SYS_GETTIMEOFDAY, SkipTrue: 5},
		bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: unix.SYS_CLOCK_GETTIME, SkipTrue: 3},
		bpf.LoadAbsolute{Off: argument, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.CLOCK_REALTIME, SkipTrue: 2},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.CLOCK_REALTIME_COARSE, SkipTrue: 1},
		bpf.RetConstant{Val: unix.SECCOMP_RET_ALLOW},
		bpf.RetConstant{Val: unix.SECCOMP_RET_USER_NOTIF},
	}
}
