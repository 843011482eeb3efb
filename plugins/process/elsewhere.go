//go:build !linux || mem

package process

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/rocelab/rocelab/plugins/cc"
)

// Plugin is a running program that serves an algorithm. There is none here:
// host and plugin talk through memfd and futex, which only
// Linux has.
type Plugin struct{ algorithm cc.Algorithm }

// Start refuses, see Plugin; its error wraps errors.ErrUnsupported.
func Start(program Program, _ Options) (*Plugin, error) {
	if OnlyMem {
		return nil, fmt.Errorf("run %s: this program was built for only built-in algorithms: build it without "+
			"-tags mem (%w)", program, errors.ErrUnsupported)
	}
	return nil, fmt.Errorf("run %s: algorithms as programs need Linux, and this is %s: take built-in algorithms, "+
		"a Linux machine, or the virtual machine that `vagrant up` makes (%w)", program, runtime.GOOS, errors.ErrUnsupported)
}

// Algorithm returns the algorithm that the plugin serves.
func (p *Plugin) Algorithm() cc.Algorithm { return p.algorithm }

// Pid returns 0: nothing runs here.
func (p *Plugin) Pid() int { return 0 }

// Program returns the program.
func (p *Plugin) Program() Program { return Program{} }

// Fault returns nil: nothing runs here.
func (p *Plugin) Fault() error { return nil }

// Close does nothing.
func (p *Plugin) Close() error { return nil }

// Probe refuses: see Plugin.
func Probe(program Program, o Options) (cc.Description, error) {
	_, err := Start(program, o)
	return cc.Description{}, err
}

// Output refuses: see Plugin.
func Output(_ Options, path string, _ ...string) ([]byte, error) {
	_, err := Start(Program{Path: path}, Options{})
	return nil, err
}

// TakeTurns does nothing: no plugin runs here.
func TakeTurns(int) (back func()) { return func() {} }
