//go:build linux && !mem

package probe

import (
	"time"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
	"github.com/rocelab/rocelab/plugins/process"
)

// question is a request of the host: first to start the program, then to configure it, at last for its output. One
// field is set.
type question struct {
	Start     *start
	Configure *configure
	Printed   bool
}

type start struct {
	Program              process.Program
	Deadline, StartLimit time.Duration
	Limits               process.Limits
}

type configure struct {
	// Given are the parameters as they are written.
	Given map[string]string
}

// answer is the answer to one question, or the reason why there is none.
type answer struct {
	Description *cc.Description
	Interpreter hosting.Interpreter
	Signals     *cc.Signals
	// Resolved are values of parameters: see cc.Resolving.
	Resolved map[string]string
	Printed  []byte
	// Fault is the program's, Wrong a parameter's, Refusal another of the author's.
	Fault   *process.Error
	Wrong   *cc.ParamError
	Refusal string
}
