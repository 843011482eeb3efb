package registry

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/process"
)

// Fresh returns a registry that finds the same as this one, in programs of its own, none of which runs yet: for a run
// beside others. The caller closes it.
func (r *Registry) Fresh() *Registry {
	r.mu.Lock()
	defer r.mu.Unlock()
	return &Registry{
		config:     r.config,
		programDir: r.programDir,
		scanned:    r.scanned,
		printed:    r.printed,
		added:      maps.Clone(r.added),
		running:    map[process.Program]Running{},
	}
}

// Add starts the program at path and returns the algorithm that it serves. From now on the algorithm's name means that
// program, even if another has that name: the program does not need to be in a plugin folder.
func (r *Registry) Add(path string) (cc.Algorithm, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	program := process.Program{Path: path}
	plugin := r.running[program]
	if plugin == nil {
		if plugin, err = r.start(program); err != nil {
			return nil, err
		}
	}
	r.added[plugin.Algorithm().Describe().Name] = program
	return plugin.Algorithm(), nil
}

// start runs a program.
func (r *Registry) start(program process.Program) (Running, error) {
	options := r.config.Process
	options.Log, options.Output = "", r.printed.of(program.LogName())
	if r.config.Logs != "" {
		options.Log = filepath.Join(r.config.Logs, program.LogName())
	}
	plugin, err := r.config.Start(program, options)
	if err != nil {
		return nil, err
	}
	r.running[program] = plugin
	return plugin, nil
}

// checkProgram returns the fault of a program that is to serve the algorithm of that name. A program shipped with a
// built-in algorithm must be of its version: an old build of it would compute something else.
func (r *Registry) checkProgram(plugin Running, program process.Program, name string,
	builtin cc.Algorithm) error {
	d := plugin.Algorithm().Describe()
	problem := ""
	switch {
	case d.Name != name:
		problem = fmt.Sprintf("serves algorithm %s, not %s", d.Name, name)
	case builtin != nil && filepath.Dir(program.Path) == r.programDir && d.Version != builtin.Describe().Version:
		problem = fmt.Sprintf("is version %s of %s, built in is %s: rebuild it", d.Version, name, builtin.Describe().Version)
	default:
		return nil
	}
	return &process.Error{Path: program.String(), Problem: problem}
}

// Close ends all programs that were started. A later look-up starts them again.
func (r *Registry) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	var errs []error
	for _, plugin := range r.running {
		errs = append(errs, plugin.Close())
	}
	clear(r.running)
	return errors.Join(errs...)
}
