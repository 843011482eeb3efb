package veth

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// recordLimit bounds the records in a testbed's folder. One of 1024 hosts has about
// 1 MB.
const recordLimit = 64 << 20

// readRecord reads a record, which must be a plain file: nothing else is opened, since
// a pipe or a device would be waited for.
func readRecord(path string) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > recordLimit {
		return nil, errors.New("it is not a plain file of at most 64 MB")
	}
	return io.ReadAll(io.LimitReader(f, recordLimit))
}

// restore checks a state that was read for the testbed of that name, and fills in
// what follows from names: a record does not say where to look.
func (s *State) restore(name string) error {
	if s.Name != name {
		return fmt.Errorf("it belongs to testbed %q", s.Name)
	}
	if s.Daemons != PerNode && s.Daemons != PerServer && s.Daemons != Pool {
		return fmt.Errorf("daemons %q", s.Daemons)
	}
	daemons := 0
	for i := range s.Containers {
		c := &s.Containers[i]
		if c.Name == "" || c.Name == "." || c.Name == ".." || strings.Contains(c.Name, "/") || c.Pid < 0 {
			return fmt.Errorf("container %q with process %d", c.Name, c.Pid)
		}
		c.NetNS, c.Log = s.path("net", c.Name), s.path("log", c.Name)
		for k := range c.Sockets {
			c.Sockets[k] = s.path("control", fmt.Sprintf("%d.%d", i, k))
		}
		if s.Daemons != Pool || c.Kind == poolName {
			daemons += len(c.Sockets)
		}
	}
	ports := map[string][]string{}
	for i := range s.Nodes {
		n := &s.Nodes[i]
		if n.Container < 0 || n.Container >= len(s.Containers) || n.Participant < 0 || n.Participant >= daemons {
			return fmt.Errorf("node %q in container %d, hosted by daemon %d", n.Name, n.Container, n.Participant)
		}
		ports[n.Name] = n.Interfaces
	}
	for _, l := range s.Links {
		for _, e := range []linkEnd{l.A, l.B} {
			if p := ports[e.Node]; e.Port < 0 || e.Port >= len(p) || p[e.Port] != e.Interface {
				return fmt.Errorf("link at %s, interface %q", e, e.Interface)
			}
		}
	}
	if err := s.restoreHosts(); err != nil {
		return err
	}
	for name, path := range s.Plugins {
		if !filepath.IsAbs(path) {
			return fmt.Errorf("program %q of algorithm %s", path, name)
		}
	}
	return nil
}
