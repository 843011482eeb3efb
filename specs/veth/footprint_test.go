package veth

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	. "github.com/onsi/gomega"
	"github.com/vishvananda/netlink"

	"github.com/rocelab/rocelab/testbed/nodes/veth"
)

// footprint is the suite's use of the host by its testbeds, by kinds. Other programs on the host are not in it.
type footprint map[string][]string

// The kinds. A testbed that is up has some of each of those in present.
const (
	mounts      = "mounts"
	cgroups     = "cgroups"
	processes   = "processes"
	children    = "children of this process"
	networks    = "network namespaces"
	interfaces  = "interfaces of the host"
	shared      = "shared memory"
	folders     = "files in the folder of testbeds"
	temporary   = "temporary files"
	descriptors = "open files of this process"
	runtimes    = "states of runtimes"
)

var present = []string{mounts, cgroups, processes, networks, folders}

// ours reports whether a text names a testbed of this suite, as cgroups and
// containers do, or something in its folders.
func ours(text string) bool {
	return strings.Contains(text, veth.Root()) || strings.Contains(text, scratch) ||
		slices.ContainsFunc(named, func(name string) bool { return strings.Contains(text, name+".") })
}

// takeFootprint looks at the host.
func takeFootprint() footprint {
	f := footprint{}
	for line := range strings.Lines(readFile("/proc/self/mountinfo")) {
		if ours(line) {
			f.add(mounts, line)
		}
	}
	f.walk(cgroups, "/sys/fs/cgroup", func(path string, d fs.DirEntry) bool { return d.IsDir() && ours(path) })
	f.walk(shared, "/dev/shm", func(path string, _ fs.DirEntry) bool {
		return ours(path) || strings.Contains(path, "rocelab")
	})
	f.walk(runtimes, "/run/runc", func(path string, _ fs.DirEntry) bool { return ours(path) })
	f.walk(folders, veth.Root(), func(string, fs.DirEntry) bool { return true })
	f.walk(temporary, os.TempDir(), func(path string, _ fs.DirEntry) bool {
		return !strings.Contains(path, "/ginkgo")
	}) // the specs' own
	f.processes()
	f.host()
	f.own()
	return f
}

func (f footprint) add(kind, what string) {
	if what = strings.TrimSpace(what); !slices.Contains(f[kind], what) {
		f[kind] = append(f[kind], what)
	}
}

// walk adds the chosen paths below a folder; paths that disappear meanwhile are left out.
func (f footprint) walk(kind, root string, chosen func(string, fs.DirEntry) bool) {
	filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && path != root && chosen(path, d) {
			f.add(kind, path)
		}
		return nil
	})
}

// processes adds those in the cgroups of containers, those that run programs of the suite, and their network
// namespaces.
func (f footprint) processes() {
	dirs, err := filepath.Glob("/proc/[0-9]*")
	Expect(err).NotTo(HaveOccurred())
	for _, dir := range dirs {
		if dir == fmt.Sprintf("/proc/%d", os.Getpid()) || !ours(readFile(dir+"/cgroup")) && !ours(readFile(dir+"/cmdline")) {
			continue
		}
		f.add(processes, dir)
		if space, err := os.Readlink(dir + "/ns/net"); err == nil {
			f.add(networks, space)
		}
	}
	lists, err := filepath.Glob("/proc/self/task/*/children")
	Expect(err).NotTo(HaveOccurred())
	for _, list := range lists {
		for _, pid := range strings.Fields(readFile(list)) {
			f.add(children, pid+" "+readFile("/proc/"+pid+"/cmdline"))
		}
	}
}

// names are the names of a testbed's interfaces.
var names = regexp.MustCompile(`^(p|roce)[0-9]+$|^[ab]$`)

// host adds interfaces with such names in this process's network namespace.
func (f footprint) host() {
	list, err := netlink.LinkList()
	Expect(err).NotTo(HaveOccurred())
	for _, l := range list {
		if names.MatchString(l.Attrs().Name) {
			f.add(interfaces, l.Attrs().Name)
		}
	}
}

// own adds the files that this process holds.
func (f footprint) own() {
	files, err := os.ReadDir("/proc/self/fd")
	Expect(err).NotTo(HaveOccurred())
	for _, file := range files {
		to, err := os.Readlink("/proc/self/fd/" + file.Name())
		if err != nil || strings.HasPrefix(to, "/proc/") {
			continue // the folder that is being read
		}
		f.add(descriptors, file.Name()+" "+to)
	}
}

func readFile(path string) string {
	text, _ := os.ReadFile(path) // a process may be gone
	return string(text)
}

// counts are the numbers of each kind, for a table.
func (f footprint) counts() (row []any) {
	for _, kind := range append(present, descriptors) {
		row = append(row, len(f[kind]))
	}
	return row
}

// beyond returns the entries of f that are not in before.
func (f footprint) beyond(before footprint) footprint {
	more := footprint{}
	for kind, list := range f {
		for _, what := range list {
			if !slices.Contains(before[kind], what) {
				more.add(kind, what)
			}
		}
	}
	return more
}
