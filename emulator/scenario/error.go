package scenario

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Error is one problem of a scenario: where it is, what is wrong, what is
// allowed.
type Error struct {
	// File is the name given to Parse, or the override that brought the value,
	// as in "--set seed".
	File string
	// Line and Column count from 1.
	Line, Column int
	Message      string
}

// Error returns "file:line:column: message"; of an override whose value begins
// with what is wrong only "--set path: message".
func (e *Error) Error() string {
	if strings.HasPrefix(e.File, "--") && e.Line == 1 && e.Column == 1 {
		return fmt.Sprintf("%s: %s", e.File, e.Message)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
}

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

// ParamProblem is how a CheckAlgorithm says which parameter is wrong, so that
// the message is placed at that parameter.
type ParamProblem struct{ Param, Problem string }

func (e *ParamProblem) Error() string { return fmt.Sprintf("parameter %s: %s", e.Param, e.Problem) }

// position is where a node of the tree came from.
type position struct {
	file         string
	line, column int
}

// problems collects errors. Variants share most of their tree, so the same
// problem may come more than once; it is kept once, with the variants that have it
// unless all have.
type problems struct {
	list Errors
	// said has the variants of those of the list, an empty name for what is not of a variant.
	said map[Error][]string
	// variant is the one that is read, "" for none, and among how many are.
	variant string
	among   int
	// found counts them all, those too that were there already.
	found int
}

// maxProblems is how many problems of a file are said: nobody reads more, and a file
// made to have a million of them must not take an hour.
const maxProblems = 100

func newProblems() *problems { return &problems{said: map[Error][]string{}} }

// full reports whether no more problems are said.
func (p *problems) full() bool { return len(p.list) >= maxProblems }

func (p *problems) add(at position, format string, args ...any) {
	p.found++
	if p.full() {
		return
	}
	e := Error{at.file, at.line, at.column, fmt.Sprintf(format, args...)}
	of, said := p.said[e]
	if !said {
		p.list = append(p.list, &e)
	}
	if !slices.Contains(of, p.variant) {
		p.said[e] = append(of, p.variant)
	}
}

// named returns a problem with the variants that have it in its message, unless all have it or it is none's.
func (p *problems) named(e *Error) *Error {
	of := p.said[*e]
	if slices.Contains(of, "") || len(of) >= p.among {
		return e
	}
	variants := "variant "
	if len(of) > 1 {
		variants = "variants "
	}
	return &Error{e.File, e.Line, e.Column, fmt.Sprintf("%s (%s%s)", e.Message, variants, strings.Join(of, ", "))}
}

// has reports whether there is a problem at a position, as far as they are said.
func (p *problems) has(at position) bool {
	return p.full() || slices.ContainsFunc(p.list, func(e *Error) bool { return position{e.File, e.Line, e.Column} == at })
}

// err returns the problems of the file in its order, problems of overrides after
// them; nil if there are none.
func (p *problems) err(file string) error {
	if len(p.list) == 0 {
		return nil
	}
	list := make(Errors, len(p.list))
	for i, e := range p.list {
		list[i] = p.named(e)
	}
	slices.SortStableFunc(list, func(a, b *Error) int {
		if a.File != b.File {
			if a.File == file {
				return -1
			}
			if b.File == file {
				return 1
			}
		}
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	if p.full() {
		last := list[len(list)-1]
		list = append(list, &Error{last.File, last.Line, last.Column,
			fmt.Sprintf("there may be more problems: these are the first %d that were found", maxProblems)})
	}
	return list
}

// shorten keeps a value that is quoted in a message readable.
func shorten(text string) string {
	if r := []rune(text); len(r) > 60 {
		return string(r[:57]) + "..."
	}
	return text
}
