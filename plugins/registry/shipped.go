package registry

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/rocelab/rocelab/plugins/process"
)

// The shipped algorithms are served by rocelab-cc, one program for all of them whose argument chooses one (rocelab-cc
// NAME), or by a program each, cc-NAME, which has priority. Both lie beside the running program.
const (
	shippedProgram = "rocelab-cc"
	shippedPrefix  = "cc-"
)

var namePattern = regexp.MustCompile(`^[a-z0-9-]+$`)

// shipped returns what runs an algorithm beside the running program, the zero
// value if there is nothing. A name that is none leads nowhere: it comes from a
// scenario and becomes part of a path. The error is about rocelab-cc.
func (r *Registry) shipped(name string) (process.Program, error) {
	if r.programDir == "" || !namePattern.MatchString(name) {
		return process.Program{}, nil
	}
	if path := filepath.Join(r.programDir, shippedPrefix+name); isExecutable(path) {
		return process.Program{Path: path}, nil
	}
	names, err := r.severalNames()
	if slices.Contains(names, name) {
		return process.Program{Path: filepath.Join(r.programDir, shippedProgram), Algorithm: name}, nil
	}
	return process.Program{}, err
}

// shippedOnly returns the programs beside the running one whose algorithms are
// not built in.
func (r *Registry) shippedOnly() (programs []process.Program, err error) {
	if r.programDir == "" {
		return nil, nil
	}
	names, err := r.severalNames()
	names = slices.Clone(names)
	found, _ := executables(r.programDir) // none in a folder that cannot be read
	for _, path := range found {
		if name, ok := strings.CutPrefix(filepath.Base(path), shippedPrefix); ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if r.builtin(name) == nil {
			program, _ := r.shipped(name) // one of those names
			programs = append(programs, program)
		}
	}
	return programs, err
}

// several is the program that serves several algorithms.
type several struct {
	once  sync.Once
	names []string
	err   error
}

// severalNames asks rocelab-cc, the first time, which algorithms it serves; none if it is
// not there.
func (r *Registry) severalNames() ([]string, error) {
	s := &r.scanned.several
	s.once.Do(func() {
		path := filepath.Join(r.programDir, shippedProgram)
		if !isExecutable(path) {
			return
		}
		var out []byte
		out, s.err = process.Output(r.config.Process, path, "--list")
		s.names = strings.Fields(string(out))
	})
	return s.names, s.err
}

// isExecutable reports whether there is a file at path that may be started.
func isExecutable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}
