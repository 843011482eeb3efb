//go:build linux && !mem

package main

import (
	"debug/elf"
	"errors"
	"sync"

	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/plugins/process"
	"github.com/rocelab/rocelab/plugins/registry"
	"github.com/rocelab/rocelab/testbed/nodes/probe"
	"github.com/rocelab/rocelab/testbed/nodes/veth"
)

// probes are the containers in which a command asks programs, once there are any.
type probes struct {
	mu   sync.Mutex
	host *probe.Host
	err  error
}

// open returns what starts them.
func (p *probes) open() (*probe.Host, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.host == nil && p.err == nil {
		if p.err = veth.CheckRoot(); p.err == nil {
			p.host, p.err = probe.Open(veth.Root())
		}
	}
	return p.host, host(p.err)
}

// can reports whether a program can be asked in a container: this host supports them, and the program is not a script.
func (p *probes) can(program process.Program) bool {
	if f, err := elf.Open(program.Path); err != nil {
		return false
	} else {
		f.Close()
	}
	_, err := p.open()
	return err == nil
}

func (p *probes) start(program process.Program, options process.Options) (registry.Running, error) {
	h, err := p.open()
	if err != nil {
		return nil, exit.Host(err)
	}
	started, err := h.Start(program, options)
	if err != nil && !errors.As(err, new(*process.Error)) && !errors.Is(err, process.ErrInterrupted) {
		err = exit.Host(err)
	}
	if err != nil {
		return nil, err
	}
	return started, nil
}

// close removes what they needed, once they are closed.
func (p *probes) close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.host == nil {
		return nil
	}
	err := p.host.Close()
	p.host = nil
	return host(err)
}
