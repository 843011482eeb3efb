package document

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Position is where something is in a text. Line and Column count from 1.
type Position struct {
	File         string
	Line, Column int
}

// Error is one problem of a text: its position, the fault, and the allowed values.
type Error struct {
	// File is the name of the text, or the override that brought the value,
	// as in "--set seed".
	File string
	// Line and Column count from 1.
	Line, Column int
	Message      string
}

// Error returns "file:line:column: message"; for an override that is wrong from the beginning of its value, only "--set
// path: message".
func (e *Error) Error() string {
	if strings.HasPrefix(e.File, "--") && e.Line == 1 && e.Column == 1 {
		return fmt.Sprintf("%s: %s", e.File, e.Message)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
}

// Position is where the problem is.
func (e *Error) Position() Position { return Position{e.File, e.Line, e.Column} }

// Error is an error there.
func (p Position) Error(message string) *Error { return &Error{p.File, p.Line, p.Column, message} }

// Errors are all problems that were found, in the order of the file. It is
// never empty.
type Errors []*Error

// Error returns the problems, one a line.
func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i, one := range e {
		lines[i] = one.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the problems one by one.
func (e Errors) Unwrap() []error {
	list := make([]error, len(e))
	for i, one := range e {
		list[i] = one
	}
	return list
}

// MaxProblems is the maximum number of problems reported for a file: no one reads more, and a file made to have a
// million of them must not take an hour.
const MaxProblems = 100

// Problems collects the problems of one file.
type Problems struct{ list Errors }

// Add adds a problem, unless there are MaxProblems.
func (p *Problems) Add(at Position, format string, args ...any) {
	if len(p.list) < MaxProblems {
		p.list = append(p.list, &Error{at.File, at.Line, at.Column, fmt.Sprintf(format, args...)})
	}
}

// Len returns the number of problems.
func (p *Problems) Len() int { return len(p.list) }

// Err returns the problems as Errors, in the order of the file; nil if there are none.
func (p *Problems) Err() error {
	if len(p.list) == 0 {
		return nil
	}
	slices.SortStableFunc(p.list, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return p.list
}
