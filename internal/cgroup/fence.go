//go:build linux

package cgroup

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// Fence is a cgroup with limits for untrusted programs, in each hierarchy that it takes: in version 1 a folder for
// memory and one for tasks, in version 2 one for both.
type Fence struct {
	memory, tasks place
}

// place is the folder of a fence in one hierarchy.
type place struct {
	Hierarchy
	path string
}

// the files of a cgroup that matter here, by version.
func (p place) file(one, two string) string {
	if p.Unified {
		return filepath.Join(p.path, two)
	}
	return filepath.Join(p.path, one)
}

func (p place) members() string      { return p.file("tasks", "cgroup.procs") }
func (p place) memoryLimit() string  { return p.file("memory.limit_in_bytes", "memory.max") }
func (p place) memoryEvents() string { return p.file("memory.oom_control", "memory.events") }
func (p place) swapLimit() string    { return p.file("memory.memsw.limit_in_bytes", "memory.swap.max") }

// home is where members of a fence came from.
func (p place) home(name string) place {
	if name == "" {
		return place{p.Hierarchy, p.Own}
	}
	return place{p.Hierarchy, filepath.Join(p.Parent, name)}
}

// At returns the fence of that name, which is not made yet. The error names the controller that no hierarchy has.
func At(trees []Hierarchy, name string) (*Fence, error) {
	f := &Fence{}
	for controller, at := range map[string]*place{"memory": &f.memory, "pids": &f.tasks} {
		for _, h := range trees {
			if h.Has(controller) {
				*at = place{h, filepath.Join(h.Parent, name)}
			}
		}
		if at.path == "" {
			return nil, fmt.Errorf("this host has no %s cgroup controller to limit plugins with", controller)
		}
	}
	return f, nil
}

// Folders are its folders, each once. No fence has none.
func (f *Fence) Folders() []string {
	if f == nil {
		return nil
	}
	if f.memory.path == f.tasks.path {
		return []string{f.memory.path}
	}
	return []string{f.memory.path, f.tasks.path}
}

// Make makes the folders and sets the limits.
func (f *Fence) Make(l Limits) error {
	for _, p := range []place{f.memory, f.tasks} {
		if p.Unified {
			for _, controller := range []string{"memory", "pids"} {
				// Whether it was needed shows when a limit is written.
				_ = Write(filepath.Join(p.Parent, "cgroup.subtree_control"), "+"+controller)
			}
		}
	}
	for _, folder := range f.Folders() {
		if err := os.Mkdir(folder, 0o755); err != nil {
			return fmt.Errorf("make cgroup: %w", err)
		}
	}
	return f.limit(l)
}

func (f *Fence) limit(l Limits) error {
	memory := strconv.FormatInt(l.Memory, 10)
	err := Write(f.memory.memoryLimit(), memory)
	if f.memory.Unified && errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%s holds processes, so plugins in it cannot be limited: move those into a cgroup of their own in "+
			"it", f.memory.Parent)
	}
	if err != nil {
		return fmt.Errorf("limit the memory of plugins to %s bytes: %w", memory, err)
	}
	if err := Write(filepath.Join(f.tasks.path, "pids.max"), strconv.FormatInt(l.Tasks, 10)); err != nil {
		return fmt.Errorf("limit the tasks of plugins to %d: %w", l.Tasks, err)
	}
	// Swap must not be a way round the limit. A kernel without swap lacks the file.
	swap := "0"
	if !f.memory.Unified {
		swap = memory // of memory and swap together
	}
	if err := Write(f.memory.swapLimit(), swap); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("limit the swap of plugins: %w", err)
	}
	return nil
}

// Open opens the way in, the way back to the cgroup of that name beside it, "" for that of this process, and the files
// that tell which limit was met. The way back is made if it does not exist.
func (f *Fence) Open(home string) (g *Gate, err error) {
	for _, p := range []place{f.memory.home(home), f.tasks.home(home)} {
		if err := os.Mkdir(p.path, 0o755); err != nil && !errors.Is(err, os.ErrExist) {
			return nil, fmt.Errorf("make cgroup: %w", err)
		}
	}
	g = &Gate{}
	for i, name := range []string{
		enter:      f.memory.members(),
		enter + 1:  f.tasks.members(),
		leave:      f.memory.home(home).members(),
		leave + 1:  f.tasks.home(home).members(),
		events:     f.memory.memoryEvents(),
		events + 1: filepath.Join(f.tasks.path, "pids.events"),
	} {
		flags := os.O_WRONLY
		if i >= events {
			flags = os.O_RDONLY
		}
		if g.files[i], err = os.OpenFile(name, flags, 0); err != nil {
			g.Close()
			return nil, err
		}
	}
	return g, nil
}

// Remove takes the folders away once all in them has ended, which the kernel
// notices a moment later: it waits a second for that. It is idempotent.
func (f *Fence) Remove() error { return Remove(f.Folders()) }

// Remove takes the folders of a fence away: see Fence.Remove.
func Remove(folders []string) error {
	var errs []error
	until := time.Now().Add(time.Second)
	for _, folder := range folders {
		err := unix.Rmdir(folder)
		for errors.Is(err, unix.EBUSY) && time.Now().Before(until) {
			time.Sleep(time.Millisecond)
			err = unix.Rmdir(folder)
		}
		if err != nil && !errors.Is(err, unix.ENOENT) {
			errs = append(errs, fmt.Errorf("remove cgroup %s: %w", folder, err))
		}
	}
	return errors.Join(errs...)
}

// Write puts text into an existing file of the kernel's, such as a limit of a cgroup. A signal that comes
// meanwhile, as the Go runtime sends them, does not end it: version 1 gives up a limit of memory for any.
func Write(path, text string) (err error) {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, f.Close()) }()
	_, err = f.WriteString(text) // again if it was interrupted, unlike unix.Write
	return err
}
