package container

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// place is what belongs to one container beside its processes.
type place struct {
	id string
	// dir is the folder that belongs to this container alone; made tells it from
	// one that another process made by that name later.
	dir   string
	made  Identity
	netNS string // the file that keeps its network namespace
	// cgroups are the folders of its cgroups; some may never have been made.
	cgroups []string
}

// makePlace makes the folder of a container, which claims the ID, with an empty root
// in it. The folder around it is not made: whoever removes that lets no further
// container start.
func makePlace(s Spec, cgroups []string) (place, error) {
	p := place{id: s.ID, dir: s.folder(), netNS: s.NetNS, cgroups: cgroups}
	// An empty folder is no container yet: who made it was killed.
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

// remove takes away what a container whose processes have ended left behind. What
// another process cleared meanwhile, and perhaps made anew, is left alone.
func (p place) remove(ctx context.Context) error {
	if now, err := IdentityOf(p.dir); err == nil && now != p.made {
		return nil
	}
	return errors.Join(removeCgroups(ctx, p.cgroups, nil), os.RemoveAll(p.dir))
}

// Identity tells a folder from another that was made later by the same name.
type Identity struct {
	inode uint64
	born  unix.StatxTimestamp // inode numbers are used again
}

// IdentityOf returns the identity of what is at a path.
func IdentityOf(path string) (Identity, error) {
	var s unix.Statx_t
	err := unix.Statx(unix.AT_FDCWD, path, unix.AT_SYMLINK_NOFOLLOW, unix.STATX_INO|unix.STATX_BTIME, &s)
	if err != nil {
		return Identity{}, &os.PathError{Op: "statx", Path: path, Err: err}
	}
	return Identity{s.Ino, s.Btime}, nil
}
