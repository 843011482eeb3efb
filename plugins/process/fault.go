//go:build linux && !mem

package process

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/rocelab/rocelab/internal/keeper"
	"github.com/rocelab/rocelab/internal/terminal"
	"github.com/rocelab/rocelab/plugins/cc/control"
	"github.com/rocelab/rocelab/plugins/cc/ring"
)

func (p *Plugin) newError(format string, args ...any) *Error {
	e := &Error{Path: p.program.String(), Algorithm: p.description.Name, Problem: fmt.Sprintf(format, args...) + p.met()}
	if p.launched != nil {
		e.Pid = p.launched.pid
	}
	return e
}

// fail ends the process after a failed exchange and remembers why. The
// caller holds mu.
func (p *Plugin) fail(cause error) {
	what := "its input"
	if asked := p.link.unanswered(); asked != nil {
		what = p.describe(asked)
	}
	if n := p.link.posted - p.link.reached; n > 1 && p.link.ambiguous(cause) {
		what += fmt.Sprintf(", or at one of the %d after it", n-1)
	}
	p.fault = p.failWhile(what, cause)
}

// failWhile ends the process and returns how it failed, and during which question.
func (p *Plugin) failWhile(what string, cause error) error {
	var own problem
	switch {
	case errors.As(cause, &own):
		p.end(false)
		return p.newError("failed at %s: %s%s", what, own, p.logName())
	case errors.Is(cause, errExited):
		p.end(false)
		return p.newError("%s at %s%s", p.ending(), what, p.quoteLog())
	case errors.Is(cause, errSilent):
		words, before := p.quoteLog(), p.log.length()
		asked := p.dumpStacks()
		p.end(false) // its output is complete then
		if asked && p.log.length() > before {
			words += "; its stacks are in " + cmp.Or(p.log.name(), "its log")
		}
		return p.newError("no answer to %s within %v%s", what, p.options.Deadline, words)
	}
	p.end(false)
	return p.newError("failed at %s: %v%s", what, cause, p.quoteLog())
}

// dumpStacks asks a program that hangs to write its stacks into its log, if that is kept anywhere, and reports whether
// it was asked. A program in Go or Python writes its stacks (Serve, faulthandler) and ends; another may write nothing.
func (p *Plugin) dumpStacks() (asked bool) {
	if p.log.file == nil && p.log.also == nil || p.link.pidfd < 0 ||
		unix.PidfdSendSignal(p.link.pidfd, unix.SIGQUIT, nil, 0) != nil {
		return false
	}
	limit := time.Now().Add(StacksLimit)
	for { // Go's own signals interrupt the wait
		left := max(0, int(time.Until(limit).Milliseconds()))
		_, err := unix.Poll([]unix.PollFd{{Fd: int32(p.link.pidfd), Events: unix.POLLIN}}, left)
		if err != unix.EINTR {
			return true
		}
	}
}

// StacksLimit is the longest time that a program that hangs may take to write its stacks: Go's runtime
// writes them word by word, thousands, which takes long on a busy host. One that is stopped
// takes all of it.
const StacksLimit = 5 * time.Second

// callError is the failure of a call of package control.
func (p *Plugin) callError(what string, err error) error {
	switch {
	case status.Code(err) == codes.DeadlineExceeded:
		err = errSilent
	case status.Code(err) == codes.Unavailable:
		err = errExited
	case status.Code(err) == codes.ResourceExhausted:
		err = errTooLong
	case status.Code(err) == codes.Internal: // how a program says it that can
		err = problem(excerpt(status.Convert(err).Message()))
	}
	return p.failWhile(what, err)
}

// ending describes how the process ended, once it did.
func (p *Plugin) ending() string {
	if status := p.launched.Status(exitLimit); status != nil {
		return ending(*status)
	}
	return "broke the connection"
}

func ending(status syscall.WaitStatus) string {
	switch {
	case status.Exited():
		return fmt.Sprintf("exited with code %d", status.ExitStatus())
	case status.CoreDump():
		return fmt.Sprintf("was ended by signal: %v (core dumped)", status.Signal())
	default:
		return fmt.Sprintf("was ended by signal: %v", status.Signal())
	}
}

func (p *Plugin) quoteLog() string {
	words := p.log.quote()
	if words == "" {
		return ""
	}
	return ": " + words + p.logName()
}

func (p *Plugin) logName() string {
	if name := p.log.name(); name != "" {
		return fmt.Sprintf(" (more in %s)", name)
	}
	return ""
}

// describe names a message.
func (p *Plugin) describe(asked *question) string {
	flow := "a flow"
	if int(asked.of) < len(p.flows) {
		flow = "flow " + p.flows[asked.of]
	}
	switch asked.verb {
	case ring.VerbSender:
		return fmt.Sprintf("the set-up of the sender of flow %d", asked.of)
	case ring.VerbReceiver:
		return fmt.Sprintf("the set-up of the receiver of flow %d", asked.of)
	case ring.VerbHandle, ring.VerbNext:
		return fmt.Sprintf("the %v event of %s at %v", asked.kind, flow, asked.now)
	case ring.VerbData:
		return fmt.Sprintf("a data packet of %s at %v", flow, asked.now)
	case ring.VerbValues:
		return "the question for the values of " + flow
	}
	return "a change of the group of " + flow
}

var apiVersion = regexp.MustCompile(`^incompatible API version with plugin\. Plugin version: (\d+)`)

// startError returns in the terms of this package why the program did not become a plugin. For most reasons go-plugin
// only has texts.
func (p *Plugin) startError(err error) error {
	p.end(false) // its output is complete then
	text := err.Error()
	printed, unrecognised := strings.CutPrefix(text, "Unrecognized remote plugin message: ")
	printed, _, _ = strings.Cut(printed, "\n")
	version := apiVersion.FindStringSubmatch(text)
	switch {
	case version != nil:
		return p.newError("speaks protocol version %s, this rocelab speaks %d: "+
			"rebuild the plugin with this version of rocelab",
			version[1], control.Version)
	case unrecognised && strings.TrimSpace(printed) != "":
		return p.newError("is not a plugin: it wrote %q to stdout in place of the handshake", shorten(printed, 60))
	case unrecognised, strings.HasPrefix(text, "plugin exited before"):
		return p.newError("is not a plugin: it ended without a handshake%s", p.quoteLog())
	case strings.HasPrefix(text, "timeout while waiting"):
		return p.newError("is not a plugin, or hangs: no handshake within %v "+
			"(--plugin-start)%s", p.options.StartLimit,
			p.quoteLog())
	}
	return p.newError("cannot be used as a plugin: %v%s", err, p.quoteLog())
}

// executeError returns why the program could not be started at all.
func (p *Plugin) executeError(err error) error {
	p.end(false)
	path := p.program.Path
	var step *keeper.Error
	switch {
	case !errors.As(err, &step) || step.Step != keeper.Execute || exhausted(step.Errno) && p.met() == "":
		return fmt.Errorf("start plugin %s: %w", p.program, err) // the host's
	case Unfit(path) != "":
		return p.newError("%s", Unfit(path))
	case errors.Is(err, fs.ErrNotExist) && exists(path):
		return p.newError("cannot be run: the program that its first line names is missing")
	case errors.Is(err, fs.ErrPermission) && p.options.User != nil && executable(path):
		return p.newError("cannot be reached or executed by user %d, the user that plugins run as here "+
			"(SUDO_UID): put it into a folder that this user can read", p.options.User.UID)
	case errors.Is(err, fs.ErrPermission):
		return p.newError("may not be executed here (its folders and file system may forbid it)")
	case errors.Is(err, unix.ENOEXEC):
		return p.newError("is not an executable program: the system knows no way to run it")
	}
	return p.newError("cannot be run: %v", step.Errno)
}

// exhausted reports whether a program was not started for want of processes, memory or
// open files, or since a disk does not read (execve(2)).
func exhausted(why syscall.Errno) bool {
	return why == unix.EAGAIN || why == unix.ENOMEM || why == unix.EMFILE || why == unix.ENFILE || why == unix.EIO
}

// executable reports whether a file may be executed by this process.
func executable(path string) bool { return unix.Access(path, unix.X_OK) == nil }

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// shorten returns text, or its beginning if it has more than most characters.
func shorten(text string, most int) string {
	if r := []rune(text); len(r) > most {
		return string(r[:most-3]) + "..."
	}
	return text
}

// excerpt returns a part of a plugin's own words for a message: a line of a few hundred characters, with control
// characters made visible.
func excerpt(text string) string { return shorten(terminal.Line(text), 400) }
