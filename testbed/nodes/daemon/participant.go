package daemon

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/emulator/engine"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/trace"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/model"
	"github.com/rocelab/rocelab/testbed/nodes/live/pace"
	"github.com/rocelab/rocelab/testbed/nodes/lockstep"
	"github.com/rocelab/rocelab/testbed/nodes/packet"
)

// participant is a daemon's part in one run.
type participant struct {
	order  *Order
	page   *lockstep.Page
	member *lockstep.Member
	nodes  []hosted
	ports  []port
	// outlets are the edges among the nodes; clock is that of the run, for them, and bell rings
	// while they rest.
	outlets []outlet
	clock   pace.Clock
	bell    *bell
	// sockets are the outlets' if this is the only participant, instead of the bell.
	sockets []unix.PollFd
	byLink  []*port // by the direction in which a port sends
	out     *fabric.Outbox
	// to is the instant up to which nodes are run, fault the first fault of an algorithm.
	to    unit.Time
	fault error

	// ends are the nodes with ends of flows, sampled the nodes whose blocked queues are sampled.
	ends       []model.Finisher
	sampled    []sampled
	horizon    unit.Time // the end of the last window
	incomplete bool      // a flow is under way
	windows    uint64
	tellAt     int64 // when it tells of itself again, on CLOCK_MONOTONIC
	samples    []blockedSample
	used       result.Scheduling
	sampledAt  unit.Time
}

// hosted is a node with what the engine keeps of it.
type hosted struct {
	*model.Node
	next unit.Time
	hash trace.Hash
	// history is the hash at instants, the same ones at all nodes.
	history trace.History
}

// errAborted ends a run that went wrong elsewhere.
var errAborted = errors.New("aborted")

// pluginError ends a run whose algorithm is at fault.
type pluginError struct{ error }

// join builds the nodes of an order and maps its page and rings. The files
// stay the caller's.
func join(o *Order, files []*os.File, find model.Find) (_ *participant, err error) {
	joined := false
	p := &participant{
		order:      o,
		incomplete: true,
		byLink:     make([]*port, o.Setup.Links),
		out:        fabric.NewOutbox(1, make([]uint8, o.Setup.Links)),
		nodes:      make([]hosted, len(o.Nodes)),
		ports:      make([]port, len(o.Ports)),
		outlets:    make([]outlet, len(o.Edges)),
	}
	defer func() {
		if !joined {
			p.leave()
		}
	}()
	builder := model.NewBuilder(o.Algorithms, find)
	for i := range o.Nodes {
		n, err := builder.Build(&o.Nodes[i])
		if err != nil {
			return nil, err
		}
		p.nodes[i].Node = n
		p.nodes[i].history.Begin(o.Setup.Schedule.Least)
		if f, ok := n.Model.(model.Finisher); ok {
			p.ends = append(p.ends, f)
		}
		if l, ok := n.Model.(model.BlockedReporter); ok {
			p.sampled = append(p.sampled, sampled{l, n.ID})
		}
	}
	if slices.ContainsFunc(p.nodes, func(n hosted) bool { return fabric.Asks(n.Machine) }) {
		p.out.Round = fabric.NewRound(p.advance)
	}
	if p.page, err = lockstep.Map(files[0], o.Setup); err != nil {
		return nil, err
	}
	for i := range o.Ports {
		if err := p.attach(i, files[1+i]); err != nil {
			return nil, err
		}
	}
	p.member = p.page.Join(o.Index)
	if err := p.openOutside(files[1+len(o.Ports):]); err != nil {
		return nil, err
	}
	joined = true
	return p, nil
}

// attach maps the rings of a port.
func (p *participant) attach(i int, socket *os.File) error {
	spec := &p.order.Ports[i]
	a := p.order.attachment(spec)
	node := &p.nodes[spec.Node]
	io, err := packet.Map(int(socket.Fd()), spec.Geometry)
	if err != nil {
		return err
	}
	p.ports[i] = port{
		Port:        spec,
		name:        node.Name,
		attachment:  a,
		in:          a.Link ^ 1,
		io:          io,
		trailer:     packet.Trailer{Run: p.order.Setup.Run},
		mostPending: uint64(inWindow(a.Tx.Rate, a, p.order.Setup.Lookahead)),
		any:         slices.Contains(p.order.Setup.Looks, true),
		deliver: func(start unit.Time, f *wire.Frame) {
			node.next = min(node.next, node.Machine.Deliver(spec.Number, start, f.Len(), f))
		},
	}
	p.byLink[a.Link] = &p.ports[i]
	return nil
}

// closers is the number of ports closed at a time. The kernel waits for all processors before it lets go of a packet
// socket, some 30 ms, but it waits for many sockets as long as for one.
const closers = 32

// leave gives up the page and the rings.
func (p *participant) leave() {
	if p.bell != nil {
		p.bell.close()
	}
	var group sync.WaitGroup
	for first := range min(closers, len(p.ports)) {
		group.Go(func() {
			for i := first; i < len(p.ports); i += closers {
				if p.ports[i].io != nil {
					p.ports[i].io.Close()
				}
			}
		})
	}
	for i := range p.outlets {
		group.Go(func() { p.outlets[i].close(p.horizon) })
	}
	group.Wait()
	if p.page != nil {
		p.page.Close()
	}
}

// run takes part in the windows until the run ends. It must be called on a
// locked thread.
func (p *participant) run() error {
	defer p.out.Round.Close()
	p.complete()
	p.member.Arrive(0)
	for {
		horizon, verdict := p.member.Await()
		switch verdict {
		case lockstep.Aborted:
			return errAborted
		case lockstep.Ended:
			if err := p.collect(); err != nil {
				return err
			}
			p.sendDue(pace.Now())
			p.tell()
			return nil
		}
		if err := p.window(horizon); err != nil {
			return err
		}
	}
}

// window runs one window, which ends at horizon.
func (p *participant) window(horizon unit.Time) error {
	if limit := p.order.Setup.Schedule.Limit; horizon <= p.horizon || horizon > limit {
		return fmt.Errorf("shared page: a window up to %d ps after one up to %d ps, in a run of %d ps: one of the daemons "+
			"writes nonsense", int64(horizon), int64(p.horizon), int64(limit))
	}
	p.horizon = horizon
	if err := p.collect(); err != nil {
		return err
	}
	p.out.Use(0)
	if len(p.outlets) > 0 {
		p.look(horizon)
	}
	for at := p.instant(); at <= horizon; at = p.instant() {
		if err := p.advanceAll(at); err != nil {
			return err
		}
		for i := range p.nodes {
			p.nodes[i].history.Note(p.nodes[i].hash)
		}
	}
	if err := p.advanceAll(horizon); err != nil {
		return err
	}
	if err := p.handOver(horizon); err != nil {
		return err
	}
	next := unit.Never
	for i := range p.nodes {
		next = min(next, p.nodes[i].next)
	}
	p.complete()
	p.sampleIfDue(horizon)
	p.tellIfDue()
	p.hasten()
	p.member.Arrive(next)
	return nil
}

// instant returns the next instant at which the nodes' hashes are recorded.
func (p *participant) instant() unit.Time {
	if len(p.nodes) == 0 {
		return unit.Never
	}
	return p.nodes[0].history.Next()
}

// advanceAll has all nodes handle all events before an instant.
func (p *participant) advanceAll(to unit.Time) error {
	p.to = to
	if p.out.Round != nil {
		p.out.Round.Run(len(p.nodes))
		return p.fault
	}
	for i := range p.nodes {
		if p.advance(i); p.fault != nil {
			break
		}
	}
	return p.fault
}

// advance has a node handle all events before the instant to.
func (p *participant) advance(i int) {
	n := &p.nodes[i]
	if n.next >= p.to {
		return
	}
	p.out.Begin(i, &n.hash)
	n.next = n.Machine.Advance(p.to, p.out)
	if err := n.Fault(); err != nil && p.fault == nil {
		p.fault = pluginError{err}
	}
}

// collect takes the frames that were announced.
func (p *participant) collect() error {
	for i := range p.ports {
		if err := p.ports[i].receive(p.member, p.page, p.out); err != nil {
			return err
		}
	}
	if p.page.Aborted() {
		return errAborted
	}
	return nil
}

// handOver sends the frames of this window. With edges it also takes the ones that have come by then, so that frames
// for outside are known before they are due.
func (p *participant) handOver(horizon unit.Time) error {
	if err := p.send(horizon); err != nil || len(p.outlets) == 0 {
		return err
	}
	return p.collect()
}

// send puts on the wire what the nodes sent in this window.
func (p *participant) send(horizon unit.Time) error {
	lane := p.out.Lane(0, 0)
	if len(lane) == 0 {
		return nil
	}
	for i := range lane {
		d := &lane[i]
		if err := p.byLink[d.Link].send(d); err != nil {
			return err
		}
		p.out.Free(d.Frame)
	}
	p.out.Reset(0, 0)
	for i := range p.ports {
		if p.ports[i].hasSent {
			if err := p.ports[i].flush(p.member, p.page, horizon); err != nil {
				return err
			}
		}
	}
	return nil
}

// Participants report their progress for display only. They do so at times of the wall clock, and take at most one part
// in tellShare of the time; if the run itself is not held to that clock it is read in one of tellWindows windows.
const (
	tellPeriod  = 200 * time.Millisecond
	tellShare   = 100
	tellWindows = 16
)

// result returns what the run brought, when it is over.
func (p *participant) result() *Result {
	end, why, _ := p.page.Over()
	if why != engine.Interrupted && len(p.sampled) > 0 {
		p.sample(end)
	}
	r := &Result{Samples: p.samples, Hops: p.out.Hops, Used: p.used}
	for i := range p.outlets {
		r.Edges = append(r.Edges, p.outlets[i].finish(end))
	}
	for i := range p.nodes {
		n := &p.nodes[i]
		n.history.Until(end, n.hash)
		report := n.Report(end, n.hash)
		report.History = n.history
		r.Reports = append(r.Reports, report)
	}
	for i := range p.ports {
		if err := p.ports[i].drain(); err != nil {
			return &Result{Err: err.Error()}
		}
		s, _ := p.ports[i].io.Statistics()
		r.Ports = append(r.Ports, portCount{
			Foreign:   p.ports[i].foreign,
			Dropped:   s.Drops,
			Refused:   s.Refused,
			Unclaimed: s.Unclaimed,
		})
	}
	return r
}
