package process

import (
	"fmt"

	"github.com/rocelab/rocelab/internal/exit"
)

// Error is a program that cannot serve as a plugin, or that failed as one.
type Error struct {
	// Path is the program's, with its argument if it has one.
	Path string
	// Algorithm is its name and Pid the process, if they are known.
	Algorithm string
	Pid       int
	// Problem is the fault, as the rest of a sentence about the program.
	Problem string
}

// ExitCode is that of a plugin's fault.
func (e *Error) ExitCode() int { return exit.CodePlugin }

func (e *Error) Error() string {
	if e.Algorithm == "" {
		return fmt.Sprintf("plugin %s: %s", e.Path, e.Problem)
	}
	return fmt.Sprintf("algorithm %s (plugin %s, pid %d): %s", e.Algorithm, e.Path, e.Pid, e.Problem)
}
