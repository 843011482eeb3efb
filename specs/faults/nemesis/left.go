//go:build linux

package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rocelab/rocelab/internal/cgroup"
)

// reaping is how long processes and cgroups may take to be gone after a command has ended: letting go of them is up to
// the kernel.
const reaping = 5 * time.Second

// left lists the remains of the case's commands, after that grace. A deployed testbed is to be there: its folder,
// containers and cgroups are left out.
func (b *bed) left(deployed bool) []string {
	for deadline := time.Now().Add(reaping); ; time.Sleep(10 * time.Millisecond) {
		list := b.leftNow(deployed)
		if len(list) == 0 || time.Now().After(deadline) {
			return list
		}
	}
}

func (b *bed) leftNow(deployed bool) (list []string) {
	add := func(what string, paths []string) {
		for _, path := range paths {
			if !deployed || path != b.state && !strings.Contains(path, b.name) {
				list = append(list, what+" "+path)
			}
		}
	}
	add("file", files(filepath.Dir(b.state)))
	add("file", files(b.temporary))
	add("mount", b.mountsLeft())
	add("cgroup", b.cgroups())
	for _, p := range b.alive() {
		groups, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cgroup", p.pid))
		if !deployed || !strings.Contains(string(groups), "/rocelab-"+b.name+".") {
			list = append(list, "process "+p.String())
		}
	}
	return list
}

// files are the topmost files and folders in dir.
func files(dir string) (list []string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		switch {
		case e.Name() == ballast:
		case e.Name() == "run": // the folder of testbeds: a mount point stays, when empty
			if inside := files(path); len(inside) > 0 || !isMount(path) {
				list = append(list, append(inside, path)...)
			}
		default:
			list = append(list, path)
		}
	}
	return list
}

// mountsLeft are the mounts in the case's folders but its own, the innermost first.
func (b *bed) mountsLeft() (list []string) {
	for _, point := range mountPoints() {
		if strings.HasPrefix(point, b.dir+"/") && !slices.Contains(b.mounts, point) {
			list = append(list, point)
		}
	}
	slices.Reverse(list)
	return list
}

func mountPoints() (list []string) {
	text, _ := os.ReadFile("/proc/self/mountinfo")
	for line := range strings.Lines(string(text)) {
		list = append(list, strings.Fields(line)[4])
	}
	return list
}

func isMount(path string) bool { return slices.Contains(mountPoints(), path) }

// cgroups returns the cgroups of the case's containers, the innermost first.
func (b *bed) cgroups() (list []string) {
	trees, _ := cgroup.Read("/")
	for _, tree := range trees {
		filepath.WalkDir(tree.Parent, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() && strings.HasPrefix(d.Name(), "rocelab") && b.named(d.Name()) {
				list = append(list, path)
			}
			return nil
		})
	}
	slices.SortFunc(list, func(x, y string) int { return len(y) - len(x) })
	return list
}

// named reports whether a cgroup's name is that of a container of the case, or
// carries the process ID of one of its commands.
func (b *bed) named(base string) bool {
	words := strings.FieldsFunc(base, func(r rune) bool { return r == '-' || r == '.' })
	return slices.ContainsFunc(b.names, func(name string) bool {
		_, number, _ := strings.Cut(name, "-")
		return slices.Contains(words, number)
	})
}
