//go:build linux

package main

import (
	"fmt"
	"io/fs"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// host is the content of the whole host, for an exclusive user.
type host map[string]bool

// survey lists the host's mounts, cgroups, links, processes except the kernel's, and the content of /run, /dev/shm and
// the folder of temporary files.
func survey() host {
	h := host{}
	for _, point := range mountPoints() {
		h["mount "+point] = true
	}
	filepath.WalkDir("/sys/fs/cgroup", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			h["cgroup "+path] = true
		}
		return nil
	})
	links, _ := net.Interfaces()
	for _, link := range links {
		h["link "+link.Name] = true
	}
	for _, dir := range []string{"/run", "/dev/shm", os.TempDir()} {
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			h["file "+filepath.Join(dir, e.Name())] = true
		}
	}
	namespaces, _ := filepath.Glob("/proc/[0-9]*/ns/net")
	for _, path := range namespaces {
		if id, err := os.Readlink(path); err == nil {
			h["network namespace "+id] = true
		}
	}
	processes, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, path := range processes {
		if line, _ := os.ReadFile(path); len(line) > 0 {
			h[fmt.Sprintf("process %s %s", filepath.Base(filepath.Dir(path)),
				strings.ReplaceAll(string(line), "\x00", " "))] = true
		}
	}
	return h
}

// since lists the things that are new since then, after the grace that processes have.
func (then host) since() []string {
	for deadline := time.Now().Add(reaping); ; time.Sleep(50 * time.Millisecond) {
		now := survey()
		maps.DeleteFunc(now, func(what string, _ bool) bool { return then[what] })
		if len(now) == 0 || time.Now().After(deadline) {
			return slices.Sorted(maps.Keys(now))
		}
	}
}
