package main

import (
	"context"
	"fmt"
	"os"
	"sync"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/internal/sudo"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/process"
	"github.com/rocelab/rocelab/plugins/registry"
)

// pluginStart starts the programs of a command's algorithms: in a container if they are to run there, else as the user
// who called sudo.
type pluginStart struct {
	// inContainers: they run in containers of a testbed, so nothing of them runs here.
	inContainers bool
	stderr       warningsOf
	// warned, which the parts of a command share, keeps the warning to one.
	warned *sync.Once
	probes probes
}

// start runs a program that is to be configured and, in memory, to decide.
func (s *pluginStart) start(program process.Program, options process.Options) (registry.Running, error) {
	if s.inContainers && os.Geteuid() == 0 {
		return s.probes.start(program, options)
	}
	s.warn()
	plugin, err := process.Start(program, s.as(options))
	if err != nil {
		return nil, err
	}
	return plugin, nil
}

// describe asks a program who it is. Root asks in a container even where the program
// may run on the host later, if only there is one: whole folders are asked.
func (s *pluginStart) describe(program process.Program, options process.Options) (cc.Description, error) {
	if os.Geteuid() == 0 && (s.inContainers || s.probes.can(program)) {
		asked, err := s.probes.start(program, options)
		if err != nil {
			return cc.Description{}, err
		}
		return asked.Algorithm().Describe(), asked.Close()
	}
	s.warn()
	return process.Probe(program, s.as(options))
}

// warn warns, once in a command, that a program which is about to start runs as root.
func (s *pluginStart) warn() {
	caller, err := sudo.Caller()
	if caller != nil || os.Geteuid() != 0 {
		return
	}
	s.warned.Do(func() {
		why := "SUDO_UID is not set, so there is no other user to run them as"
		if err != nil {
			why = err.Error()
		}
		fmt.Fprintf(s.stderr, "rocelab: programs of algorithms run as root here: %s\n", why)
	})
}

// as makes a program run as the user who called sudo, if there is one.
func (s *pluginStart) as(options process.Options) process.Options {
	caller, _ := sudo.Caller()
	if caller == nil {
		return options
	}
	options.User = &process.User{UID: caller.UID, GID: caller.GID, Groups: caller.Groups}
	if options.Env == nil {
		options.Env = os.Environ()
	}
	options.Env = append(options.Env[:len(options.Env):len(options.Env)], "HOME="+caller.Home, "USER="+caller.Name,
		"LOGNAME="+caller.Name)
	return options
}

// warningsOf is where a command's warnings go, once it runs.
type warningsOf struct{ command *cobra.Command }

// context is the command's, nil before it runs.
func (w warningsOf) context() context.Context {
	if w.command == nil {
		return nil
	}
	return w.command.Context()
}

func (w warningsOf) Write(text []byte) (int, error) { return w.command.ErrOrStderr().Write(text) }
