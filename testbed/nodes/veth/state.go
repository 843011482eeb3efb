package veth

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/internal/spelling"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/process"
)

// State is the record of a testbed, kept in its folder.
type State struct {
	Name    string    `json:"name"`
	Created time.Time `json:"created"`
	// Ready is false while the testbed is being brought up.
	Ready bool `json:"ready"`
	// Ephemeral testbeds belong to one run and end with it.
	Ephemeral bool    `json:"ephemeral"`
	Scenario  string  `json:"scenario"`
	Runtime   string  `json:"runtime"`
	Daemons   Daemons `json:"daemons"`
	// MTU is the MTU of the veths: the largest frame and room for a trailer.
	MTU        unit.Bytes       `json:"mtu_bytes"`
	Containers []ContainerState `json:"containers"`
	Nodes      []NodeState      `json:"nodes"`
	Links      []LinkState      `json:"links"`
	// Hosts are those with their own stack.
	Hosts []HostState `json:"hosts,omitempty"`
	// Plugins gives, by the names of algorithms, the host paths of the programs
	// that containers hold.
	Plugins map[string]string `json:"plugins,omitempty"`
	// Limits are the limits of plugins.
	Limits process.Limits `json:"limits"`
	// Digests are the SHA-256 of the binaries that the containers run, by what
	// they are for.
	Digests map[string]string `json:"digests,omitempty"`
}

// ContainerState is a container of a testbed.
type ContainerState struct {
	Name string `json:"name"`
	// Kind is "server", "pool", or the kind of the node in it: "switch", "wan".
	Kind  string `json:"kind"`
	Pid   int    `json:"pid"`
	NetNS string `json:"netns"`
	Log   string `json:"log"`
	// Sockets are the control sockets of its daemons.
	Sockets []string `json:"sockets"`
}

// NodeState is a node.
type NodeState struct {
	Name string `json:"name"`
	// Kind is the plan's: "switch", "nic", "wan".
	Kind string `json:"kind"`
	// Container indexes Containers; Participant numbers the daemon that hosts
	// the node's model, which Host names.
	Container   int      `json:"container"`
	Participant int      `json:"participant"`
	Host        string   `json:"host"`
	Interfaces  []string `json:"interfaces"`
}

// LinkState is a veth pair.
type LinkState struct {
	A linkEnd `json:"a"`
	B linkEnd `json:"b"`
}

// linkEnd is one end of a veth pair.
type linkEnd struct {
	Node      string `json:"node"`
	Port      int    `json:"port"`
	Interface string `json:"interface"`
}

// String returns "leaf1:3".
func (e linkEnd) String() string { return fmt.Sprintf("%s:%d", e.Node, e.Port) }

// Dir is the testbed's folder.
func (s *State) Dir() string { return filepath.Join(Root(), s.Name) }

func (s *State) path(parts ...string) string {
	return filepath.Join(append([]string{s.Dir()}, parts...)...)
}

// NotFoundError reports that there is no testbed of that name.
type NotFoundError struct {
	Name string
	// There are the names of the existing testbeds, as far as they can be read.
	There []string
}

func (e *NotFoundError) Error() string {
	return fmt.Sprintf("there is no testbed %q: %s", e.Name, spelling.Hint(e.Name, e.There,
		"`rocelab inspect` lists them, `rocelab deploy` makes one"))
}

// names returns what testbeds there seem to be.
func names() (list []string) {
	entries, _ := os.ReadDir(Root())
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

// nameForm is the form of a testbed's name: it becomes a folder and part of the names of containers.
var nameForm = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,31}$`)

// NameError reports a name that testbeds cannot have.
type NameError struct{ Name string }

func (e *NameError) Error() string {
	return fmt.Sprintf("%q is not a name for a testbed: allowed are up to 32 lower-case letters, digits and "+
		"dashes, a dash not first", e.Name)
}

// CheckName refuses what no testbed can be called.
func CheckName(name string) error {
	if !nameForm.MatchString(name) {
		return &NameError{name}
	}
	return nil
}

const stateFile = "testbed.json"

// partSuffix is the end of a file's name while it is written.
const partSuffix = ".part"

// Load reads the state of a testbed. The error is a *NotFoundError if there is none, an *untrustedError if it is not
// safe from other users.
func Load(name string) (*State, error) {
	if err := CheckName(name); err != nil {
		return nil, err
	}
	s := &State{Name: name}
	if err := CheckRoot(); err != nil {
		return nil, err
	}
	info, err := os.Lstat(s.Dir())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &NotFoundError{name, names()}
	} else if err != nil {
		return nil, err
	}
	if err := checkOwner(s.Dir(), info); err != nil {
		return nil, err
	}
	b, err := readRecord(s.path(stateFile))
	if err == nil {
		err = json.Unmarshal(b, s)
	}
	if err == nil {
		err = s.restore(name)
	}
	if errors.Is(err, fs.ErrPermission) {
		return nil, err
	}
	if err != nil {
		switch foreign := checkForeign(s.Dir(), info); {
		case errors.Is(foreign, fs.ErrNotExist): // destroyed meanwhile
			return nil, &NotFoundError{name, names()}
		case foreign != nil:
			return nil, foreign
		}
		return nil, fmt.Errorf("testbed %s: its state is damaged (%w): `rocelab destroy --testbed %[1]s` removes it", name,
			err)
	}
	return s, nil
}

// List returns the testbeds of this host in the order of their names. Testbeds whose state cannot be read are reported,
// and left out.
func List() (list []*State, err error) {
	if err := CheckRoot(); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(Root())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		if !e.IsDir() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		s, problem := Load(e.Name())
		if problem != nil {
			err = errors.Join(err, problem)
			continue
		}
		list = append(list, s)
	}
	return list, err
}

// save writes the state in one step.
func (s *State) save() error {
	b, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return s.write(stateFile, append(b, '\n'))
}

// write replaces a file of the testbed's folder in one step: after an error the old content is as it was.
func (s *State) write(name string, b []byte) error {
	part := s.path(name + partSuffix)
	err := os.WriteFile(part, b, 0o600)
	if err == nil {
		err = os.Rename(part, s.path(name))
	}
	if err != nil {
		os.Remove(part)
	}
	return err
}

// lock takes the testbed for a run; it fails if another run holds it.
func (s *State) lock() (*os.File, error) {
	f, err := os.OpenFile(s.path("lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, stateError(err)
	}
	err = hold(f)
	if errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.EACCES) {
		err = &FitError{fmt.Sprintf("testbed %s is busy with another run", s.Name)}
	} else if err != nil {
		err = stateError(err)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// HasEdges reports whether frames of others may come into the testbed.
func (s *State) HasEdges() bool {
	return slices.ContainsFunc(s.Nodes, func(n NodeState) bool { return n.Kind == string(plan.KindEdge) })
}

// Node returns the node of that name.
func (s *State) Node(name string) (*NodeState, bool) {
	for i := range s.Nodes {
		if s.Nodes[i].Name == name {
			return &s.Nodes[i], true
		}
	}
	return nil, false
}
