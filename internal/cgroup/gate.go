package cgroup

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Limits apply to the programs in a fence together.
type Limits struct {
	// Memory is in bytes, Tasks counts processes and threads.
	Memory, Tasks int64
}

// The files of a gate, each for memory and for tasks: to enter, to leave, and to tell which limit was met.
const (
	enter  = 0
	leave  = 2
	events = 4
)

// Gate is a fence as open files, for processes that do not see its folders: those of a container. The kernel checks the
// rights of the process that opened them.
type Gate struct {
	files [6]*os.File
}

// GateOf is the gate whose files have come to this process as descriptors from
// first on.
func GateOf(first uintptr) *Gate {
	g := &Gate{}
	for i := range g.files {
		g.files[i] = os.NewFile(first+uintptr(i), "gate")
	}
	return g
}

// Files are the files, in the order that GateOf expects.
func (g *Gate) Files() []*os.File { return g.files[:] }

// Within runs do on a thread that is inside meanwhile, in version 2 with all of its
// process: what do starts is born there, and stays. It must be called on a locked
// thread. After an error the thread may be inside.
func (g *Gate) Within(do func() error) error {
	err := move(g.files[enter:leave])
	if err == nil {
		err = do()
	}
	return errors.Join(err, move(g.files[leave:events]))
}

// move moves this thread. A thread that moves itself needs no lock on its process in version 1, unlike a write to
// cgroup.procs, which waits for every processor (Linux, cgroup_procs_write_start).
func move(files []*os.File) error {
	for _, f := range files {
		if _, err := f.WriteString("0"); err != nil {
			return fmt.Errorf("enter cgroup: %w", err)
		}
	}
	return nil
}

// Met counts how often each limit was met since the fence was made.
type Met struct {
	// Killed counts processes that the kernel killed for want of memory, Refused the tasks
	// that it did not start.
	Killed, Refused int64
}

// Met reads the counts.
func (g *Gate) Met() (Met, error) {
	killed, err := count(g.files[events], "oom_kill")
	refused, otherErr := count(g.files[events+1], "max")
	return Met{killed, refused}, errors.Join(err, otherErr)
}

// count reads a line "NAME NUMBER" of a file of the kernel's.
func count(f *os.File, name string) (int64, error) {
	text := make([]byte, 4096)
	n, err := f.ReadAt(text, 0)
	if n == 0 {
		return 0, err
	}
	for line := range strings.Lines(string(text[:n])) {
		if words := strings.Fields(line); len(words) == 2 && words[0] == name {
			return strconv.ParseInt(words[1], 10, 64)
		}
	}
	return 0, nil // this kernel does not count it
}

// Close closes the files. The gate may be nil.
func (g *Gate) Close() {
	if g == nil {
		return
	}
	for _, f := range g.files {
		if f != nil {
			f.Close()
		}
	}
}
