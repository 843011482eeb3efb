package sudo

import (
	"fmt"
	"os"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Open opens a file for reading with the rights of the user, which root keeps itself to
// on one thread meanwhile (setfsuid(2)).
func (u *User) Open(path string) (*os.File, error) {
	runtime.LockOSThread()
	was, err := unix.Getgroups()
	if err != nil {
		runtime.UnlockOSThread()
		return nil, err
	}
	before := make([]uint32, len(was))
	for i, group := range was {
		before[i] = uint32(group)
	}
	// A thread that is not root again stays locked, and ends with the goroutine.
	defer func() {
		if become(0, 0, before) == nil {
			runtime.UnlockOSThread()
		}
	}()
	if err := become(u.UID, u.GID, append(u.Groups[:len(u.Groups):len(u.Groups)], u.GID)); err != nil {
		return nil, fmt.Errorf("open %s as user %d, who called sudo: %w", path, u.UID, err)
	}
	return os.Open(path)
}

// become gives only this thread a user's rights to files.
func become(uid, gid uint32, groups []uint32) error {
	var first unsafe.Pointer
	if len(groups) > 0 {
		first = unsafe.Pointer(&groups[0])
	}
	// The package's own Setgroups is for all threads.
	if _, _, failed := unix.RawSyscall(unix.SYS_SETGROUPS, uintptr(len(groups)), uintptr(first), 0); failed != 0 {
		return failed
	}
	for _, set := range []struct {
		call func(int) (int, error)
		id   uint32
	}{{unix.SetfsgidRetGid, gid}, {unix.SetfsuidRetUid, uid}} {
		set.call(int(set.id)) // it says only what was before
		if is, err := set.call(-1); err != nil || is != int(set.id) {
			return unix.EPERM
		}
	}
	return nil
}
