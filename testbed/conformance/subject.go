package conformance

import (
	"io"
	"time"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/process"
)

// Subject is an algorithm in the forms in which it is at hand.
type Subject struct {
	// Builtin is the algorithm in this process; nil to take Program.
	Builtin cc.Algorithm
	// Program is its executable. If Builtin is set, it is another form of the
	// same; "" if there is none, or if it is to be built from Source.
	Program string
	// Source is where its source is; the zero value if that is not known,
	// which NoSource then explains.
	Source   Source
	NoSource string
	// Given are the parameters to check it with; the rest stands at its
	// default.
	Given map[string]string
	// Shipped tells that it comes with rocelab: Misses are about it.
	Shipped bool
}

// form is the algorithm as it is judged.
func (s *Subject) form() string {
	if s.Builtin != nil {
		return "built in"
	}
	return s.Program
}

// open returns the algorithm; a program is started anew. The caller closes it.
func (s *Subject) open() (cc.Algorithm, io.Closer, error) {
	if s.Builtin != nil {
		return s.Builtin, nothing{}, nil
	}
	return start(s.Program)
}

// patience is how long an answer may take by the wall clock: longer than in a
// run, since nobody waits, and a machine may be busy with builds.
const patience = time.Minute

// start runs a program, which takes turns with this process until it is closed.
func start(path string) (cc.Algorithm, io.Closer, error) {
	back := process.TakeTurns(0)
	p, err := process.Start(path, process.Options{Deadline: patience, StartLimit: patience})
	if err != nil {
		back()
		return nil, nil, err
	}
	return p.Algorithm(), started{p, back}, nil
}

// started is a running program.
type started struct {
	*process.Plugin
	back func()
}

// Close ends the program.
func (s started) Close() error {
	defer s.back()
	return s.Plugin.Close()
}

// nothing is there to close.
type nothing struct{}

func (nothing) Close() error { return nil }

// configure makes a controller of the subject's parameters.
func (s *Subject) configure(a cc.Algorithm) (cc.Controller, error) {
	p, err := cc.ParseParams(a.Describe(), s.Given)
	if err != nil {
		return nil, err
	}
	return a.New(p)
}
