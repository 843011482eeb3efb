package main

import (
	"errors"
	"path/filepath"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/process"
	"github.com/rocelab/rocelab/plugins/registry"
	"github.com/rocelab/rocelab/testbed/many/comparison"
	"github.com/rocelab/rocelab/testbed/model"
)

// contender is an algorithm that a command line names, by its name or by the
// path of its program.
type contender struct {
	comparison.Entry
	// about describes the algorithm; its Name is that in scenarios.
	about cc.Description
	// program is its program, the zero value if it is built in.
	program process.Program
	// algorithms are all algorithms, the contender's own among them.
	algorithms *registry.Registry
}

// newContender finds the algorithm of an entry and checks its parameters. A program given by its path does not need to
// be in a plugin folder, and may serve an algorithm with the name of another.
func newContender(entry comparison.Entry, plugins *pluginFlags) (*contender, error) {
	r, err := plugins.registry()
	if err != nil {
		return nil, usage(err)
	}
	c := &contender{Entry: entry, algorithms: r.Fresh()}
	a, err := c.find()
	if err == nil {
		c.about = a.Describe()
		err = usage(entry.CheckFits(a))
	}
	return c, errors.Join(err, host(c.algorithms.Close()))
}

// find starts the algorithm, if it is a program.
func (c *contender) find() (algorithm cc.Algorithm, err error) {
	if c.IsPath {
		if err := c.CheckPath(); err != nil {
			return nil, usage(err)
		}
		if c.program.Path, err = filepath.Abs(c.Name); err != nil {
			return nil, host(err)
		}
		return c.algorithms.Add(c.program.Path)
	}
	if c.program, err = c.algorithms.Program(c.Name); err != nil {
		return nil, usage(c.HintPath(err))
	}
	return c.algorithms.Lookup(c.Name)
}

// newRun holds the algorithms of one run: programs are new with each.
func (c *contender) newRun() *contenderRun { return &contenderRun{Registry: c.algorithms.Fresh()} }

// contenderRun is where a run finds its algorithms.
type contenderRun struct {
	*registry.Registry
	// fault is the first failure of a program to start.
	fault *process.Error
}

// find is a model.Find. The contender's name means the contender, even if another algorithm has that name.
func (s *contenderRun) find(name string) (cc.Algorithm, bool) {
	a, err := s.Lookup(name)
	if s.fault == nil {
		errors.As(err, &s.fault)
	}
	return a, err == nil
}

var _ model.Find = (*contenderRun)(nil).find

// close ends the programs. Its error is the first failure of any.
func (s *contenderRun) close() error {
	err := host(s.Close())
	if s.fault != nil {
		err = errors.Join(s.fault, err)
	}
	return err
}
