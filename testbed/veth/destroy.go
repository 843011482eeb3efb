package veth

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/testbed/container"
	"github.com/rocelab/rocelab/testbed/link"
)

// Destroy takes the testbed of that name away: containers with all their
// processes, namespaces and with them the veths, cgroups, sockets, logs. It goes
// by what it finds in the testbed's folder, so that it also clears what a killed
// run or a half-made deployment left. It is idempotent; a *NotFoundError says
// that nothing was there.
func Destroy(ctx context.Context, name string) error {
	if err := CheckName(name); err != nil {
		return err
	}
	dir := filepath.Join(Root(), name)
	if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
		return &NotFoundError{name, names()}
	}
	return clear(ctx, dir)
}

// Destroy takes the testbed away.
func (t *Testbed) Destroy(ctx context.Context) error {
	t.hangUp()
	if err := clear(ctx, t.Dir()); err != nil {
		return err
	}
	for _, c := range t.running { // or they stay as zombies of this process
		if c != nil {
			c.Wait()
		}
	}
	return nil
}

func clear(ctx context.Context, dir string) error {
	handles, err := container.Handles(filepath.Join(dir, "containers"))
	if err == nil {
		err = container.RemoveAll(ctx, handles)
	}
	if err != nil {
		return err
	}
	namespaces, err := filepath.Glob(filepath.Join(dir, "net", "*"))
	if err != nil {
		return err
	}
	// One after the other: the kernel takes namespaces away in batches of its
	// own, and asking is quick.
	for _, path := range namespaces {
		err = errors.Join(err, link.RemoveNamespace(path))
	}
	if err != nil {
		return err
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	return removeRoot()
}

// removeRoot removes the folder of all testbeds after the last one, unless it is
// a mount point.
func removeRoot() error {
	err := os.Remove(Root())
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ENOTEMPTY) || errors.Is(err, unix.EBUSY) {
		return nil
	}
	return err
}
