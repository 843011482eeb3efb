//go:build linux && !mem

package keeper

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// clear kills the program's remaining processes until there are none. In a PID namespace, and if the program has a user
// to itself, one signal reaches all; elsewhere a process that loses its parent becomes a child of the keeper, and is
// killed in the next round.
func (k *keep) clear() {
	for limit := time.Now().Add(clearLimit); reap() && time.Now().Before(limit); time.Sleep(time.Millisecond) {
		if !k.alone {
			unix.Kill(-1, unix.SIGKILL)
		} else if u := k.order.User; u != nil && u.Alone {
			killUser(u.UID)
		} else {
			for _, child := range children() {
				unix.Kill(child, unix.SIGKILL)
			}
		}
	}
}

// killUser kills all processes of a user that this process can see: by a thread of that user, which has no rights over
// others and ends afterwards. The kernel does not start a process while it sends a signal to all (fork(2) fails in a
// process that the signal reaches).
func killUser(uid uint32) {
	killed := make(chan struct{})
	go func() {
		defer close(killed)
		runtime.LockOSThread() // for good: the thread ends with the goroutine
		// The saved user stays, or the kernel would take this process for the user's.
		keep := ^uintptr(0)
		_, _, failed := unix.RawSyscall(unix.SYS_SETRESUID, uintptr(uid), uintptr(uid), keep)
		if failed == 0 {
			unix.Kill(-1, unix.SIGKILL)
		}
	}()
	<-killed
}

// clearLimit is the time for which the keeper continues with a program that leaves new processes faster than they can
// be killed, or processes that do not die.
const clearLimit = 2 * time.Second

// reap puts to rest all children that have ended, and reports whether there are others.
func reap() bool {
	for {
		switch pid, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil); {
		case err == syscall.EINTR || pid > 0:
		case err != nil:
			return false // ECHILD
		default:
			return true
		}
	}
}

// children are the processes whose parent this one is.
func children() (list []int) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	parent := fmt.Appendf(nil, "%d ", os.Getpid())
	for _, path := range stats {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		// PID (NAME) STATE PARENT ...: a name may hold anything (proc(5)).
		at := bytes.LastIndexByte(text, ')')
		if at < 0 || len(text) < at+4 || !bytes.HasPrefix(text[at+4:], parent) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path))); err == nil {
			list = append(list, pid)
		}
	}
	return list
}

func addressOf(text *byte) uintptr { return uintptr(unsafe.Pointer(text)) }
