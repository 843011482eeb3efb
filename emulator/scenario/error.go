package scenario

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/document"
)

// Error is one problem of a scenario: its position, the fault, and the allowed values.
type Error = document.Error

// Errors are all problems that were found, in the order of the file. It is never empty.
type Errors = document.Errors

// ParamProblem is the form in which a CheckAlgorithm names a faulty parameter, so that the message is placed at that
// parameter.
type ParamProblem struct{ Param, Problem string }

func (e *ParamProblem) Error() string { return fmt.Sprintf("parameter %s: %s", e.Param, e.Problem) }

type position = document.Position

// problems collects errors. Variants share most of their tree, so the same
// problem may come more than once; it is kept once, with the variants that have it
// unless all have.
type problems struct {
	list Errors
	// said has the variants of the problems in the list, an empty name for one outside variants.
	said map[Error][]string
	// variant is the one that is read, "" for none, and among how many are.
	variant string
	among   int
	// found counts them all, those too that were there already.
	found int
}

// maxProblems is the maximum number of problems reported for a file: no one reads more, and a file made to have a
// million of them must not take an hour.
const maxProblems = document.MaxProblems

func newProblems() *problems { return &problems{said: map[Error][]string{}} }

// full reports whether the limit of problems is reached.
func (p *problems) full() bool { return len(p.list) >= maxProblems }

func (p *problems) add(at position, format string, args ...any) {
	p.found++
	if p.full() {
		return
	}
	e := Error{File: at.File, Line: at.Line, Column: at.Column, Message: fmt.Sprintf(format, args...)}
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
	return e.Position().Error(fmt.Sprintf("%s (%s%s)", e.Message, variants, strings.Join(of, ", ")))
}

// has reports whether there is a problem at a position, as far as problems are recorded.
func (p *problems) has(at position) bool {
	return p.full() || slices.ContainsFunc(p.list, func(e *Error) bool { return e.Position() == at })
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
		list = append(list, last.Position().Error(
			fmt.Sprintf("there may be more problems: these are the first %d that were found", maxProblems)))
	}
	return list
}

func shorten(text string) string { return document.Shorten(text) }

// What was refused when it was read cannot be used when the plan is made. Then the
// builder gives up without an error, because one was reported; requireReported
// makes sure that it was.

// onUnreported is called where no problem was reported; tests have it panic.
var onUnreported = func(position) {}

// requireReported checks that a problem was reported at one of the nodes or below it.
// If none was, that is a mistake of this package, and the scenario is
// refused for it: a plan that silently lacks something is worse.
func (p *problems) requireReported(nodes ...*node) {
	at := position{Line: 1, Column: 1}
	for _, n := range nodes {
		if n == nil {
			continue
		}
		if n.AnyPosition(p.has) {
			return
		}
		at = n.At
	}
	onUnreported(at)
	p.add(at, "this was refused without a reason, which is a mistake of rocelab: please report it with the file")
}
