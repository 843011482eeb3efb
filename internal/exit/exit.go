// Package exit has the exit codes of rocelab, and the kinds of errors that end with them. An error is marked at its
// origin; among the errors that one wraps or joins, the gravest mark counts.
package exit

import (
	"errors"
	"slices"
	"syscall"
)

// Exit codes of rocelab.
const (
	CodePass        = 0   // every run passed
	CodeFailed      = 1   // an expectation was not met
	CodeUsage       = 2   // wrong usage or an invalid scenario
	CodeVerdict     = 3   // a verdict is red or void
	CodeHost        = 4   // the host lacks something
	CodePlugin      = 5   // an algorithm crashed or answered nonsense
	CodeFault       = 6   // a fault of rocelab itself
	CodeInterrupted = 130 // stopped by a signal
	CodeQuit        = 131 // SIGQUIT asked what it was doing
)

// rank has the exit codes in the order of gravity. Runs that all have a result come first, by their
// verdicts; then runs without a result that are not tried again; then what leaves runs to be made.
var rank = []int{CodePass, CodeFailed, CodeVerdict, CodeUsage, CodePlugin, CodeInterrupted, CodeHost, CodeQuit,
	CodeFault}

// Gravest is the exit code of several runs or processes, of their own codes the gravest; CodePass of none. A
// code that is not one of rocelab's, such as 137 of a process that was killed, is graver than all of these; of
// two of them the greater one counts.
func Gravest(codes ...int) int {
	gravest := CodePass
	for _, code := range codes {
		if gravity(code) > gravity(gravest) {
			gravest = code
		}
	}
	return gravest
}

// gravity is the place of a code in the order.
func gravity(code int) int {
	if i := slices.Index(rank, code); i >= 0 {
		return i
	}
	return len(rank) + code
}

// Error is an error that has an exit code of its own.
type Error struct {
	Code int
	Err  error
}

func (e *Error) Error() string { return e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// ExitCode returns the code.
func (e *Error) ExitCode() int { return e.Code }

// Usage marks wrong usage or an invalid scenario; nil stays nil.
func Usage(err error) error { return mark(CodeUsage, err) }

// Host marks what the host lacks or refuses: another host may do what this one does not. Nil stays nil.
func Host(err error) error { return mark(CodeHost, err) }

// Plugin marks a program that is not a plugin or an algorithm that does not exist; nil stays nil.
func Plugin(err error) error { return mark(CodePlugin, err) }

// Interrupted marks an interruption that left nothing to keep; nil stays nil.
func Interrupted(err error) error { return mark(CodeInterrupted, err) }

func mark(code int, err error) error {
	if err == nil {
		return nil
	}
	return &Error{Code: code, Err: err}
}

// Is reports whether an error, or one that it wraps or joins, is marked with a code. Errors of
// other packages are marked by a method ExitCode; that of a process which ended, an *exec.ExitError, is
// none: its code is the process's.
func Is(err error, code int) bool {
	_, process := err.(interface{ Pid() int })
	if coder, ok := err.(interface{ ExitCode() int }); ok && !process && coder.ExitCode() == code {
		return true
	}
	switch wrapped := err.(type) {
	case interface{ Unwrap() error }:
		return Is(wrapped.Unwrap(), code)
	case interface{ Unwrap() []error }:
		return slices.ContainsFunc(wrapped.Unwrap(), func(one error) bool { return Is(one, code) })
	}
	return false
}

// Of returns the code of an error by what it wraps or joins: that of an algorithm's fault, else of the host's, else of
// an interruption. Any other error is a fault of the command line or of the scenario.
func Of(err error) int {
	switch {
	case Is(err, CodePlugin):
		return CodePlugin
	case Is(err, CodeHost), errors.Is(err, errors.ErrUnsupported), errors.Is(err, syscall.EMFILE),
		errors.Is(err, syscall.ENFILE):
		return CodeHost
	case Is(err, CodeInterrupted):
		return CodeInterrupted
	}
	return CodeUsage
}
