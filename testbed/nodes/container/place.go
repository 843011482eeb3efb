package container

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// place is the set of one container's belongings beside its processes.
type place struct {
	id string
	// dir is the folder of this container only; made distinguishes it from a folder that another process made by that
	// name later.
	dir   string
	made  Identity
	netNS string // the file that keeps its network namespace
	// cgroups are the folders of its cgroups; some may never have been made.
	cgroups []string
}

// makePlace makes the folder of a container, which claims the ID, with an empty root in it. The folder around it is not
// made: removing that stops further containers from starting.
func makePlace(s Spec, cgroups []string) (place, error) {
	p := place{id: s.ID, dir: s.folder(), netNS: s.NetNS, cgroups: cgroups}
	// An empty folder is not yet a container: its maker was killed.
	if err := unix.Rmdir(p.dir); err != nil && !errors.Is(err, unix.ENOENT) {
		return p, fmt.Errorf("%s exists: the container runs, or a killed run left it (remove that first)", p.dir)
	}
	if err := removeLeftCgroups(cgroups); err != nil {
		return p, err
	}
	if err := os.Mkdir(p.dir, 0o700); err != nil {
		return p, err
	}
	var err error
	if p.made, err = IdentityOf(p.dir); err == nil {
		err = os.Mkdir(filepath.Join(p.dir, rootName), 0o755)
	}
	if err != nil {
		return p, errors.Join(err, os.RemoveAll(p.dir))
	}
	return p, nil
}

// remove takes away the remains of a container whose processes have ended. It does not touch a folder that another
// process cleared meanwhile and perhaps made again.
func (p place) remove(ctx context.Context) error {
	if now, err := IdentityOf(p.dir); err == nil && now != p.made {
		return nil
	}
	return errors.Join(removeCgroups(ctx, p.cgroups, nil), os.RemoveAll(p.dir))
}

// Identity distinguishes a folder from another that was made later by the same name.
type Identity struct {
	inode uint64
	born  unix.StatxTimestamp // inode numbers are used again
}

// IdentityOf returns the identity of the file at a path.
func IdentityOf(path string) (Identity, error) {
	var s unix.Statx_t
	err := unix.Statx(unix.AT_FDCWD, path, unix.AT_SYMLINK_NOFOLLOW, unix.STATX_INO|unix.STATX_BTIME, &s)
	if err != nil {
		return Identity{}, &os.PathError{Op: "statx", Path: path, Err: err}
	}
	return Identity{s.Ino, s.Btime}, nil
}
