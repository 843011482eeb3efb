package registry

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/rocelab/rocelab/plugins/process"
)

// The shipped algorithms are served by rocelab-cc, one program for all of them
// that is told which (rocelab-cc NAME), or by a program each, cc-NAME, which goes
// before. Both lie beside the running program.
const (
	shippedProgram = "rocelab-cc"
	shippedPrefix  = "cc-"
)

var namePattern = regexp.MustCompile(`^[a-z0-9-]+$`)

// shipped returns what runs an algorithm beside the running program, the zero
// value if there is nothing. A name that is none leads nowhere: it comes from a
// scenario and becomes part of a path.
func (r *Registry) shipped(name string) process.Program {
	if r.programDir == "" || !namePattern.MatchString(name) {
		return process.Program{}
	}
	if path := filepath.Join(r.programDir, shippedPrefix+name); isExecutable(path) {
		return process.Program{Path: path}
	}
	if slices.Contains(r.severalNames(), name) {
		return process.Program{Path: filepath.Join(r.programDir, shippedProgram), Algorithm: name}
	}
	return process.Program{}
}

// shippedOnly returns the programs beside the running one whose algorithms are
// not built in.
func (r *Registry) shippedOnly() (programs []process.Program) {
	if r.programDir == "" {
		return nil
	}
	names := slices.Clone(r.severalNames())
	found, _ := executables(r.programDir) // none in a folder that cannot be read
	for _, path := range found {
		if name, ok := strings.CutPrefix(filepath.Base(path), shippedPrefix); ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if r.builtin(name) == nil {
			programs = append(programs, r.shipped(name))
		}
	}
	return programs
}

// several is the program that serves several algorithms.
type several struct {
	once  sync.Once
	names []string
}

// severalNames asks rocelab-cc, the first time, which algorithms it serves; none if it is
// not there.
func (r *Registry) severalNames() []string {
	s := &r.scanned.several
	s.once.Do(func() {
		path := filepath.Join(r.programDir, shippedProgram)
		if !isExecutable(path) {
			return
		}
		if out, err := exec.Command(path, "--list").Output(); err == nil {
			s.names = strings.Fields(string(out))
		}
	})
	return s.names
}

// isExecutable reports whether there is a file at path that may be started.
func isExecutable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}
