//go:build linux && (amd64 || arm64)

package surroundings

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
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

// hideClock strikes the code that tells the time without a system call from the
// auxiliary vector of a process that is stopped at its first instruction.
func hideClock(pid int) error {
	at, err := stackStart(pid)
	if err != nil {
		return err
	}
	memory, err := os.OpenFile(fmt.Sprintf("/proc/%d/mem", pid), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer memory.Close()
	word := func() (w uint64, err error) {
		var b [8]byte
		_, err = memory.ReadAt(b[:], at)
		at += 8
		return binary.NativeEndian.Uint64(b[:]), err
	}
	// The number of arguments, the arguments, the variables, each list with a zero
	// at its end, and then the vector (execve(2), System V ABI).
	count, err := word()
	if err != nil {
		return err
	}
	at += 8 * (int64(count) + 1)
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
			_, err := memory.WriteAt(binary.NativeEndian.AppendUint64(nil, auxIgnore), at-8)
			return err
		}
		at += 8
	}
}

// stackStart is where a process's stack was when it began (proc_pid_stat(5),
// startstack).
func stackStart(pid int) (int64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	if len(fields) < 28-2 {
		return 0, fmt.Errorf("/proc/%d/stat is too short", pid)
	}
	at, err := strconv.ParseUint(fields[28-3], 10, 63)
	if err == nil && at == 0 {
		err = fmt.Errorf("/proc/%d/stat does not show where its stack is", pid)
	}
	return int64(at), err
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

// answer tells the other day to who asks for the time, until there is nobody left.
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

// tell writes the time where the call wants it, and returns what the call returns.
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
	memory, err := os.OpenFile(fmt.Sprintf("/proc/%d/mem", asked.pid), os.O_WRONLY, 0)
	if err != nil {
		return value, err
	}
	defer memory.Close()
	_, err = memory.WriteAt(answer, int64(at))
	return value, err
}

func ioctl(fd int, request uint, argument unsafe.Pointer) error {
	_, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), uintptr(request), uintptr(argument))
	if errno != 0 {
		return errno
	}
	return nil
}
