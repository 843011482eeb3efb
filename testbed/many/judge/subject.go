package judge

import (
	"context"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/process"
)

// Subject is an algorithm in its available forms.
type Subject struct {
	// Title is its name as requested.
	Title string
	// Builtin is the algorithm in this process, nil if there is none.
	Builtin cc.Algorithm
	// Program is its executable; the zero value if there is none, for the reason
	// NoProgram, or if it is to be built from Source.
	Program   process.Program
	NoProgram string
	// AsProgram judges its program if there are both forms; the other one must decide the same.
	AsProgram bool
	// Source is where its source is; the zero value if that is not known,
	// which NoSource then explains.
	Source   Source
	NoSource string
	// Given are the parameters to judge it with; the others have their
	// defaults.
	Given map[string]string
	// Shipped: it comes with rocelab, and Misses is about it.
	Shipped bool
	// Options are its program's options; deadlines, surroundings and log are the checks' own.
	Options process.Options
	// Starting, if not nil, is called before a program starts.
	Starting func()
	// Logs is a folder for what its program prints, "" for none.
	Logs string
	// Veth runs a plan on a testbed of containers, in which the subject is called name; nil if that is not possible,
	// for the reason NoVeth.
	Veth   func(ctx context.Context, name string, p *plan.Plan) (*result.Outcome, error)
	NoVeth string
	// OnVeth has the scenarios of the behaviour run there.
	OnVeth bool
}

// main is the program of the form that is judged, the zero value for the built-in
// one.
func (s *Subject) main() process.Program {
	if s.Builtin == nil || s.AsProgram {
		return s.Program
	}
	return process.Program{}
}

// form names the form that is judged.
func (s *Subject) form() string {
	if main := s.main(); main.Path != "" {
		return main.String()
	}
	return "built in"
}
