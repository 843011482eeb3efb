package container

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/opencontainers/runtime-spec/specs-go"
	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/internal/cgroup"
)

// hierarchies are the cgroup trees of this host, read once.
var hierarchies = sync.OnceValues(func() ([]cgroup.Hierarchy, error) {
	found, err := cgroup.Read("/")
	if err == nil && len(found) == 0 {
		err = errors.New("no cgroup hierarchy is mounted that shows the cgroup of this process: mount -t cgroup2 none " +
			"/sys/fs/cgroup")
	}
	return found, err
})

// group is the cgroup of one container in one hierarchy.
type group struct {
	cgroup.Hierarchy
	path string
}

// groups are the cgroups of a container with the built-in runtime that limit and account for a node's use: in version 1
// a tree for each, in version 2 one for all.
func groups(trees []cgroup.Hierarchy, name string) []group {
	var chosen []group
	for _, h := range trees {
		uses := slices.ContainsFunc([]string{"memory", "pids", "cpuacct"}, h.Has)
		if uses || h.Unified && len(trees) == 1 {
			chosen = append(chosen, group{h, filepath.Join(h.Parent, name)})
		}
	}
	return chosen
}

// everyGroup lists the places for a container's cgroup with any runtime: runc makes one in each hierarchy.
func everyGroup(trees []cgroup.Hierarchy, name string) []string {
	var paths []string
	for _, h := range trees {
		paths = append(paths, filepath.Join(h.Parent, name))
	}
	return paths
}

// limits are the files of a cgroup that hold the limits of r, with their text.
// Controllers that this hierarchy lacks are another's business.
func (g group) limits(r *specs.LinuxResources) map[string]string {
	files := map[string]string{}
	if r.Memory != nil && g.Has("memory") {
		file := "memory.limit_in_bytes"
		if g.Unified {
			file = "memory.max"
		}
		files[file] = strconv.FormatInt(*r.Memory.Limit, 10)
	}
	if r.Pids != nil && g.Has("pids") {
		files["pids.max"] = strconv.FormatInt(*r.Pids.Limit, 10)
	}
	return files
}

// create makes the cgroup.
func (g group) create() error {
	if g.Unified {
		for _, controller := range []string{"memory", "pids", "cpu"} {
			if g.Has(controller) {
				// Whether it was needed shows when a limit is written.
				_ = cgroup.Write(filepath.Join(g.Parent, "cgroup.subtree_control"), "+"+controller)
			}
		}
	}
	if err := os.Mkdir(g.path, 0o755); err != nil {
		return fmt.Errorf("make cgroup: %w", err)
	}
	return nil
}

// limit writes the limits.
func (g group) limit(r *specs.LinuxResources) error {
	for file, text := range g.limits(r) {
		err := cgroup.Write(filepath.Join(g.path, file), text)
		if g.Unified && errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("%s holds processes, so cgroups in it cannot be limited: move them into one of their own, or "+
				"set no limit", g.Parent)
		}
		if errors.Is(err, unix.EBUSY) {
			return fmt.Errorf("memory limit of %s bytes is less than the container takes to start: raise it", text)
		}
		if err != nil {
			return fmt.Errorf("limit cgroup to %s: %w", text, err)
		}
	}
	return nil
}

// checkControllers reports whether some hierarchy takes each of the limits of r.
func checkControllers(gs []group, r *specs.LinuxResources) error {
	wants := map[string]bool{"memory": r.Memory != nil, "pids": r.Pids != nil}
	for _, controller := range []string{"memory", "pids"} {
		if wants[controller] && !slices.ContainsFunc(gs, func(g group) bool { return g.Has(controller) }) {
			return fmt.Errorf("this host has no %s cgroup controller to limit a container with: enable it, or set no limit",
				controller)
		}
	}
	return nil
}

// within runs do on a thread that is a member of the version 1 cgroups, so that
// a process made by do is born in them; unified is the descriptor of a version
// 2 cgroup for clone3, or -1.
//
// A thread that moves itself does not need a lock on its process, unlike a write to cgroup.procs, which waits for every
// processor (Linux, cgroup_procs_write_start).
func within(gs []group, do func(unified int) error) (err error) {
	unified := -1
	for _, g := range gs {
		if g.Unified {
			if unified, err = unix.Open(g.path, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0); err != nil {
				return fmt.Errorf("open cgroup %s: %w", g.path, err)
			}
			defer unix.Close(unified)
			continue
		}
		defer func() {
			if back := cgroup.Write(filepath.Join(g.Own, "tasks"), "0"); back != nil {
				err = errors.Join(err, fmt.Errorf("leave cgroup: %w", back))
			}
		}()
		if err := cgroup.Write(filepath.Join(g.path, "tasks"), "0"); err != nil {
			return fmt.Errorf("enter cgroup: %w", err)
		}
	}
	return do(unified)
}

// removeLeftCgroups makes sure that no container elsewhere uses these cgroups, and removes
// empty ones that one left behind.
func removeLeftCgroups(paths []string) error {
	for _, path := range paths {
		if err := unix.Rmdir(path); err != nil && !errors.Is(err, unix.ENOENT) {
			return fmt.Errorf("its ID is taken: the cgroup %s is in use (%w)", path, err)
		}
	}
	return nil
}

// findCgroups finds the cgroups of containers, with the cgroups in them, anywhere: the place of a container's cgroup
// depends on its maker. A cgroup within another comes before it.
func findCgroups(ids func(id string) bool) (paths []string, err error) {
	trees, err := hierarchies()
	if err != nil {
		return nil, nil // no container was ever started
	}
	for _, tree := range trees {
		err = errors.Join(err, filepath.WalkDir(tree.Mount, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.IsDir() {
				return nil // it went away meanwhile
			}
			below, _ := filepath.Rel(tree.Mount, path)
			for name := range strings.SplitSeq(below, "/") {
				if id, named := strings.CutPrefix(name, cgroupName("")); named && ids(id) {
					paths = append(paths, path)
					break
				}
			}
			return nil
		}))
	}
	slices.Reverse(paths) // a folder is walked before what is in it
	return paths, err
}

// removeCgroups removes cgroup folders whose processes have ended. The kernel lets go of a dead process a moment after
// it is reaped, and a thread of a container's starter may be in them for a moment: it tries again until ctx ends, for
// at most Patience. Cgroups of other containers, as a census knows them, stay.
func removeCgroups(ctx context.Context, paths []string, c *census) error {
	var errs []error
	try := func(paths []string) (busy []string) {
		for _, path := range paths {
			err := unix.Rmdir(path)
			switch {
			case errors.Is(err, unix.EBUSY):
				if !c.keeps(path) {
					busy = append(busy, path)
				}
			case err != nil && !errors.Is(err, unix.ENOENT):
				errs = append(errs, fmt.Errorf("remove cgroup %s: %w", path, err))
			}
		}
		return busy
	}
	busy := try(paths)
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for len(busy) > 0 && pause(ctx, time.Millisecond) {
		busy = try(busy)
	}
	said := map[string]bool{} // a process in several of them is named once
	for _, path := range busy {
		if who := inhabitants(path); !said[who] {
			said[who] = true
			errs = append(errs, fmt.Errorf("remove cgroup %s: %w%s", path, unix.EBUSY, who))
		}
	}
	return errors.Join(errs...)
}

// keeps reports whether a cgroup holds processes of another testbed of the same name.
func (c *census) keeps(path string) bool {
	return c != nil && slices.ContainsFunc(members(path), func(pid int) bool { return c.whose(pid) == others })
}

// members are the processes in a cgroup.
func members(path string) (pids []int) {
	text, _ := os.ReadFile(filepath.Join(path, "cgroup.procs"))
	for word := range strings.FieldsSeq(string(text)) {
		if pid, err := strconv.Atoi(word); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// inhabitants names the processes that keep a cgroup from being removed, with the remedy.
func inhabitants(path string) string {
	const most = 5
	var names []string
	for _, pid := range members(path) {
		comm, _ := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
		if names = append(names, fmt.Sprintf("%d (%q)", pid, strings.TrimSpace(string(comm)))); len(names) == most {
			break
		}
	}
	if names == nil {
		return ""
	}
	return fmt.Sprintf(": process %s is in it and none of the container's: end it or move it to another cgroup, then "+
		"rocelab destroy once more", strings.Join(names, ", "))
}

// pause waits, unless ctx ends first.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}
