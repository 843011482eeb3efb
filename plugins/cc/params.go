package cc

import (
	"fmt"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// ParamKind is the type of a parameter's value.
type ParamKind uint8

// The kinds. Durations, rates and sizes are written with a unit ("1us",
// "40Mbps", "10MB"), numbers plainly, choices as one of the parameter's words,
// switches as true or false.
const (
	KindDuration ParamKind = iota
	KindRate
	KindBytes
	KindNumber
	KindChoice
	KindSwitch
)

// Param is one parameter. It is made by Duration, Rate, Bytes, Number, Choice, Word, File or Flag.
type Param struct {
	// Name is snake_case, as in scenarios.
	Name string
	Kind ParamKind
	// Default is the value as one would write it; "" only if Doc has the meaning of an absent value.
	Default string
	// Min and Max bound the value, both included, written as values. A duration, a rate and a size must have both, with
	// a Max up to MostDuration, MostRate or MostBytes, since a value that wraps would switch the algorithm off; for a
	// number "" is no bound.
	Min, Max string
	// File is set if the value may be the path of a file: in containers algorithms are given its text in place of the
	// path, so New takes either.
	File bool
	// Choices are the words of KindChoice; none if any word will do, such as the path of a file.
	Choices []string
	// Doc documents the parameter's effect, and gaps and contradictions of its source. Source cites it.
	Doc, Source string
}

// Params are the values of an algorithm's parameters, complete and checked.
type Params interface {
	// Duration, Rate, Bytes, Number, Choice and Switch return the value of a parameter of that kind:
	// its default if it was not given, zero if it has none. Choice is for words and files, too.
	Duration(name string) unit.Duration
	Rate(name string) unit.BitRate
	Bytes(name string) unit.Bytes
	Number(name string) float64
	Choice(name string) string
	Switch(name string) bool
	// Given reports whether the parameter was set by the user rather than left at its default: a
	// parameter set such as DCQCN's may then override only the rest.
	Given(name string) bool
}

// ParamError names a wrong parameter and its fault.
type ParamError struct{ Param, Problem string }

func (e *ParamError) Error() string { return fmt.Sprintf("parameter %s: %s", e.Param, e.Problem) }
