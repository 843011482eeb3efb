//go:build linux && !mem

package process

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/internal/keeper"
)

// Output runs a program to its end, held as a plugin is, and returns what it wrote. It
// has as long as a plugin has to start, and until the options' context is done; of the options
// nothing else is used. Its error is an *Error, one of the host (exit.Host) if it lacks something, or
// ErrInterrupted.
func Output(options Options, path string, args ...string) ([]byte, error) {
	limit := cmp.Or(options.StartLimit, StartLimit)
	program := &Plugin{program: Program{Path: path}}
	kept, err := keeper.New(keeper.Order{Path: path, Args: args, Env: os.Environ()})
	if err != nil {
		return nil, exit.Host(fmt.Errorf("start plugin %s: %w", path, err))
	}
	defer kept.Close()
	var out bytes.Buffer
	var cmd *exec.Cmd
	for _, cmd = range kept.Commands() {
		// A file that is not said would be opened, and a root may have no devices.
		cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = os.Stdin, &out, io.Discard, exitLimit
		if err = cmd.Start(); err == nil {
			break
		}
	}
	if err != nil {
		return nil, exit.Host(fmt.Errorf("start plugin %s: start its keeper: %w", path, err))
	}
	asked := strings.Join(args, " ")
	late := time.AfterFunc(limit, func() {
		kept.Kill(exitLimit)
		cmd.Process.Kill() // a keeper that was stopped, too
	})
	defer context.AfterFunc(options.context(), func() { kept.Kill(exitLimit) })()
	failed := kept.Started(limit)
	err = cmd.Wait()
	switch status := kept.Status(exitLimit); {
	case options.context().Err() != nil:
		late.Stop()
		return nil, ErrInterrupted
	case !late.Stop():
		return nil, program.newError("does not end within %v (--plugin-start) when it is asked %q", limit, asked)
	case failed != nil:
		return nil, program.newError("cannot be run: %v", failed)
	case status == nil:
		return nil, program.newError("was lost when it was asked %q: its keeper ended, %v", asked, err)
	case *status != 0:
		return nil, program.newError("%s when it was asked %q", ending(*status), asked)
	}
	return out.Bytes(), nil
}
