package process

import "fmt"

// Error is a program that cannot serve as a plugin, or that failed as one.
type Error struct {
	// Path is the program's, with its argument if it has one.
	Path string
	// Algorithm is its name and Pid the process, where they are known.
	Algorithm string
	Pid       int
	// Problem says what is wrong, as the rest of a sentence about the program.
	Problem string
}

// HostError is what the host lacks or refuses, so that a program was not started: no
// fault of the program's.
type HostError struct{ Cause error }

func (e *HostError) Error() string { return e.Cause.Error() }

func (e *HostError) Unwrap() error { return e.Cause }

func (e *Error) Error() string {
	if e.Algorithm == "" {
		return fmt.Sprintf("plugin %s: %s", e.Path, e.Problem)
	}
	return fmt.Sprintf("algorithm %s (plugin %s, pid %d): %s", e.Algorithm, e.Path, e.Pid, e.Problem)
}
