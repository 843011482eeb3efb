//go:build linux && !mem

package probe

import (
	"context"
	"debug/elf"
	"encoding/gob"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/containernetworking/plugins/pkg/ns"
	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
	"github.com/rocelab/rocelab/plugins/process"
	"github.com/rocelab/rocelab/testbed/model"
	"github.com/rocelab/rocelab/testbed/nodes/container"
)

// Probe is a program in a container that is asked for its description. Its algorithm describes and configures itself,
// and does not make senders and receivers.
type Probe struct {
	host        *Host
	program     process.Program
	options     process.Options
	container   container.Container
	socket      *os.File
	description cc.Description
	interpreter hosting.Interpreter

	// mu makes questions come one at a time; it guards what follows.
	mu    sync.Mutex
	in    *gob.Decoder
	out   *gob.Encoder
	fault *process.Error
	// lost reports that the container answers no more.
	lost, closed bool
}

// patience is the time that a container may take beyond its program's.
const patience = 15 * time.Second

// Start runs a program in a container and asks who it is. Its error is a
// *process.Error, unless the host lacks something. The caller closes the probe.
// The defaults of the options are package process's; Env and User are not used. What the
// program has printed comes with the end.
func (h *Host) Start(program process.Program, o process.Options) (started *Probe, err error) {
	if program.Path, err = filepath.Abs(program.Path); err != nil {
		return nil, err
	}
	if err := fit(program); err != nil {
		return nil, err
	}
	p := &Probe{host: h, program: program, options: o}
	if err := p.start(h); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return p, nil
}

// fit returns the reason why a file cannot run in a container, if that shows beforehand.
func fit(program process.Program) error {
	problem := process.Unfit(program.Path)
	f, err := elf.Open(program.Path)
	if err == nil {
		f.Close()
	} else if system := (&fs.PathError{}); problem == "" && !errors.As(err, &system) {
		problem = "is not a program by itself (an ELF executable), as required in a container; scripts only run " +
			"in memory, with --on mem"
	}
	if problem == "" {
		return nil
	}
	return &process.Error{Path: program.String(), Problem: problem}
}

func (p *Probe) start(h *Host) error {
	ours, theirs, err := socketPair()
	if err != nil {
		return err
	}
	p.socket = ours
	defer theirs.Close()
	p.in, p.out = gob.NewDecoder(ours), gob.NewEncoder(ours)
	space, err := ns.TempNetNS() // it has no name on the host, and goes with the container
	if err != nil {
		return fmt.Errorf("make a network namespace: %w", err)
	}
	defer space.Close()
	self, err := ownProgram()
	if err != nil {
		return err
	}
	inside := process.Program{Path: "/plugins/" + filepath.Base(p.program.Path), Algorithm: p.program.Algorithm}
	spec := container.Spec{
		ID:       h.newID(),
		Hostname: "probe",
		NetNS:    fmt.Sprintf("/proc/%d/fd/%d", os.Getpid(), space.Fd()),
		Program:  self,
		Name:     name,
		Env:      []string{"HOME=/tmp", "PATH=/bin"},
		Plugins:  map[string]string{filepath.Base(p.program.Path): p.program.Path},
		Fence:    p.options.Limits.Fence(),
		Files:    []*os.File{theirs},
		Dir:      h.dir,
	}
	if _, err := container.OCI(spec); err != nil { // it looks at the program and its libraries
		return &process.Error{Path: p.program.String(), Problem: fmt.Sprintf("cannot run in a container: %v", err)}
	}
	if !h.begin() {
		return errors.New("probes end")
	}
	p.container, err = h.runtime.Start(context.Background(), spec)
	h.begun()
	if err != nil {
		return fmt.Errorf("ask plugin %s in a container: %w", p.program, err)
	}
	theirs.Close() // or its end would not show
	limit := p.options.StartLimit
	if limit == 0 {
		limit = process.StartLimit
	}
	a, err := p.ask(&question{Start: &start{inside, p.options.Deadline, p.options.StartLimit, p.options.Limits}}, limit)
	if err != nil {
		return err
	}
	p.description, p.interpreter = *a.Description, a.Interpreter
	return nil
}

// ask asks one question and returns an answer to it. The program has the given time, and its container some more.
func (p *Probe) ask(q *question, limit time.Duration) (*answer, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.fault != nil {
		return nil, p.fault
	}
	var a answer
	p.socket.SetDeadline(time.Now().Add(limit + patience))
	if ctx := p.options.Context; ctx != nil {
		defer context.AfterFunc(ctx, func() { p.socket.SetDeadline(time.Unix(1, 0)) })()
	}
	err := p.out.Encode(q)
	if err == nil {
		err = p.in.Decode(&a)
	}
	p.lost = err != nil
	switch {
	case a.Wrong != nil:
		return nil, a.Wrong
	case a.Refusal != "":
		return nil, errors.New(a.Refusal)
	case a.Fault != nil:
		p.fault = a.Fault
		p.fault.Path = p.program.String() // not as the container knows it
	case err != nil && p.options.Context != nil && p.options.Context.Err() != nil:
		return nil, process.ErrInterrupted
	case errors.Is(err, os.ErrDeadlineExceeded):
		p.fault = p.newError("did not answer within %v, nor did its container", limit+patience)
	case err != nil || a.Description == nil && a.Signals == nil && !q.Printed:
		p.fault = p.newError("ended with its container while it was asked who it is: it took more memory than it may, or " +
			"answered nonsense")
	default:
		return &a, nil
	}
	return nil, p.fault
}

func (p *Probe) newError(format string, args ...any) *process.Error {
	return &process.Error{Path: p.program.String(), Algorithm: p.description.Name, Problem: fmt.Sprintf(format, args...)}
}

// Algorithm returns the algorithm that the program serves.
func (p *Probe) Algorithm() cc.Algorithm { return algorithm{p} }

// Fault returns the failure of the program, nil while it works.
func (p *Probe) Fault() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.fault == nil || p.closed {
		return nil
	}
	return p.fault
}

// Close ends the container with all that is in it, and passes on what the program
// has printed.
func (p *Probe) Close() error {
	p.mu.Lock()
	done, answers := p.closed, p.container != nil && !p.lost
	p.closed, p.fault = true, nil
	p.mu.Unlock()
	if done {
		return nil
	}
	var errs []error
	if answers {
		if a, err := p.ask(&question{Printed: true}, 0); err == nil {
			errs = append(errs, p.keep(a.Printed))
		}
	}
	p.mu.Lock()
	p.fault = p.newError("was closed")
	p.mu.Unlock()
	if p.socket != nil {
		errs = append(errs, p.socket.Close())
	}
	if p.container != nil {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		err := p.container.Remove(ctx)
		if err != nil {
			p.host.kept.Store(true)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// keep passes on what the program has printed, as package process does.
func (p *Probe) keep(printed []byte) error {
	if len(printed) == 0 {
		return nil
	}
	if p.options.Output != nil {
		p.options.Output.Write(printed)
	}
	if p.options.Log == "" {
		return nil
	}
	to, err := os.OpenFile(p.options.Log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = to.Write(printed)
	return errors.Join(err, to.Close())
}

// algorithm forwards to the one in the container.
type algorithm struct{ *Probe }

// Describe implements cc.Algorithm.
func (a algorithm) Describe() cc.Description { return a.description }

// Interpreter implements hosting.Interpreted.
func (a algorithm) Interpreter() hosting.Interpreter { return a.interpreter }

// New implements cc.Algorithm. The container has no files of the host: their text
// goes in the place of their paths.
func (a algorithm) New(params cc.Params) (cc.Controller, error) {
	given := maps.Clone(hosting.Written(params))
	if err := model.EmbedFiles(a.description.Name, given, a.description.Params); err != nil {
		return nil, err
	}
	limit := a.options.Deadline
	if limit == 0 {
		limit = patience
	}
	configured, err := a.ask(&question{Configure: &configure{given}}, limit)
	if err != nil {
		return nil, err
	}
	return &controller{a.description.Name, *configured.Signals, configured.Resolved}, nil
}

// controller is a configured algorithm in the container.
type controller struct {
	name    string
	signals cc.Signals
	// resolved is the result of Resolved.
	resolved map[string]string
}

// Resolved implements cc.Resolving. The values are the program's: they may be anything.
func (c *controller) Resolved() map[string]string { return c.resolved }

// String names the controller in messages.
func (c *controller) String() string { return c.name + " (probe)" }

// Signals implements cc.Controller.
func (c *controller) Signals() cc.Signals { return c.signals }

// NewSender implements cc.Controller: a probe makes none.
func (c *controller) NewSender(cc.Facts) cc.Sender { return nil }

// NewReceiver implements cc.Controller: a probe makes none.
func (c *controller) NewReceiver(cc.Facts) cc.Receiver { return nil }

// socketPair returns both ends of a connection; ours has deadlines.
func socketPair() (ours, theirs *os.File, err error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, nil, fmt.Errorf("make a socket pair: %w", err)
	}
	if err := unix.SetNonblock(pair[0], true); err != nil {
		unix.Close(pair[0])
		unix.Close(pair[1])
		return nil, nil, err
	}
	return os.NewFile(uintptr(pair[0]), "probe"), os.NewFile(uintptr(pair[1]), "probe"), nil
}

// ownProgram is the file of the running program.
func ownProgram() (string, error) {
	self, err := os.Executable()
	if err == nil {
		self, err = filepath.EvalSymlinks(self)
	}
	if err != nil {
		return "", fmt.Errorf("where this program lies: %w", err)
	}
	return self, nil
}
