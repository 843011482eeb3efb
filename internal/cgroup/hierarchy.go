package cgroup

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Hierarchy is one mounted cgroup tree, and this process's place in it.
type Hierarchy struct {
	// Unified is set for version 2.
	Unified bool
	// Controllers are those of this tree in version 1; in version 2 those that cgroups in Parent may have.
	Controllers []string
	// Mount is the folder where the tree is mounted.
	Mount string
	// Own is the folder of the cgroup that this process is in, Mount or below it.
	Own string
	// Parent is the folder in which containers' cgroups are made: Own in version
	// 1. In version 2 it is the folder around Own, for a cgroup with processes has
	// no children with limits; runc reads a relative cgroupsPath the same way.
	Parent string
}

// Has reports whether the hierarchy has a controller.
func (h Hierarchy) Has(controller string) bool { return slices.Contains(h.Controllers, controller) }

// Read returns the hierarchies of the machine whose files lie below root, which
// is "/" outside of tests; their folders are named without root. There are none
// if no cgroup tree is mounted that shows the cgroup of this process.
func Read(root string) ([]Hierarchy, error) {
	mounts, err := os.ReadFile(filepath.Join(root, "proc/self/mountinfo"))
	if err != nil {
		return nil, err
	}
	own, err := os.ReadFile(filepath.Join(root, "proc/self/cgroup"))
	if err != nil {
		return nil, err
	}
	found := parse(string(mounts), string(own))
	for i, h := range found {
		if !h.Unified {
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, h.Parent, "cgroup.controllers"))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		found[i].Controllers = strings.Fields(string(text))
	}
	return found, nil
}

// parse reads the texts of /proc/self/mountinfo and /proc/self/cgroup. The
// controllers of version 2 stand elsewhere.
func parse(mounts, own string) (found []Hierarchy) {
	groups := map[string]string{} // path of the own cgroup, by its controllers
	for line := range strings.Lines(own) {
		if f := strings.SplitN(strings.TrimSuffix(line, "\n"), ":", 3); len(f) == 3 {
			groups[f[1]] = f[2]
		}
	}
	seen := map[string]bool{}
	for line := range strings.Lines(mounts) {
		before, after, _ := strings.Cut(line, " - ")
		f, kind := strings.Fields(before), strings.Fields(after)
		if len(f) < 5 || len(kind) < 3 || kind[0] != "cgroup" && kind[0] != "cgroup2" {
			continue
		}
		h := Hierarchy{Unified: kind[0] == "cgroup2", Mount: f[4]}
		key := "" // of version 2
		if !h.Unified {
			key = controllersOf(kind[2], groups)
			h.Controllers = strings.Split(key, ",")
		}
		group, member := groups[key]
		below, shown := within(f[3], group)
		if !member || !shown || seen[key] || key == "" && !h.Unified {
			continue
		}
		seen[key] = true // the same tree may be mounted twice
		h.Own = filepath.Join(h.Mount, below)
		h.Parent = h.Own
		if h.Unified && h.Own != h.Mount {
			h.Parent = filepath.Dir(h.Own)
		}
		found = append(found, h)
	}
	return found
}

// within returns the path of a cgroup below the one that a mount shows. A mount
// may show a part of the tree that the cgroup is not in.
func within(shown, group string) (below string, ok bool) {
	below, err := filepath.Rel(shown, group)
	return below, err == nil && below != ".." && !strings.HasPrefix(below, "../")
}

// controllersOf finds, among the mount options of a version 1 tree, the list of
// controllers as /proc/self/cgroup spells it ("cpu,cpuacct", "name=systemd"); ""
// if this process is in no cgroup of that tree.
func controllersOf(options string, groups map[string]string) string {
	of := strings.Split(options, ",")
	mounted := func(controller string) bool { return slices.Contains(of, controller) }
	for key := range groups {
		if key == "" {
			continue
		}
		if names := strings.Split(key, ","); !slices.ContainsFunc(names, func(c string) bool { return !mounted(c) }) {
			return key
		}
	}
	return ""
}
