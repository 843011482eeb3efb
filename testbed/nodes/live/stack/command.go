package stack

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/containernetworking/plugins/pkg/ns"
	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/internal/keeper"
	"github.com/rocelab/rocelab/testbed/nodes/enter"
)

// Command is a command that runs on a host.
type Command struct {
	// Line is the line given to the shell.
	Line string
	// Host is the name of the host.
	Host string

	kept  *keeper.Kept
	cmd   *exec.Cmd
	began time.Time
	ended chan struct{}
	took  time.Duration // until it ended; read after ended
}

// shell reads the lines of commands: sh(1) of the machine.
const shell = "/bin/sh"

// startLimit is the time limit for the keeper of a command to start it.
const startLimit = 20 * time.Second

// endLimit is the time limit for the end of a command and of all its children.
const endLimit = 3 * time.Second

// Start starts a line of the shell on the host; what it prints goes to output, which the
// caller may close then.
func (h *Host) Start(line string, output *os.File) (*Command, error) {
	kept, err := keeper.New(keeper.Order{Path: shell, Args: []string{"-c", line}, Env: os.Environ()})
	if err != nil {
		return nil, fmt.Errorf("host %s: %w", h.Name, err)
	}
	c := &Command{
		Line:  line,
		Host:  h.Name,
		kept:  kept,
		began: time.Now(),
		ended: make(chan struct{}),
	}
	if err := enter.Thread(func() error { return h.start(c, output) }); err != nil {
		kept.Close()
		return nil, fmt.Errorf("host %s: run %q: %w", h.Name, line, err)
	}
	go c.wait()
	return c, nil
}

// start starts the keeper, on a thread that has entered the host.
func (h *Host) start(c *Command, output *os.File) error {
	network, err := ns.GetNS(h.Namespace)
	if err != nil {
		return err
	}
	defer network.Close()
	if err := unix.Setns(int(network.Fd()), unix.CLONE_NEWNET); err != nil {
		return fmt.Errorf("enter its network namespace: %w", err)
	}
	if err := unix.Unshare(unix.CLONE_NEWUTS); err != nil {
		return fmt.Errorf("make a UTS namespace: %w", err)
	}
	if err := unix.Sethostname([]byte(h.Name)); err != nil {
		return fmt.Errorf("set the host's name: %w", err)
	}
	for _, c.cmd = range c.kept.Commands() {
		c.cmd.Stdout, c.cmd.Stderr = output, output
		if err = c.cmd.Start(); err == nil {
			break
		}
	}
	if err != nil {
		return err
	}
	return c.kept.Started(startLimit)
}

func (c *Command) wait() {
	c.cmd.Wait() // for the keeper, which has nothing to say
	c.took = time.Since(c.began)
	close(c.ended)
}

// Done is closed once the command has ended, and nothing that it started is left.
func (c *Command) Done() <-chan struct{} { return c.ended }

// End ends the command and all that it has started, if they still run.
func (c *Command) End() {
	c.cmd.Process.Signal(unix.SIGCONT) // a stopped keeper ends nothing
	c.kept.Kill(endLimit)
	select {
	case <-c.ended:
	case <-time.After(endLimit):
		c.cmd.Process.Kill() // its PID namespace goes with it
		<-c.ended
	}
	c.kept.Close()
}

// Ended is the way in which a command ended by itself.
type Ended struct {
	Status syscall.WaitStatus
	// After is the time that it ran, by the wall clock.
	After time.Duration
}

// Result returns the way in which the command ended by itself; false while it runs, or if that is not known.
func (c *Command) Result() (Ended, bool) {
	select {
	case <-c.ended:
	default:
		return Ended{}, false
	}
	status := c.kept.Status(endLimit)
	if status == nil {
		return Ended{}, false
	}
	return Ended{*status, c.took}, true
}

// missing is the status of a shell that found no such command, barred of one that may not
// be run (POSIX.1-2017, XCU 2.8.2).
const barred, missing = 126, 127

// ErrMissing is the reason of a command that is not there.
var ErrMissing = errors.New("the shell finds no such command")

// Err returns the error of such an end, nil for exit status 0.
func (e Ended) Err() error {
	switch s := e.Status; {
	case s.Exited() && s.ExitStatus() == 0:
		return nil
	case s.Exited() && s.ExitStatus() == missing:
		return ErrMissing
	case s.Exited() && s.ExitStatus() == barred:
		return errors.New("the shell may not run it (exit status 126)")
	case s.Exited():
		return fmt.Errorf("exit status %d", s.ExitStatus())
	default:
		return fmt.Errorf("ended by %v", s.Signal())
	}
}
