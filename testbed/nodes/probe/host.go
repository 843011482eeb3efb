//go:build linux && !mem

package probe

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/testbed/nodes/container"
)

// folderName is the folder of all probes, in the folder of all testbeds.
const folderName = ".probes"

// Host starts probes. Several goroutines may use it.
type Host struct {
	runtime container.Runtime
	root    string
	// dir is its folder, locked as long as this process lives.
	dir  string
	lock *os.File
	last atomic.Int64
	// kept is set if a probe left something for Clear.
	kept atomic.Bool

	// mu guards what follows: how many containers are coming up, and whether none may any
	// more.
	mu       sync.Mutex
	starting int
	ended    bool
}

// begin reports whether a container may come up now; its starter reports when it is up, or is not to be.
func (h *Host) begin() (may bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.ended {
		h.starting++
	}
	return !h.ended
}

func (h *Host) begun() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.starting--
}

// end lets no container come up any more and reports whether none is about to.
func (h *Host) end() (quiet bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ended = true
	return h.starting == 0
}

// Open makes the surroundings of probes: a folder of their own in root, the folder of all testbeds. It fails if the
// host lacks a requirement, which it names. The caller closes the host after its probes.
func Open(root string) (opened *Host, err error) {
	h := &Host{root: root}
	if h.runtime, err = container.Find(container.Builtin); err != nil {
		return nil, err
	}
	parent := filepath.Join(root, folderName)
	const often = 100
	for range often { // another's Close may take the folder away meanwhile
		if err = os.MkdirAll(parent, 0o700); err != nil {
			break
		}
		if h.dir, err = os.MkdirTemp(parent, fmt.Sprintf("%d-", os.Getpid())); err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			break
		}
		if h.lock, err = lock(h.dir); err == nil && h.lock != nil {
			own.Store(h, true)
			return h, nil
		}
	}
	return nil, fmt.Errorf("make a folder for probes: %w (ROCELAB_RUN names another folder than %s)", err, root)
}

// lock locks a folder; nil if another process has it, or if it is gone.
func lock(dir string) (*os.File, error) {
	f, err := os.Open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if now, lost := os.Stat(dir); err == nil && lost == nil {
		if then, lost := f.Stat(); lost == nil && os.SameFile(now, then) {
			return f, nil
		}
	}
	f.Close()
	if err != nil && !errors.Is(err, unix.EWOULDBLOCK) {
		return nil, err
	}
	return nil, nil
}

// newID names a container.
func (h *Host) newID() string { return idsOf(h.dir) + fmt.Sprint(h.last.Add(1)) }

// idsOf returns the prefix of the IDs of the containers of a host with this folder.
func idsOf(dir string) string { return "probe-" + filepath.Base(dir) + "-" }

// Close removes the folder, unless a probe could not be removed: by the folder Clear
// knows of it.
func (h *Host) Close() error {
	own.Delete(h)
	defer h.lock.Close()
	if h.kept.Load() {
		return nil
	}
	err := os.RemoveAll(h.dir)
	tidy(h.root)
	return err
}

// own are the hosts of this process.
var own sync.Map

// DestroyOwn removes the hosts of this process with all their probes, for an end without Close.
func DestroyOwn(ctx context.Context) (err error) {
	own.Range(func(h, _ any) bool {
		err = errors.Join(err, h.(*Host).destroy(ctx))
		return true
	})
	return err
}

// destroy removes all probes, including ones that come up meanwhile.
func (h *Host) destroy(ctx context.Context) error {
	for quiet := false; !quiet; {
		// A container that comes up now is found by a later look, which can also remove a cgroup that this one may not:
		// one that it entered only after the look for its processes.
		quiet = h.end()
		if err := removeAll(ctx, h.dir); err != nil && quiet {
			return err // the folder tells Clear
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Millisecond):
		}
	}
	return h.Close()
}

// tidy removes the folders around the folders of hosts once they are empty.
func tidy(root string) {
	if os.Remove(filepath.Join(root, folderName)) == nil {
		unix.Rmdir(root) // a symbolic link stays
	}
}

// Clear removes what hosts that are no more left in root, the folder of all
// testbeds.
func Clear(ctx context.Context, root string) error {
	left, err := filepath.Glob(filepath.Join(root, folderName, "*"))
	for _, dir := range left {
		err = errors.Join(err, clearOne(ctx, dir))
	}
	tidy(root)
	return err
}

func clearOne(ctx context.Context, dir string) error {
	locked, err := lock(dir)
	if err != nil || locked == nil {
		return err
	}
	defer locked.Close()
	if err := removeAll(ctx, dir); err != nil {
		return err // the folder tells the next one
	}
	return os.RemoveAll(dir)
}

// removeAll removes the probes of the host with this folder.
func removeAll(ctx context.Context, dir string) error {
	ids := func(id string) bool { return strings.HasPrefix(id, idsOf(dir)) }
	_, err := container.RemoveAll(ctx, container.Remains{IDs: ids})
	return err
}
