package enter

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// Node is where to run a command.
type Node struct {
	// Name is the node's, for messages.
	Name string
	// NetNS is the path of its network namespace.
	NetNS string
	// Pid is the first process of its container; 0 if it has none of its own.
	Pid int
}

// errGone is the error about a node whose container or network namespace is
// no more.
var errGone = errors.New("it is gone; see rocelab inspect")

// network opens the node's network namespace.
func (n Node) network() (*os.File, error) {
	f, err := os.Open(n.NetNS)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("network namespace of node %s: %w", n.Name, errGone)
	}
	if err != nil {
		return nil, fmt.Errorf("network namespace of node %s: %w", n.Name, err)
	}
	return f, nil
}

// process opens the folder of the container's first process in /proc, and
// checks that it is in the given network namespace. The folder stays the folder of
// this process when its PID is given to another.
func (n Node) process(network *os.File) (*os.File, error) {
	if n.Pid == 0 {
		return nil, fmt.Errorf("node %s has no container of its own", n.Name)
	}
	dir, err := os.Open(fmt.Sprintf("/proc/%d", n.Pid))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("container of node %s: %w", n.Name, errGone)
	}
	if err != nil {
		return nil, fmt.Errorf("container of node %s: %w", n.Name, err)
	}
	same, err := sameNamespace(dir, network)
	if err == nil && !same {
		err = errGone
	}
	if err != nil {
		dir.Close()
		return nil, fmt.Errorf("container of node %s: %w", n.Name, err)
	}
	return dir, nil
}

// sameNamespace compares device and inode, following namespaces(7).
func sameNamespace(process, network *os.File) (bool, error) {
	var a, b unix.Stat_t
	if err := unix.Fstatat(int(process.Fd()), "ns/net", &a, 0); err != nil {
		return false, vanished(err)
	}
	if err := unix.Fstat(int(network.Fd()), &b); err != nil {
		return false, err
	}
	return a.Dev == b.Dev && a.Ino == b.Ino, nil
}

// open opens a file below the folder of a process.
func open(process *os.File, name string, flags int) (int, error) {
	fd, err := unix.Openat(int(process.Fd()), name, flags|unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return -1, fmt.Errorf("open %s/%s: %w", process.Name(), name, vanished(err))
	}
	return fd, nil
}

// vanished recognises the errors with which /proc reports that a process ended.
func vanished(err error) error {
	if errors.Is(err, unix.ESRCH) || errors.Is(err, unix.ENOENT) {
		return errGone
	}
	return err
}

// space is a kind of namespace.
type space struct {
	name, file string
	flag       int
}

// setns takes this thread into a namespace of a process.
func (s space) setns(process *os.File) error {
	fd, err := open(process, s.file, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	if err := unix.Setns(fd, s.flag); err != nil {
		return fmt.Errorf("enter the %s namespace: %w", s.name, err)
	}
	return nil
}

var uts = space{"UTS", "ns/uts", unix.CLONE_NEWUTS}

// Alive reports whether the first process of the node's container is running. It
// needs the rights that entering takes.
func (n Node) Alive() bool {
	network, err := n.network()
	if err != nil {
		return false
	}
	defer network.Close()
	process, err := n.process(network)
	if err != nil {
		return false
	}
	process.Close()
	return true
}
