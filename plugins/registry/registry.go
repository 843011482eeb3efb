package registry

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/internal/spelling"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/process"
)

// Mode is which of two forms of an algorithm to take.
type Mode uint8

const (
	// Builtin takes built-in algorithms, and programs for the others.
	Builtin Mode = iota
	// Process takes programs only.
	Process
)

var modeNames = [...]string{"builtin", "process"}

// String returns the mode's name.
func (m Mode) String() string { return modeNames[m] }

// ParseMode reads a mode's name.
func ParseMode(name string) (Mode, error) {
	if i := slices.Index(modeNames[:], name); i >= 0 {
		return Mode(i), nil
	}
	return 0, fmt.Errorf("%q is not a way to run algorithms: allowed are %s", name, strings.Join(modeNames[:], ", "))
}

// Config names the sources of algorithms.
type Config struct {
	// Builtin are the algorithms of this program.
	Builtin []cc.Algorithm
	// Folders are searched for plugins; each must exist. See Folders.
	Folders []string
	Mode    Mode
	// Process has the options of plugins. Its Log and Output are not used.
	Process process.Options
	// Start runs a program for Lookup and Add, and Describe asks one in a folder who it
	// is and ends it. If nil, package process does it.
	Start    func(process.Program, process.Options) (Running, error)
	Describe func(process.Program, process.Options) (cc.Description, error)
	// Logs is an existing folder where each program's output goes into its own
	// file, PROGRAM.log; "" for none.
	Logs string
}

// Running is a program that was started.
type Running interface {
	// Algorithm is the one that it serves.
	Algorithm() cc.Algorithm
	// Fault is the error with which it failed, nil while it works.
	Fault() error
	// Close ends it.
	Close() error
}

// Entry is an algorithm that is there.
type Entry struct {
	cc.Description
	// Program runs it; the zero value for a built-in algorithm.
	Program process.Program
}

// Registry finds algorithms.
type Registry struct {
	config Config
	// programDir is the folder of the running program, "" if that is not known.
	programDir string

	// scanned and printed are shared with the registries that Fresh returned.
	scanned *scan
	printed *printed

	mu sync.Mutex
	// added are the programs that were added, by the algorithm's name.
	added   map[string]process.Program
	running map[process.Program]Running
	// fault is the first failure of a program, nil for none.
	fault *process.Error
	// lacked is the first that the host lacked, nil for nothing.
	lacked error
}

// scan has the contents of plugin folders, once they were read.
type scan struct {
	once    sync.Once
	err     error
	plugins []plugin
	// several has the shipped algorithms that one program serves.
	several several
}

// plugin is an executable file in a plugin folder.
type plugin struct {
	Entry
	// err is the reason why it is not a plugin, nil if it is one.
	err error
}

// startProcess is Start where the configuration has none.
func startProcess(program process.Program, options process.Options) (Running, error) {
	plugin, err := process.Start(program, options)
	if err != nil {
		return nil, err
	}
	return plugin, nil
}

// New returns a registry. Folders are not looked at before they are needed.
func New(config Config) *Registry {
	if config.Start == nil {
		config.Start = startProcess
	}
	if config.Describe == nil {
		config.Describe = process.Probe
	}
	r := &Registry{
		config:  config,
		scanned: &scan{},
		printed: &printed{},
		added:   map[string]process.Program{},
		running: map[process.Program]Running{},
	}
	if exe, err := os.Executable(); err == nil {
		r.programDir = filepath.Dir(exe)
	}
	return r
}

// Lookup returns the algorithm of that name, started if it is a program. The error names the algorithms that there are,
// the files that claim the name, or the reason why the program is not a plugin.
func (r *Registry) Lookup(name string) (_ cc.Algorithm, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	defer func() {
		if r.fault == nil {
			errors.As(err, &r.fault)
		}
		if r.lacked == nil {
			r.lacked = lack(err)
		}
	}()
	entry, builtin, err := r.resolve(name)
	if err != nil || builtin != nil && entry.Program.Path == "" {
		return builtin, err
	}
	if plugin := r.running[entry.Program]; plugin != nil {
		return plugin.Algorithm(), nil
	}
	plugin, err := r.start(entry.Program)
	if err != nil {
		return nil, err
	}
	if err := r.checkProgram(plugin, entry.Program, name, builtin); err != nil {
		delete(r.running, entry.Program)
		plugin.Close()
		return nil, err
	}
	return plugin.Algorithm(), nil
}

// Fault returns the first failure of a program that was looked up, or that failed since
// while it was asked, nil for none.
func (r *Registry) Fault() *process.Error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.fault != nil {
		return r.fault
	}
	for _, program := range slices.SortedFunc(maps.Keys(r.running), byPath) {
		if errors.As(r.running[program].Fault(), &r.fault) {
			return r.fault
		}
	}
	return nil
}

// Lacked returns what the host lacked first when a program was looked up, nil for
// nothing.
func (r *Registry) Lacked() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.lacked
}

// lack is an error if it is the host's, else nil.
func lack(err error) error {
	if exit.Is(err, exit.CodeHost) {
		return err
	}
	return nil
}

func byPath(a, b process.Program) int { return strings.Compare(a.String(), b.String()) }

// Find is Lookup for those who ask only whether there is one.
func (r *Registry) Find(name string) (cc.Algorithm, bool) {
	a, err := r.Lookup(name)
	return a, err == nil
}

// Program returns the program that Lookup runs for a name, the zero value if the
// algorithm is built in.
func (r *Registry) Program(name string) (process.Program, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e, _, err := r.resolve(name)
	return e.Program, err
}

// resolve decides what a name means. The built-in algorithm of that name comes
// with it, if there is one; it is meant if the entry has no program.
func (r *Registry) resolve(name string) (entry Entry, builtin cc.Algorithm, err error) {
	if program, ok := r.added[name]; ok {
		return Entry{Description: cc.Description{Name: name}, Program: program}, nil, nil
	}
	if err := r.scan(); err != nil {
		return entry, nil, err
	}
	var claims []Entry
	for _, p := range r.scanned.plugins {
		if p.err == nil && p.Name == name {
			claims = append(claims, p.Entry)
		}
	}
	builtin = r.builtin(name)
	if builtin != nil && r.config.Mode == Builtin {
		claims = append(claims, Entry{Description: builtin.Describe()})
	} else if program, err := r.shipped(name); err != nil {
		return entry, nil, err
	} else if program.Path != "" {
		claims = append(claims, Entry{Description: cc.Description{Name: name}, Program: program})
	}
	switch len(claims) {
	case 0:
		return entry, nil, r.unknown(name, builtin != nil)
	case 1:
		return claims[0], builtin, nil
	}
	return entry, nil, r.ambiguous(name, claims)
}

func (r *Registry) builtin(name string) cc.Algorithm {
	for _, a := range r.config.Builtin {
		if a.Describe().Name == name {
			return a
		}
	}
	return nil
}

// unknown is the error about a name that nothing has.
func (r *Registry) unknown(name string, builtin bool) error {
	if builtin {
		return fmt.Errorf("algorithm %s is built in, and there is no program of it: looked for cc-%s in %s and "+
			"for rocelab-cc there, which go install ./cmd/... puts beside rocelab; plugin folders: %s",
			name, name, r.programDir, orNone(r.config.Folders))
	}
	for _, p := range r.scanned.plugins {
		if file := filepath.Base(p.Program.Path); p.err != nil && (file == "cc-"+name || file == name) {
			return p.err // it is the one that was meant
		}
	}
	list, broken := r.list()
	var names []string
	for _, e := range list {
		names = append(names, e.Name)
	}
	where := "your own algorithms come from folders that --plugin-dir names"
	if len(r.config.Folders) > 0 {
		where = "looked also in " + strings.Join(r.config.Folders, ", ")
	}
	err := fmt.Errorf("there is no algorithm %q: %s", name, spelling.Hint(name, names,
		fmt.Sprintf("there are %s (%s)", orNone(slices.Compact(names)), where)))
	if broken != nil { // the one that was meant may be among them
		return fmt.Errorf("%w; %w", err, broken)
	}
	return err
}

func orNone(list []string) string {
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, ", ")
}

func (r *Registry) ambiguous(name string, claims []Entry) error {
	var where []string
	remedy := "remove or rename one"
	for _, c := range claims {
		if c.Program.Path == "" {
			where = append(where, "the built-in one")
			remedy += ", or take the program with --run-as process"
			continue
		}
		where = append(where, c.Program.String())
	}
	return fmt.Errorf("algorithm %s is claimed by %s: %s", name, strings.Join(where, " and "), remedy)
}

// List returns all algorithms in the order of their names. The error joins the faults of files in the plugin folders;
// the rest is returned all the same.
func (r *Registry) List() ([]Entry, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.scan(); err != nil {
		return nil, err
	}
	list, err := r.list()
	counts := map[string]int{}
	for _, e := range list {
		if counts[e.Name]++; counts[e.Name] == 2 {
			_, _, twice := r.resolve(e.Name)
			err = errors.Join(err, twice)
		}
	}
	return list, err
}

// list returns all algorithms; the error joins the errors of the programs that are not plugins.
func (r *Registry) list() (list []Entry, err error) {
	var broken []error
	for _, a := range r.config.Builtin {
		e := Entry{Description: a.Describe()}
		if r.config.Mode == Process {
			e.Program, _ = r.shipped(e.Name) // the error comes below
		}
		list = append(list, e)
	}
	only, err := r.shippedOnly()
	if err != nil {
		broken = append(broken, err)
	}
	for _, p := range slices.Concat(r.scanned.plugins, r.probe(only)) {
		if p.err != nil {
			broken = append(broken, p.err)
			continue
		}
		list = append(list, p.Entry)
	}
	slices.SortStableFunc(list, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	return list, errors.Join(broken...)
}
