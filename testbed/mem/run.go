package mem

import (
	"context"
	"io"
	"iter"
	"runtime"
	"time"

	"github.com/rocelab/rocelab/edge/journal"
	"github.com/rocelab/rocelab/emulator/engine"
	"github.com/rocelab/rocelab/emulator/engine/enginetest"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/switchd"
	"github.com/rocelab/rocelab/testbed/model"
)

// Options say how to run a plan; none of them changes the trace.
type Options struct {
	// Workers is the largest number of goroutines that share the nodes; 0 takes two, or one on a single core. Fewer are
	// used if that is faster.
	Workers int
	// Codec encodes and decodes each frame at each hop.
	Codec bool
	// Timed adds to the outcome how long each worker was busy.
	Timed bool
	// Captures names the ports to capture, "leaf1:3"; CaptureTo takes the
	// pcapng. Capturing runs on one worker.
	Captures  []string
	CaptureTo io.Writer
	// Watch, if not nil, sees all frames, on one worker. It goes with no Captures.
	Watch Watcher
	// Progress, if not nil, is called now and then, and once more when the run is over. The windows
	// do not wait for it, and no two calls are made at once.
	Progress func(model.Progress)
	// Algorithms finds an algorithm by name.
	Algorithms model.Find
	// Edges returns the journal of an edge in the run that is replayed; nil for a plan
	// without edges. The run ends where that one did.
	Edges func(edge string) *journal.Reader

	// period replaces progressPeriod in tests; 0 for the usual.
	period time.Duration
}

// Run builds the models of p, runs them to the plan's end, and returns what
// they bring back. If ctx is cancelled it returns what there is by then, marked
// interrupted. An error means that the plan cannot be built, a capture cannot
// be written, a journal cannot be read, or an algorithm answered nonsense; an
// *EdgesError that the plan has edges and no journals.
func Run(ctx context.Context, p *plan.Plan, o Options) (*result.Outcome, error) {
	built, err := build(p, o.Algorithms)
	if err != nil {
		return nil, err
	}
	workers := o.workers(p, enginetest.Of(ctx).AllWorkers)
	neighbour, weight := placement(p)
	deadlocks := model.NewDeadlocks(p)
	c := engine.Config{
		Nodes:     make([]fabric.Node, len(built.nodes)),
		Targets:   targets(p),
		Neighbour: neighbour,
		Weight:    weight,
		Lookahead: p.Lookahead(),
		Workers:   workers,
		Codec:     o.Codec,
		Timed:     o.Timed,
		Schedule:  model.ScheduleOf(p),
		Finished:  built.finished(),
		Observers: []engine.Observer{{
			Every:   model.DeadlockPeriod(p),
			Observe: func(now unit.Time) { deadlocks.Sample(now, built.blocked()) },
		}},
	}
	for i, n := range built.nodes {
		c.Nodes[i] = n.Machine
	}
	edges, err := built.replay(&c, o.Edges)
	if err != nil {
		return nil, err
	}
	tap, err := newTap(p, o, &c)
	if err != nil {
		return nil, err
	}
	o.addWatch(&c)
	var e *engine.Engine
	look := built.newLook(&c, o, func() uint64 { return e.Hops() })
	ctx, giveUp := context.WithCancel(ctx)
	defer giveUp()
	built.watchFaults(&c, giveUp)
	e = engine.New(c)
	look.begin()
	began := time.Now()
	end, why, err := e.Run(ctx)
	wall := time.Since(began)
	look.end()
	if err == nil {
		err = edges.err()
	}
	if err != nil {
		return nil, err
	}
	if err := tap.close(end); err != nil {
		return nil, err
	}
	e.Settle()
	look.final(end)
	hops, interrupted := e.Hops(), edges.interrupted(c.Finished)
	out, err := model.Assemble(p, end, built.reports(e, end))
	if err != nil {
		return nil, err
	}
	out.Interrupted, out.Exhausted = why == engine.Interrupted, why == engine.Exhausted
	if interrupted {
		out.Interrupted, out.Exhausted = true, false
	}
	out.Deadlocks = deadlocks.Found
	out.Windows, out.Hops, out.Wall = e.Windows(), hops, wall
	out.Runner, out.Workers = runnerName(o), workers
	if o.Timed {
		out.Busy = e.Busy()
	}
	return out, nil
}

// built is the nodes of a plan.
type built struct {
	plan  *plan.Plan
	nodes []*model.Node // as the engine numbers them
	// payload is that of all flows with a size.
	payload unit.Bytes
	// ends are the nodes with the ends of flows.
	ends []model.Finisher
	// switches are the nodes whose blocked queues are sampled, and lists the last sample
	// of each, by the number of the switch.
	switches []model.BlockedReporter
	lists    [][]switchd.Blocked
}

func build(p *plan.Plan, algorithms model.Find) (*built, error) {
	blueprints, err := model.Blueprints(p)
	if err != nil {
		return nil, err
	}
	b := &built{plan: p, payload: p.Payload()}
	builder := model.NewBuilder(blueprints.Algorithms, algorithms)
	for i := range blueprints.Nodes {
		n, err := builder.Build(&blueprints.Nodes[i])
		if err != nil {
			return nil, err
		}
		n.GiveUpDesign()
		b.nodes = append(b.nodes, n)
		if f, ok := n.Model.(model.Finisher); ok {
			b.ends = append(b.ends, f)
		}
		if s, ok := n.Model.(model.BlockedReporter); ok {
			b.switches = append(b.switches, s)
		}
	}
	b.lists = make([][]switchd.Blocked, len(b.switches))
	return b, nil
}

// reports are the reports of the nodes. Each node is given up with its report: else a large run would need room for all
// counters twice.
func (b *built) reports(e *engine.Engine, end unit.Time) iter.Seq[model.Report] {
	return func(yield func(model.Report) bool) {
		b.ends, b.switches = nil, nil
		e.ForgetFrames()
		for i, n := range b.nodes {
			report := n.Report(end, e.Hashes()[i])
			report.History = e.History(i, end)
			b.nodes[i], e.Nodes[i] = nil, nil
			if !yield(report) {
				return
			}
		}
	}
}

// blocked lists the paused queues of each switch now.
func (b *built) blocked() [][]switchd.Blocked {
	for i := range b.lists {
		b.lists[i] = b.switches[i].Blocked()
	}
	return b.lists
}

// smallFabric is the number of links below which a window holds too little
// work for a second worker, however busy the links are; one worker then hands
// frames over at once, which several cannot.
const smallFabric = 40

// workers returns the number of goroutines to prepare; all is set if all will be used.
func (o *Options) workers(p *plan.Plan, all bool) int {
	switch {
	case all:
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
// Nodes only ever run out of flows, so those found idle are not asked again.
func (b *built) finished() func() (unit.Time, bool) {
	asked := 0
	return func() (unit.Time, bool) {
		for asked < len(b.ends) && b.ends[asked].Pending() == 0 {
			asked++
		}
		if asked < len(b.ends) {
			return 0, false
		}
		last := unit.Time(0)
		for _, e := range b.ends {
			last = max(last, e.LastCompletion())
		}
		return last, true
	}
}

// watchFaults gives the run up when an algorithm is at fault: nothing will be kept of
// it. It checks seldom, since it asks every node.
func (b *built) watchFaults(c *engine.Config, giveUp func()) {
	const seldom = 256
	next, windows := c.Windowed, 0
	c.Windowed = func(now unit.Time) {
		if next != nil {
			next(now)
		}
		if windows++; windows%seldom != 0 {
			return
		}
		for _, n := range b.nodes {
			if n.Fault() != nil {
				giveUp()
			}
		}
	}
}

// targets returns the receiving end of each link direction.
func targets(p *plan.Plan) []fabric.Target {
	t := make([]fabric.Target, 0, 2*len(p.Links))
	for i := range p.Links {
		l := &p.Links[i]
		t = append(t, fabric.Target{Node: int(l.B.Node), Port: l.B.Port}, fabric.Target{Node: int(l.A.Node), Port: l.A.Port})
	}
	return t
}

// placement groups nodes for the engine: a node with one port goes with the switch there, as a NIC with its own. Its
// port is taken to cost twice a switch's, an estimate: a NIC makes and ends the frames.
func placement(p *plan.Plan) (neighbour, weight []int) {
	for n := range p.EachNode {
		beside, load := -1, 2
		if n.Kind == plan.KindSwitch {
			load = len(n.Links)
		} else if len(n.Links) == 1 {
			l := &p.Links[n.Links[0]]
			peer := l.A.Node
			if peer == n.ID {
				peer = l.B.Node
			}
			if p.KindOf(peer) == plan.KindSwitch {
				beside = int(peer)
			}
		}
		neighbour, weight = append(neighbour, beside), append(weight, load)
	}
	return neighbour, weight
}
