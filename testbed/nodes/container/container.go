package container

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/internal/cgroup"
)

// Spec is one container: a daemon in its own namespaces.
type Spec struct {
	// ID names the container and is unique on the host, as
	// "<testbed>-<node>". Letters, digits, '_', '.', '+' and '-', at most 128.
	ID string
	// Hostname is the name the container calls itself by: the node's.
	Hostname string
	// NetNS is the absolute path of a ready network namespace.
	NetNS string
	// Program is the host path of the daemon's binary, an ELF executable. It
	// is bound read-only as /bin/Name; "" is its base name.
	Program, Name string
	// Args follow the program's name in argv. Env is the whole environment, but
	// for HOME=/ if it has no HOME: nothing is inherited.
	Args, Env []string
	// Plugins are host paths of plugin binaries, bound read-only and executable
	// as /plugins/<key>. A program with plugins keeps the rights to start each as a
	// user of its own and to end it: see rights.
	Plugins map[string]string
	// Fence, if not zero, limits what plugins take together. The program gets the
	// files of a cgroup.Gate after Files, and puts plugins into it.
	Fence cgroup.Limits
	// Files become the descriptors 3, 4, ... inside. The caller's own stay open.
	Files []*os.File
	// Log takes the program's stdout and stderr. If nil, they are discarded.
	// It must be a file, not a pipe someone reads to its end: the container
	// keeps it open as long as it lives.
	Log *os.File
	// Memory limits the container's memory, in bytes. If zero, no limit.
	Memory int64
	// Pids limits the container's processes and threads. If zero, no limit.
	Pids int64
	// Dir is a folder of the caller's, best on a tmpfs. The runtime keeps what it
	// needs in Dir/ID until the container is removed.
	Dir string
}

// Runtime starts containers. It may be used by several goroutines at once.
type Runtime interface {
	// Name is "builtin" or "runc".
	Name() string
	// Start makes the container and returns when its program was executed, or
	// with the reason why it was not; nothing is left then. A program that ends
	// at once has started: Wait returns its status.
	Start(ctx context.Context, s Spec) (Container, error)
}

// Container is a container that this process started.
type Container interface {
	// Pid is the process ID of the program, as the host counts.
	Pid() int
	// Wait blocks until the program has ended and returns how. It may be called
	// again and by several goroutines.
	Wait() (Status, error)
	// Remove kills every process of the container and takes away its cgroups
	// and its folder. It is idempotent.
	Remove(ctx context.Context) error
}

// Status is the way in which a program ended.
type Status struct {
	// Code is the exit status, 0 to 255; -1 if a signal ended the program.
	Code int
	// Signal ended the program; 0 if it exited.
	Signal syscall.Signal
}

func (s Status) String() string {
	if s.Signal != 0 {
		return "signal: " + s.Signal.String()
	}
	return fmt.Sprintf("exit status %d", s.Code)
}

// Names of the runtimes, as Find takes them.
const (
	Auto    = "auto"
	Builtin = "builtin"
	Runc    = "runc"
)

// Find returns the runtime of that name. Auto is runc if the host has it and a container of it runs, and the built-in
// one otherwise. The error names the host's lack and the remedy.
func Find(name string) (Runtime, error) {
	switch name {
	case Builtin:
		return newBuiltin()
	case Runc:
		return newRunc()
	case Auto:
		if r, err := newRunc(); err == nil && Probe(context.Background(), r) == nil {
			return r, nil
		}
		return newBuiltin()
	}
	return nil, fmt.Errorf("container runtime %q is not known: use %s, %s or %s", name, Auto, Runc, Builtin)
}

// validID reports whether a name is one that every runtime takes. The longest is
// bounded by the names of cgroups.
func validID(id string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+-"
	return id != "" && len(id) <= 128 && id != "." && id != ".." && strings.Trim(id, letters) == ""
}

// isFileName reports whether a name is one of a file within a folder.
func isFileName(name string) bool {
	return name != "" && name != "." && name != ".." && !strings.Contains(name, "/")
}

// validate joins every problem of the description that shows before anything is
// made.
func (s Spec) validate() error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if !validID(s.ID) {
		bad("ID %q: want 1 to 128 letters, digits, '_', '.', '+' or '-'", s.ID)
	}
	if s.Hostname == "" || len(s.Hostname) > 64 {
		bad("hostname %q: want 1 to 64 bytes", s.Hostname)
	}
	absolute := func(what, path string) {
		if !filepath.IsAbs(path) {
			bad("%s %q: want an absolute path", what, path)
		}
	}
	absolute("network namespace", s.NetNS)
	absolute("program", s.Program)
	absolute("folder", s.Dir)
	for _, name := range slices.Sorted(maps.Keys(s.Plugins)) {
		absolute("plugin", s.Plugins[name])
		if !isFileName(name) {
			bad("plugin %s: %q is not a file name", s.Plugins[name], name)
		}
	}
	if s.Name != "" && !isFileName(s.Name) {
		bad("program %s: %q is not a file name", s.Program, s.Name)
	}
	for i, f := range s.Files {
		if f == nil {
			bad("file for descriptor %d is nil", 3+i)
		}
	}
	if s.Memory < 0 || s.Pids < 0 {
		bad("limits of %d bytes and %d processes: want 0 (none) or more", s.Memory, s.Pids)
	}
	if len(errs) == 0 {
		errs = append(errs, checkNetworkNamespace(s.NetNS))
	}
	return errors.Join(errs...)
}

// checkNetworkNamespace checks that path is a network namespace. The runtimes would only
// say that they could not enter it.
func checkNetworkNamespace(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("network namespace %s: %w", path, withoutPath(err))
	}
	defer f.Close()
	if kind, err := unix.IoctlRetInt(int(f.Fd()), unix.NS_GET_NSTYPE); err != nil || kind != unix.CLONE_NEWNET {
		return fmt.Errorf("network namespace %s: the file is none", path)
	}
	return nil
}

// folder is where the runtime keeps what belongs to this container.
func (s Spec) folder() string { return filepath.Join(s.Dir, s.ID) }

// requireRoot is the one right that both runtimes need.
func requireRoot() error {
	if os.Geteuid() != 0 {
		return errors.New("containers need root (namespaces, mounts, cgroups): run with sudo")
	}
	return nil
}
