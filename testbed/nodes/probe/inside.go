//go:build linux && !mem

package probe

import (
	"encoding/gob"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/internal/cgroup"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
	"github.com/rocelab/rocelab/plugins/process"
)

const (
	// name is argv[0] of a probe's first process, by which it recognises itself.
	name = "rocelab-probe"
	// socketFile is its end of the socket, gateFile the first of the gate of the program's
	// limits.
	socketFile, gateFile = 3, 4
	// user is the user of the program: no one else in there has that number.
	user = 1_879_048_192 // as a daemon's first plugin
	// printedSize is how much of the program's output is kept.
	printedSize = 1 << 20
)

// Become never returns if this process is the first of a probe. It is called first
// in the main function of every program that asks by probes, after container.Init.
func Become() {
	if len(os.Args) == 0 || filepath.Base(os.Args[0]) != name {
		return
	}
	// The program must not look into this process.
	if err := errors.Join(unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0),
		unix.CloseRange(socketFile, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	socket := os.NewFile(socketFile, "socket")
	questions := make(chan question)
	go func() { // the end of the host is noticed whatever the program does
		for in := gob.NewDecoder(socket); ; {
			var q question
			if in.Decode(&q) != nil {
				os.Exit(0)
			}
			questions <- q
		}
	}()
	inside := inside{printed: process.NewTail(printedSize), gate: cgroup.GateOf(gateFile)}
	out := gob.NewEncoder(socket)
	for q := range questions {
		a := inside.answer(&q)
		if err := out.Encode(a); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// inside is the container's part of a probe.
type inside struct {
	gate    *cgroup.Gate
	plugin  *process.Plugin
	printed *process.Tail
}

func (i *inside) answer(q *question) *answer {
	switch {
	case q.Start != nil:
		return i.start(q.Start)
	case q.Configure != nil && i.plugin != nil:
		return i.configure(q.Configure)
	}
	if i.plugin != nil { // what it has printed is read by its end
		if err := i.plugin.Close(); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		i.plugin = nil
	}
	return &answer{Printed: i.printed.Bytes()}
}

func (i *inside) start(s *start) *answer {
	options := process.Options{
		Output:     i.printed,
		Deadline:   s.Deadline,
		StartLimit: s.StartLimit,
		Limits:     s.Limits,
		Gate:       i.gate,
		User:       &process.User{UID: user, GID: user, Alone: true},
	}
	plugin, err := process.Start(s.Program, options)
	if err != nil {
		return refused(err)
	}
	i.plugin = plugin
	algorithm := plugin.Algorithm()
	description := algorithm.Describe()
	return &answer{Description: &description, Interpreter: hosting.InterpreterOf(algorithm)}
}

func (i *inside) configure(c *configure) *answer {
	algorithm := i.plugin.Algorithm()
	params, err := hosting.Parse(algorithm.Describe(), c.Given)
	if err != nil {
		return refused(err)
	}
	controller, err := algorithm.New(params)
	if err != nil {
		return refused(err)
	}
	signals := controller.Signals()
	made := &answer{Signals: &signals}
	if resolving, ok := controller.(cc.Resolving); ok {
		made.Resolved = resolving.Resolved()
	}
	return made
}

func refused(err error) *answer {
	a := &answer{}
	switch {
	case errors.As(err, &a.Fault), errors.As(err, &a.Wrong):
	default:
		a.Refusal = err.Error()
	}
	return a
}
