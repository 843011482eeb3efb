package iface

import (
	"path/filepath"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/testbed/nodes/netns"
)

// here is the network namespace of the calling thread.
const here = "/proc/thread-self/ns/net"

// named is where ip(8) keeps the namespaces that have names.
const named = "/run/netns"

// in calls do on a locked thread in the network namespace at path, "" for the caller's.
func in(path string, do func() error) error {
	if path == "" {
		path = here
	}
	return netns.In(path, do)
}

// inode numbers the network namespace at path.
func inode(path string) (uint64, error) {
	var s unix.Stat_t
	if err := unix.Stat(path, &s); err != nil {
		return 0, err
	}
	return s.Ino, nil
}

// place finds a network namespace by its number: at its old path, or, if that was the own one of a process that is no
// more, at a path that keeps it or of a process in it. It returns the old path if the namespace is nowhere.
func place(path string, number uint64) string {
	candidates := []string{path, here}
	for _, pattern := range []string{named + "/*", "/proc/[0-9]*/ns/net"} {
		found, _ := filepath.Glob(pattern)
		candidates = append(candidates, found...)
	}
	for _, c := range candidates {
		if n, err := inode(c); err == nil && n == number {
			return c
		}
	}
	return path
}
