//go:build linux && (amd64 || arm64)

package surroundings

import (
	"encoding/binary"
	"errors"
	"os"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Entries of the auxiliary vector (linux/auxvec.h).
const (
	auxNull   = 0
	auxIgnore = 1
	auxVDSO   = 33 // AT_SYSINFO_EHDR
)

// hideClock strikes the code that reads the time without a system call from the auxiliary vector of a process that is
// stopped at its first instruction. Its number is this PID namespace's, which /proc may not show.
func hideClock(pid int) error {
	var registers unix.PtraceRegs
	if err := unix.PtraceGetRegs(pid, &registers); err != nil {
		return os.NewSyscallError("ptrace", err)
	}
	at := stackPointer(&registers)
	word := func() (uint64, error) {
		var b [8]byte
		_, err := unix.PtracePeekData(pid, at, b[:])
		at += 8
		return binary.NativeEndian.Uint64(b[:]), err
	}
	// The number of arguments, the arguments, the variables, each list with a zero
	// at its end, and then the vector (execve(2), System V ABI).
	count, err := word()
	if err != nil {
		return err
	}
	at += 8 * (uintptr(count) + 1)
	for {
		if w, err := word(); err != nil {
			return err
		} else if w == 0 {
			break
		}
	}
	for {
		kind, err := word()
		if err != nil || kind == auxNull {
			return err
		}
		if kind == auxVDSO {
			_, err := unix.PtracePokeData(pid, at-8, binary.NativeEndian.AppendUint64(nil, auxIgnore))
			return err
		}
		at += 8
	}
}

// question is struct seccomp_notif, reply is struct seccomp_notif_resp
// (linux/seccomp.h).
type question struct {
	id         uint64
	pid, flags uint32
	call       struct {
		number, architecture int32
		instruction          uint64
		arguments            [6]uint64
	}
}

type reply struct {
	id         uint64
	value      int64
	err, flags int32
}

// answer answers requests for the time with the other day, until no process is left.
func answer(listener int) {
	for {
		var asked question
		err := ioctl(listener, unix.SECCOMP_IOCTL_NOTIF_RECV, unsafe.Pointer(&asked))
		if errors.Is(err, unix.EINTR) || errors.Is(err, unix.ENOENT) { // who asked is gone
			continue
		} else if err != nil {
			return
		}
		said := reply{id: asked.id}
		value, err := tell(&asked)
		if said.value = value; err != nil {
			said.err = -int32(unix.EFAULT)
		}
		// It fails where who asked is gone.
		_ = ioctl(listener, unix.SECCOMP_IOCTL_NOTIF_SEND, unsafe.Pointer(&said))
	}
}

// tell writes the time at the call's target, and returns the call's result.
func tell(asked *question) (value int64, err error) {
	now := time.Now().Add(away)
	answer := binary.NativeEndian.AppendUint64(nil, uint64(now.Unix()))
	at := asked.call.arguments[0]
	switch asked.call.number {
	case callTime:
		value = now.Unix()
	case unix.SYS_GETTIMEOFDAY:
		answer = binary.NativeEndian.AppendUint64(answer, uint64(now.Nanosecond()/1000))
	default:
		at = asked.call.arguments[1]
		answer = binary.NativeEndian.AppendUint64(answer, uint64(now.Nanosecond()))
	}
	if at == 0 {
		return value, nil
	}
	to := []unix.RemoteIovec{{Base: uintptr(at), Len: len(answer)}}
	from := []unix.Iovec{{Base: &answer[0]}}
	from[0].SetLen(len(answer))
	_, err = unix.ProcessVMWritev(int(asked.pid), from, to, 0)
	return value, err
}

func ioctl(fd int, request uint, argument unsafe.Pointer) error {
	_, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), uintptr(request), uintptr(argument))
	if errno != 0 {
		return errno
	}
	return nil
}
