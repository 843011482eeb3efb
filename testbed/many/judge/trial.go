package judge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
	"github.com/rocelab/rocelab/plugins/process"
	"github.com/rocelab/rocelab/testbed/many/judge/surroundings"
	"github.com/rocelab/rocelab/testbed/model"
)

// trial is a subject that is being judged.
type trial struct {
	Config
	ctx   context.Context
	about cc.Description
	// interpreter is the interpreter of a subject that has one, with its files besides the one that is started.
	interpreter hosting.Interpreter
	// folder is the build directory; built maps GOAMD64 level to result.
	folder string
	built  map[string]build
	// refused is the reason why the handshake failed.
	refused error
	// err is the first fault of a plugin or the refusal of a host, over whether
	// that ends all.
	err  error
	over bool
	done int
	// running is the algorithm that the check under way has started.
	running io.Closer
	started cc.Algorithm
	// reference is made once.
	reference *records
}

// ended is the value with which a check panics to end: an error, which judgeCheck judges.
type ended struct{ error }

// must ends the check with an error.
func must(err error) {
	if err != nil {
		panic(ended{err})
	}
}

// isFault reports whether an error is a fault of a plugin.
func isFault(err error) bool {
	var algorithm *model.AlgorithmError
	var plugin *process.Error
	return errors.As(err, &algorithm) || errors.As(err, &plugin)
}

// describe asks the subject who it is.
func (t *trial) describe() {
	defer func() {
		if e, ok := recover().(ended); ok {
			t.refused = e.error
		}
	}()
	a, end := t.start(t.main())
	t.about, t.interpreter = a.Describe(), hosting.InterpreterOf(a)
	must(end.Close())
}

// judgeCheck carries a check out and marks misses that are documented.
func (t *trial) judgeCheck(check *Check) (row Row) {
	switch {
	case t.refused != nil && check.Name != "handshake":
		row = Row{Result: NotRun, Remark: "the handshake failed"}
	case check.control && t.about.Uncontrolled:
		row = Row{Result: Exempt, Remark: t.about.Name + " declares itself uncontrolled"}
	default:
		row = t.runCheck(check)
	}
	if t.ctx.Err() != nil {
		row, t.over = Row{Result: NotRun, Remark: "interrupted"}, true
	}
	reason := ""
	if t.Shipped && len(t.Given) == 0 {
		reason = Misses[t.about.Name][check.Name]
	}
	switch {
	case reason != "" && row.Result == Failed:
		row.Result, row.Remark = Documented, strings.TrimPrefix(row.Remark+"; "+reason, "; ")
	case reason != "" && row.Result == Pass:
		row.Remark = strings.TrimPrefix(row.Remark+"; not missed any more: remove it from the list of documented "+
			"misses", "; ")
	}
	row.Check, row.About, row.Labels = check.Name, check.About, check.Labels
	return row
}

// runCheck runs a check and ends the algorithm that it started. One that fails is missed; if it ends all, the rest is
// not run: the handshake, a scenario of the behaviour, which others would meet too, and faults of the host.
func (t *trial) runCheck(check *Check) (row Row) {
	judge := func(err error) {
		row = Row{Result: Failed, Remark: err.Error()}
		if exit.Is(err, exit.CodeHost) {
			row.Result, t.over = NotRun, true
		} else if !isFault(err) {
			return
		}
		t.err = cmp.Or(t.err, err)
		t.over = t.over || check.Name == "handshake" || slices.Contains(check.Labels, Behaviour)
	}
	defer func() {
		if t.running != nil {
			if err := t.running.Close(); err != nil && row.Result != Failed {
				judge(err)
			}
			t.running, t.started = nil, nil
		}
	}()
	defer func() {
		switch r := recover().(type) {
		case nil:
		case ended:
			judge(r.error)
		default: // an algorithm in this process
			judge(&model.AlgorithmError{Err: fmt.Errorf("panics: %v", r)})
		}
	}()
	return check.run(t)
}

// patience is the wall-clock limit of an answer: longer than in a run, since no one waits, and a machine may be busy
// with builds.
const patience = time.Minute

// start returns the algorithm of a program, which takes turns with this process
// until the caller closes it, or the built-in one for the zero value.
func (t *trial) start(program process.Program) (cc.Algorithm, io.Closer) {
	return t.startIn(0, program)
}

// startIn does it in other surroundings.
func (t *trial) startIn(factors surroundings.Factors, program process.Program) (cc.Algorithm, io.Closer) {
	if program.Path == "" {
		return t.Builtin, inProcess{}
	}
	o := t.Options
	o.Deadline, o.StartLimit = patience, cmp.Or(t.StartLimit, patience)
	if factors != 0 {
		var err error
		o.Through, err = factors.Through()
		must(err)
		if o.Env == nil {
			o.Env = os.Environ()
		}
		o.Env = factors.Environ(o.Env)
	}
	if t.Logs != "" {
		o.Log = filepath.Join(t.Logs, program.LogName())
	}
	if t.Starting != nil {
		t.Starting()
	}
	back := process.TakeTurns(0)
	p, err := process.Start(program, o)
	if err != nil {
		back()
		must(err)
	}
	return p.Algorithm(), runningProgram{p, back}
}

// algorithm returns the algorithm in the form that is judged, the same for a
// whole check.
func (t *trial) algorithm() cc.Algorithm {
	if t.running == nil {
		t.started, t.running = t.start(t.main())
	}
	return t.started
}

// runningProgram is a running program.
type runningProgram struct {
	*process.Plugin
	back func()
}

// Close ends the program.
func (c runningProgram) Close() error {
	defer c.back()
	return c.Plugin.Close()
}

// inProcess is an algorithm in this process: there is nothing to close.
type inProcess struct{}

func (inProcess) Close() error { return nil }

// controller makes a controller of the subject's parameters.
func (t *trial) controller(algorithm cc.Algorithm) cc.Controller {
	p, err := hosting.Parse(algorithm.Describe(), t.Given)
	must(err)
	c, err := algorithm.New(p)
	must(err)
	return c
}

// apart is the reason why PIDNN's shares differ.
const apart = "equation 19 moves the rate of every flow by the same factor, up as well as down, " +
	"which keeps shares apart (Chiu and Jain, 1989)"

// Misses are the checks that algorithms which ship with rocelab miss at their
// defaults, with the reason: by algorithm, then by check.
var Misses = map[string]map[string]string{
	"pidnn": {
		"latecomers": apart + ", and the flow that is ahead samples more often",
		"joining":    apart,
	},
}
