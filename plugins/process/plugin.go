//go:build linux && !mem

package process

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"google.golang.org/grpc"

	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/control"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
	"github.com/rocelab/rocelab/plugins/cc/ring"
)

// Plugin is a running program that serves an algorithm.
type Plugin struct {
	program     Program
	options     Options
	log         *log
	held        held
	launched    *launched
	control     control.AlgorithmClient
	description cc.Description
	interpreter hosting.Interpreter

	// mu makes callers come one at a time; it guards what follows.
	mu   sync.Mutex
	link *link
	// fault is the reason why the plugin is broken or closed, nil while it works.
	fault error
	// flows are the flows' names, by the number of the flow's end.
	flows []string
	batch uint64 // counts batches
	// asked are the questions whose answers go to those who asked, in the order of their messages.
	asked []asked
}

// Start runs a program and asks who it is. Its error is an *Error, or one of the host
// where the host lacks something. The caller closes the plugin.
func Start(program Program, options Options) (started *Plugin, err error) {
	defer func() {
		if err != nil && !errors.As(err, new(*Error)) && !errors.Is(err, ErrInterrupted) {
			err = exit.Host(err)
		}
	}()
	if options.context().Err() != nil {
		return nil, ErrInterrupted
	}
	if program.Path, err = filepath.Abs(program.Path); err != nil {
		return nil, err
	}
	if options.Deadline == 0 {
		options.Deadline = Deadline
	}
	if options.StartLimit == 0 {
		options.StartLimit = StartLimit
	}
	if options.Env == nil {
		options.Env = os.Environ()
	}
	started = &Plugin{program: program, options: options}
	if started.log, err = openLog(options.Log, options.Output, options.Limits.OrDefault().Log); err != nil {
		return nil, fmt.Errorf("open the log of plugin %s: %w", program, err)
	}
	if err := started.start(); err != nil {
		started.end(false)
		started.release()
		if options.context().Err() != nil {
			return nil, ErrInterrupted
		}
		return nil, err
	}
	return started, nil
}

// start launches the program, connects to it and asks who it is.
func (p *Plugin) start() error {
	link, inherit, err := newLink()
	if err != nil {
		return fmt.Errorf("start plugin %s: %w", p.program, err)
	}
	p.link = link
	defer closeAll(inherit)
	if err := p.hold(); err != nil {
		return err
	}
	if err := p.launch(inherit); err != nil {
		return err
	}
	link.pidfd = p.launched.Pidfd()
	return p.identify()
}

// identify asks who the algorithm is and whether it shares the ring's layout.
func (p *Plugin) identify() error {
	ctx, cancel := context.WithTimeout(p.options.context(), p.options.Deadline)
	defer cancel()
	answer, err := p.control.Describe(ctx, &control.DescribeRequest{}, grpc.MaxCallRecvMsgSize(largestAnswer))
	if err != nil {
		return p.callError("the question who it is", err)
	}
	if answer.Stream {
		return p.useStream(answer)
	}
	if answer.Layout != ring.Digest() {
		return p.newError("was built with other events and decisions (layout %016x, here %016x): rebuild the plugin with "+
			"this version of rocelab", answer.Layout, ring.Digest())
	}
	return p.takeDescription(answer)
}

func (p *Plugin) takeDescription(answer *control.Description) error {
	described, interpreter := description(answer), interpreter(answer)
	if problem := cmp.Or(checkDescription(&described), checkInterpreter(&interpreter)); problem != "" {
		return p.newError("%s", problem)
	}
	p.description, p.interpreter = described, interpreter
	return nil
}

// useStream puts the stream in the place of the ring.
func (p *Plugin) useStream(answer *control.Description) error {
	s, err := newStream(p.control)
	if err != nil {
		return p.callError("the opening of its stream", err)
	}
	p.link.carrier = s
	return p.takeDescription(answer)
}

// Algorithm returns the algorithm that the plugin serves.
func (p *Plugin) Algorithm() cc.Algorithm { return algorithm{p} }

// Pid returns the process ID of the program, as this host counts; 0 if it is not known.
func (p *Plugin) Pid() int { return p.launched.pid }

// Program returns the program.
func (p *Plugin) Program() Program { return p.program }

// Close ends the program and waits for its end. Calls that come later fail.
func (p *Plugin) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.link == nil {
		return nil
	}
	if p.fault == nil {
		p.fault = p.newError("was closed")
		p.end(true)
	}
	giveAnswers(p)
	return p.release()
}

// release gives everything back.
func (p *Plugin) release() error {
	if p.launched != nil {
		p.launched.Close()
	}
	if p.link != nil {
		p.link.close()
		p.link = nil
	}
	return errors.Join(p.held.release(), p.log.close())
}

// Probe starts a program, asks who its algorithm is and ends it.
func Probe(program Program, options Options) (cc.Description, error) {
	plugin, err := Start(program, options)
	if err != nil {
		return cc.Description{}, err
	}
	return plugin.description, plugin.Close()
}
