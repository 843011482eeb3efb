package registry

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/process"
)

// Fresh returns a registry that finds what this one finds, in programs of its
// own, none of which runs yet: for a run beside others. The caller closes it.
func (r *Registry) Fresh() *Registry {
	r.mu.Lock()
	defer r.mu.Unlock()
	return &Registry{
		config:  r.config,
		own:     r.own,
		found:   r.found,
		added:   maps.Clone(r.added),
		running: map[string]*process.Plugin{},
	}
}

// Add starts the program at path and returns the algorithm that it serves. From
// now on the algorithm's name means that program, whatever else has that name:
// the program needs to be in no plugin folder.
func (r *Registry) Add(path string) (cc.Algorithm, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	p := r.running[path]
	if p == nil {
		if p, err = r.start(path); err != nil {
			return nil, err
		}
	}
	r.added[p.Algorithm().Describe().Name] = path
	return p.Algorithm(), nil
}

// start runs a program.
func (r *Registry) start(path string) (*process.Plugin, error) {
	o := r.config.Process
	o.Log = ""
	if r.config.Logs != "" {
		o.Log = filepath.Join(r.config.Logs, filepath.Base(path)+".log")
	}
	p, err := process.Start(path, o)
	if err != nil {
		return nil, err
	}
	r.running[path] = p
	return p, nil
}

// expect returns what is wrong with a program that is to serve the algorithm of
// that name. A program shipped with a built-in algorithm must be of its version:
// an old build of it would compute something else.
func (r *Registry) expect(p *process.Plugin, path, name string, builtin cc.Algorithm) error {
	d := p.Algorithm().Describe()
	problem := ""
	switch {
	case d.Name != name:
		problem = fmt.Sprintf("serves algorithm %s, not %s", d.Name, name)
	case builtin != nil && filepath.Dir(path) == r.own && d.Version != builtin.Describe().Version:
		problem = fmt.Sprintf("is version %s of %s, built in is %s: rebuild it", d.Version, name, builtin.Describe().Version)
	default:
		return nil
	}
	return &process.Error{Path: path, Problem: problem}
}

// Close ends all programs that were started. A later look-up starts them
// anew.
func (r *Registry) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	var errs []error
	for _, p := range r.running {
		errs = append(errs, p.Close())
	}
	clear(r.running)
	return errors.Join(errs...)
}
