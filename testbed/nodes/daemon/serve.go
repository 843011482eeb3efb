package daemon

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/internal/cgroup"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/process"
	"github.com/rocelab/rocelab/testbed/model"
	"github.com/rocelab/rocelab/testbed/nodes/internal/bare"
	"github.com/rocelab/rocelab/testbed/nodes/internal/control"
	"github.com/rocelab/rocelab/testbed/nodes/live/pace"
)

// Host is the part of a daemon's program: which algorithms are built in, and how to start one that is a program of its
// own. Models know of neither.
type Host struct {
	Builtin model.Find
	// Start starts the plugin at path. Closing it ends the process.
	Start func(path string, options process.Options) (cc.Algorithm, io.Closer, error)
	// gate leads into the fence of the container's plugins, nil if it has none.
	gate *cgroup.Gate
	// life is the descriptor through which this process learns of the end of its testbed's owner; 0 if it outlives
	// that.
	life int
	// plugins counts the started plugins.
	plugins int
}

// serve carries out the orders of one connection, until its other end is gone.
func (h *Host) serve(c *control.Conn, turns *server) error {
	s := &session{
		host:   h,
		conn:   c,
		orders: make(chan rawOrder),
		gone:   make(chan struct{}),
		over:   make(chan struct{}),
	}
	defer close(s.over)
	go s.read()
	for {
		select {
		case o := <-s.orders:
			r := &Result{Err: "order: another run is in progress in this daemon"}
			if turns.takeTurn(s.gone) {
				r = s.inItsOwnGoroutine(o)
				turns.giveTurn()
			}
			control.Close(o.files)
			if err := s.sendResult(r); err != nil {
				return err
			}
		case <-s.gone:
			return nil
		}
	}
}

// session is one connection.
type session struct {
	host   *Host
	conn   *control.Conn
	orders chan rawOrder
	gone   chan struct{} // closed when the testbed is
	over   chan struct{} // closed with the session
}

// rawOrder is an order as it came.
type rawOrder struct {
	message []byte
	files   []*os.File
}

func (s *session) read() {
	defer close(s.gone)
	for {
		message, files, err := s.conn.Receive(control.MaxLength, control.MaxFiles)
		if err != nil {
			return
		}
		select {
		case s.orders <- rawOrder{message, files}:
		case <-s.over:
			control.Close(files)
			return
		}
	}
}

// inItsOwnGoroutine carries out an order. What its thread was given ends with that.
func (s *session) inItsOwnGoroutine(in rawOrder) *Result {
	done := make(chan *Result)
	go func() { done <- s.carryOut(in) }()
	return <-done
}

// carryOut takes part in one run. An order that does not yield sound models, which Check cannot know, ends in an answer
// as well.
func (s *session) carryOut(in rawOrder) (r *Result) {
	defer func() {
		if problem := recover(); problem != nil {
			fmt.Fprintf(os.Stderr, "panic: %v\n%s", problem, debug.Stack())
			r = &Result{Err: fmt.Sprintf("order: it cannot be carried out: panic: %v", problem)}
		}
	}()
	o, err := decodeOrder(in.message, len(in.files))
	if err != nil {
		return &Result{Err: "order: " + err.Error()}
	}
	if len(o.Programs) > 0 {
		defer process.TakeTurns(o.Index)()
	}
	find, closeAll, err := s.host.algorithms(o)
	if err != nil {
		return &Result{Err: err.Error(), Plugin: errors.As(err, new(*process.Error))}
	}
	defer closeAll()
	p, err := join(o, in.files, find)
	if fault := new(model.AlgorithmError); errors.As(err, &fault) {
		return &Result{Err: fault.Err.Error(), Plugin: true}
	}
	if err != nil {
		return &Result{Err: err.Error()}
	}
	defer p.leave()
	return s.runWindows(p)
}

// runWindows runs p's windows; it gives up when the testbed is gone.
func (s *session) runWindows(p *participant) *Result {
	over := make(chan struct{})
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		select {
		case <-s.gone:
			p.member.Leave()
			if p.order.Realtime && !endsWithin(over, unguarded) {
				fmt.Fprintln(os.Stderr, "the guard of this daemon's real-time priority is gone, and its windows "+
					"do not end")
				os.Exit(1)
			}
		case <-over:
		}
	}()
	err := s.runOnThread(p)
	close(over)
	<-watched
	if err != nil {
		return &Result{Err: err.Error(), Aborted: errors.Is(err, errAborted), Plugin: errors.As(err, new(pluginError))}
	}
	return p.result()
}

// unguarded is the time for which windows may go on with real-time priority when there is no guard any more to take it
// away.
const unguarded = 2 * time.Second

// endsWithin reports whether over is closed within a time.
func endsWithin(over <-chan struct{}, most time.Duration) bool {
	select {
	case <-over:
		return true
	case <-time.After(most):
		return false
	}
}

// runOnThread runs p's windows on a thread of their own. One with real-time priority is not unlocked: it
// ends with its goroutine.
func (s *session) runOnThread(p *participant) error {
	runtime.LockOSThread()
	if p.order.Setup.Clock != nil {
		_ = pace.Sharpen() // without it windows begin some 50 us later
		p.member.MeasureSleep()
		before := bare.ReadThread()
		defer func() { p.used = bare.ReadThread().Since(before) }()
	}
	if !p.order.Realtime {
		defer runtime.UnlockOSThread()
		return p.run()
	}
	p.member.KeepProcessor()
	if err := s.sendResult(&Result{Thread: unix.Gettid()}); err != nil {
		return err
	}
	return p.run()
}

// ownLog is the file to which the daemon itself prints: its plugins do too.
const ownLog = "/proc/self/fd/2"

// algorithms returns a function that finds the algorithms of an order, and one that ends the ones that are processes.
func (h *Host) algorithms(o *Order) (find model.Find, closeAll func(), err error) {
	started := map[string]cc.Algorithm{}
	var running []io.Closer
	closeAll = func() {
		for _, c := range running {
			c.Close()
		}
		if len(running) > 0 {
			reapPlugins()
		}
	}
	for _, name := range o.usedAlgorithms() {
		path, ok := o.Programs[name]
		if !ok || started[name] != nil {
			continue
		}
		a, c, err := h.Start(path, h.options(o))
		if err != nil {
			closeAll()
			return nil, nil, fmt.Errorf("algorithm %s: %w", name, err)
		}
		started[name] = a
		running = append(running, c)
	}
	return func(name string) (cc.Algorithm, bool) {
		if a := started[name]; a != nil {
			return a, true
		}
		return h.Builtin(name)
	}, closeAll, nil
}

// options say how the next plugin is started: in a container within the fence, as a
// user of its own.
func (h *Host) options(o *Order) process.Options {
	options := process.Options{Log: ownLog, StartLimit: o.PluginStart, Limits: o.Limits, Gate: h.gate}
	if h.gate != nil {
		id := user(h.plugins)
		options.User = &process.User{UID: id, GID: id, Alone: true}
		h.plugins++
	}
	return options
}

func (s *session) sendResult(r *Result) error {
	b, err := encodeResult(r)
	if err != nil {
		return err
	}
	return s.conn.Send(b)
}

// encodeResult is the inverse of DecodeResult.
func encodeResult(r *Result) ([]byte, error) {
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(r)
	return b.Bytes(), err
}

// DecodeResult reads what a daemon answered.
func DecodeResult(b []byte) (*Result, error) {
	r := new(Result)
	if err := gob.NewDecoder(bytes.NewReader(b)).Decode(r); err != nil {
		return nil, fmt.Errorf("result of a daemon: %w", err)
	}
	return r, nil
}

// accept returns the next connection.
func accept(l *net.UnixListener) (*control.Conn, error) {
	c, err := l.AcceptUnix()
	if err != nil {
		return nil, err
	}
	return &control.Conn{UnixConn: c}, nil
}
