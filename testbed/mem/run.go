package mem

import (
	"context"
	"io"
	"runtime"
	"time"

	"github.com/rocelab/rocelab/emulator/engine"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/plugins/cc"
)

// Options say how to run a plan; none of them changes the trace.
type Options struct {
	// Workers is the largest number of goroutines that share the nodes; 0
	// takes two, or one on a single core. Fewer are used where that is
	// faster. AlwaysParallel never uses fewer, for tests.
	Workers        int
	AlwaysParallel bool
	// Codec encodes and decodes each frame at each hop.
	Codec bool
	// Captures names the ports to capture, "leaf1:3"; CaptureTo takes the
	// pcapng. Capturing runs on one worker.
	Captures  []string
	CaptureTo io.Writer
	// Progress, if not nil, is called now and then.
	Progress func(Progress)
	// Algorithms finds an algorithm by name.
	Algorithms func(name string) (cc.Algorithm, bool)
	// Cut shortens windows, for tests; see engine.Config.
	Cut func(start unit.Time) unit.Duration
}

// Progress is how far a run is.
type Progress struct {
	// Now is the simulated time; Until the instant at which the run ends, 0
	// if it ends with its flows.
	Now, Until unit.Time
	// Hops counts frames sent so far, by any port.
	Hops uint64
	// Done and Total are the acknowledged and the whole payload of the flows
	// that have a size.
	Done, Total unit.Bytes
}

// progressPeriod is the wall-clock time between two calls of Progress.
const progressPeriod = 100 * time.Millisecond

// Run builds the models of p, runs them to the plan's end, and returns what
// they bring back. If ctx is cancelled it returns what there is by then, marked
// interrupted. An error means that the plan cannot be built, a capture cannot
// be written, or an algorithm answered nonsense.
func Run(ctx context.Context, p *plan.Plan, o Options) (*result.Outcome, error) {
	m, err := build(p, o.Algorithms)
	if err != nil {
		return nil, err
	}
	workers := o.workers(p)
	neighbour, weight := placement(p)
	locks := newDeadlocks(m)
	c := engine.Config{
		Nodes: m.nodes(), Targets: targets(p), Neighbour: neighbour, Weight: weight,
		Lookahead: p.Lookahead(), Workers: workers, Always: o.AlwaysParallel, Cut: o.Cut, Codec: o.Codec,
		Until: p.Until, Limit: p.Limit, EndGrid: max(p.EndGrid, 2*p.Lookahead()),
		Finished:  m.finished(),
		Observers: []engine.Observer{{Every: deadlockPeriod, Look: locks.look}},
	}
	tap, err := newTap(p, o, &c)
	if err != nil {
		return nil, err
	}
	var e *engine.Engine
	m.watch(&c, o, func() uint64 { return e.Hops() })
	e = engine.New(c)
	began := time.Now()
	end, why, err := e.Run(ctx)
	wall := time.Since(began)
	if err != nil {
		return nil, err
	}
	if err := tap.close(end); err != nil {
		return nil, err
	}
	if err := m.fault(); err != nil {
		return nil, err
	}
	e.Settle()
	out := m.outcome(end)
	out.Interrupted, out.Exhausted = why == engine.Interrupted, why == engine.Exhausted
	out.Trace = m.traceSum(e)
	out.Deadlocks = locks.found
	out.Windows, out.Hops, out.Wall = e.Windows(), e.Hops(), wall
	out.Runner, out.Workers = runnerName(o), workers
	return out, nil
}

// smallFabric is the number of links below which a window holds too little
// work for a second worker, however busy the links are; one worker then hands
// frames over at once, which several cannot.
const smallFabric = 40

// workers returns how many goroutines to prepare.
func (o *Options) workers(p *plan.Plan) int {
	switch {
	case o.AlwaysParallel:
		return max(o.Workers, 1)
	case len(p.Links) < smallFabric:
		return 1
	case o.Workers == 0:
		return min(2, runtime.GOMAXPROCS(0))
	}
	return o.Workers
}

func runnerName(o Options) string {
	if o.Codec {
		return "mem --codec"
	}
	return "mem"
}

// finished returns the engine's question whether all sized flows completed.
// NICs only ever run out of flows, so those found idle are not asked again.
func (m *models) finished() func() (unit.Time, bool) {
	asked := 0
	return func() (unit.Time, bool) {
		for asked < len(m.nics) && m.nics[asked].Pending() == 0 {
			asked++
		}
		if asked < len(m.nics) {
			return 0, false
		}
		last := unit.Time(0)
		for _, n := range m.nics {
			last = max(last, n.LastCompletion())
		}
		return last, true
	}
}

// watch adds the report of progress to the engine's windows. The wall clock is
// looked at once in sixteen of them, seldom enough to cost nothing where a
// window takes microseconds and often enough where it takes milliseconds.
func (m *models) watch(c *engine.Config, o Options, hops func() uint64) {
	if o.Progress == nil {
		return
	}
	next := c.Windowed
	total := bytesOf(m.plan)
	last := time.Now()
	windows := 0
	c.Windowed = func(now unit.Time) {
		if next != nil {
			next(now)
		}
		if windows++; windows%16 != 0 || time.Since(last) < progressPeriod {
			return
		}
		last = time.Now()
		done := unit.Bytes(0)
		for i := range m.ends {
			if m.plan.Flows[i].Size != 0 {
				done += m.nics[m.plan.Flows[i].Src].SenderRecord(m.ends[i].sender).Acked
			}
		}
		o.Progress(Progress{Now: now, Until: m.plan.Until, Hops: hops(), Done: done, Total: total})
	}
}

// fault returns the first algorithm fault, in the order of the NICs.
func (m *models) fault() error {
	for _, n := range m.nics {
		if err := n.Fault(); err != nil {
			return &AlgorithmError{err}
		}
	}
	return nil
}

// AlgorithmError is an answer of an algorithm that no NIC can carry out.
type AlgorithmError struct{ Err error }

func (e *AlgorithmError) Error() string { return "algorithm fault: " + e.Err.Error() }
func (e *AlgorithmError) Unwrap() error { return e.Err }
