package veth

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/testbed/nodes/container"
)

// Destroy takes the testbed of that name away: containers with all their processes, namespaces and with them the veths,
// cgroups, sockets, logs. It goes by names and by the mounts in the testbed's folder, and does not read records, so
// that it also clears the remains of a killed run, a half-made deployment or a damaged disk. A folder with anything
// that rocelab does not make stays: *foreignError. It is idempotent, may be called while another Destroy, or the
// testbed's Deploy, is in progress, and never waits for ever; a *NotFoundError means that nothing was there.
//
// What it could not take away its error names; the testbed's folder stays then, and
// Destroy can be called again.
func Destroy(ctx context.Context, name string) error {
	if err := CheckName(name); err != nil {
		return err
	}
	found, err := clear(ctx, name)
	if err == nil && !found {
		return &NotFoundError{name, names()}
	}
	return err
}

// Destroy takes the testbed away.
func (t *Testbed) Destroy(ctx context.Context) error {
	t.hangUp()
	var err error
	// Another process may have destroyed it, and made another by its name.
	if now, changed := container.IdentityOf(t.Dir()); changed != nil || t.made == (container.Identity{}) || now == t.made {
		_, err = clear(ctx, t.Name)
	}
	for _, c := range t.running { // reaped, and ended even if nothing else tells of them any more
		if c != nil {
			err = errors.Join(err, c.Remove(ctx))
		}
	}
	if err == nil {
		disown(t.Name)
		err = removeRoot()
	}
	return err
}

// clear takes away what there is of a testbed, and reports whether there was anything.
func clear(ctx context.Context, name string) (found bool, err error) {
	root, err := trustedRoot()
	if err != nil {
		return false, err
	}
	dir := filepath.Join(root, name)
	info, err := os.Lstat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		// The folder was removed. Its cgroups show the remains.
		return container.RemoveAll(ctx, remains(dir, name))
	case err != nil:
		return false, err
	case info.Mode()&fs.ModeSymlink != 0: // no testbed; what it leads to is nobody's here
		return true, errors.Join(os.Remove(dir), removeRoot())
	}
	if err := checkOwner(dir, info); err != nil {
		return true, err
	}
	// Another Destroy may have removed the folder since: then there is nothing to lock either.
	if err := checkForeign(dir, info); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return true, err
	}
	lock, err := alone(ctx, dir)
	if lock == nil {
		return true, err
	}
	defer lock.Close()
	// From here on containers cannot be started: the folder for them is gone.
	moved := filepath.Join(dir, goneFolder)
	err = os.RemoveAll(moved)
	if failed := os.Rename(filepath.Join(dir, "containers"), moved); !errors.Is(failed, fs.ErrNotExist) {
		err = errors.Join(err, failed)
	}
	_, failed := container.RemoveAll(ctx, remains(dir, name))
	if err = errors.Join(err, failed, empty(ctx, dir, err == nil && failed == nil)); err != nil {
		return true, err
	}
	return true, removeRoot()
}

// remains are the containers of a testbed: see Testbed.start for their IDs.
func remains(dir, name string) container.Remains {
	return container.Remains{IDs: func(id string) bool { return strings.HasPrefix(id, name+".") }, Folder: dir}
}

// lockTime is how long a Destroy waits for another one of the same testbed, which has its own bounds.
const lockTime = 40 * time.Second

// alone waits until no other process destroys the testbed. It returns neither a lock nor an error if another one has
// done it meanwhile.
func alone(ctx context.Context, dir string) (*os.File, error) {
	ctx, cancel := context.WithTimeout(ctx, lockTime)
	defer cancel()
	f, err := os.Open(dir)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return nil, err
	}
	for {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if err == nil {
			break
		}
		select {
		case <-ctx.Done():
			f.Close()
			return nil, fmt.Errorf("another process is destroying it and does not come to an end (%w)", ctx.Err())
		case <-time.After(10 * time.Millisecond):
		}
	}
	mine, err := f.Stat()
	now, failed := os.Lstat(dir)
	if err != nil || failed != nil || !os.SameFile(mine, now) {
		f.Close()
		return nil, err
	}
	return f, nil
}

// emptyTime is how long a Deploy in progress may go on making things in a testbed's folder after its end has begun.
const emptyTime = 5 * time.Second

// empty removes all that is in a testbed's folder, and the folder itself if it is to go, too: a Deploy in progress may
// make something between the two. Everything mounted in it, namespaces and others, is unmounted before: nothing on
// another file system is removed.
func empty(ctx context.Context, dir string, folderToo bool) error {
	ctx, cancel := context.WithTimeout(ctx, emptyTime)
	defer cancel()
	for {
		err := unmountBelow(dir)
		if err == nil {
			err = removeContents(dir)
		}
		if err == nil && folderToo {
			if err = os.Remove(dir); errors.Is(err, fs.ErrNotExist) {
				err = nil
			}
		}
		if err == nil || ctx.Err() != nil || !errors.Is(err, unix.EBUSY) && !errors.Is(err, unix.ENOTEMPTY) {
			return err
		}
		time.Sleep(time.Millisecond)
	}
}

func unmountBelow(dir string) error {
	mounts, err := container.Mounts()
	if err != nil {
		return err
	}
	for i := len(mounts) - 1; i >= 0; i-- { // the uppermost first
		if m := &mounts[i]; m.Below(dir) {
			err := unix.Unmount(m.Point, unix.MNT_DETACH|unix.UMOUNT_NOFOLLOW)
			// EINVAL, ENOENT: it is gone meanwhile.
			if err != nil && !errors.Is(err, unix.EINVAL) && !errors.Is(err, unix.ENOENT) {
				return fmt.Errorf("unmount %s: %w", m.Point, err)
			}
		}
	}
	return nil
}

func removeContents(dir string) error {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name())))
	}
	return err
}

// removeRoot removes the folder of all testbeds after the last one, unless it is
// a mount point or a symbolic link.
func removeRoot() error {
	if info, err := os.Lstat(Root()); err == nil && !info.IsDir() {
		return nil
	}
	err := unix.Rmdir(Root())
	if err == nil || errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ENOTEMPTY) || errors.Is(err, unix.EBUSY) {
		return nil
	}
	return &os.PathError{Op: "remove", Path: Root(), Err: err}
}
