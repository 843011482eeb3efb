package main

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/process"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/testbed/comparison"
	"github.com/rocelab/rocelab/testbed/model"
)

// contender is an algorithm that a command line names, by its name or by the
// path of its program.
type contender struct {
	comparison.Entry
	// about describes the algorithm; its Name is what scenarios call it.
	about cc.Description
	// program is the path of its program, "" where it is built in.
	program string
	plugins *pluginFlags
}

// newContender finds the algorithm of an entry and checks its parameters. A
// program given by its path needs to be in no plugin folder, and may serve an
// algorithm that has the name of another.
func newContender(e comparison.Entry, f *pluginFlags) (*contender, error) {
	r, err := f.registry()
	if err != nil {
		return nil, usage(err)
	}
	c := &contender{Entry: e, plugins: f}
	if e.IsPath {
		if c.program, err = filepath.Abs(e.Name); err != nil {
			return nil, host(err)
		}
	} else if c.program, err = r.Path(e.Name); err != nil {
		return nil, usage(err)
	}
	s := c.stage()
	a, err := s.algorithm(cmp.Or(c.program, e.Name))
	if err != nil {
		return nil, errors.Join(err, s.close())
	}
	c.about = a.Describe()
	p, err := cc.ParseParams(c.about, e.Params)
	if err == nil {
		_, err = a.New(p)
	}
	if err != nil {
		err = usage(fmt.Errorf("algorithm %s: %w", e.Text, err))
	}
	return c, errors.Join(err, s.close())
}

// stage holds the algorithms of one run: programs are new with each.
func (c *contender) stage() *stage {
	return &stage{contender: c, running: map[string]*process.Plugin{}}
}

// stage is where a run finds its algorithms.
type stage struct {
	*contender
	running map[string]*process.Plugin // by path
	// err is the first failure of a program to start.
	err error
}

// find is a model.Find. The contender's name means the contender, whatever
// else has that name.
func (s *stage) find(name string) (cc.Algorithm, bool) {
	path := s.program
	if name != s.about.Name {
		r, err := s.plugins.registry()
		if err == nil {
			path, err = r.Path(name)
		}
		if err != nil {
			return nil, false
		}
	}
	a, err := s.algorithm(cmp.Or(path, name))
	if err != nil && s.err == nil {
		s.err = err
	}
	return a, err == nil
}

var _ model.Find = (*stage)(nil).find

// algorithm returns a built-in algorithm by its name, or that of a program by
// its path, started unless it runs.
func (s *stage) algorithm(nameOrPath string) (cc.Algorithm, error) {
	if !filepath.IsAbs(nameOrPath) {
		if a, ok := shipped.Find(nameOrPath); ok {
			return a, nil
		}
		return nil, usage(fmt.Errorf("there is no algorithm %q", nameOrPath))
	}
	if p := s.running[nameOrPath]; p != nil {
		return p.Algorithm(), nil
	}
	var o process.Options
	if s.plugins.logs != "" {
		o.Log = filepath.Join(s.plugins.logs, filepath.Base(nameOrPath)+".log")
	}
	p, err := process.Start(nameOrPath, o)
	if err != nil {
		return nil, err
	}
	s.running[nameOrPath] = p
	return p.Algorithm(), nil
}

// close ends the programs. Its error is the first failure of any.
func (s *stage) close() error {
	err := s.err
	for _, p := range s.running {
		err = errors.Join(err, host(p.Close()))
	}
	return err
}
