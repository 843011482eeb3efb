package daemon

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"sync/atomic"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/edge"
	"github.com/rocelab/rocelab/edge/journal"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/nodes/live/device"
	"github.com/rocelab/rocelab/testbed/nodes/live/outside"
	"github.com/rocelab/rocelab/testbed/nodes/live/pace"
	"github.com/rocelab/rocelab/testbed/nodes/lockstep"
)

// outlet is a hosted edge with its device.
type outlet struct {
	*Edge
	node   *hosted
	model  *edge.Edge
	device *device.Port
	port   *outside.Port
	// drops has the device's drops.
	drops *os.File
	// journal is nil if nothing is kept, file is the file that it is written to.
	journal *journal.Writer
	file    *os.File
}

// attachOutside maps the device of an edge, and begins its journal. It may be called
// before the page's clock goes.
func (p *participant) attachOutside(i int, socket, drops, record *os.File) error {
	spec := &p.order.Edges[i]
	node := &p.nodes[spec.Node]
	model, ok := node.Machine.(*edge.Edge)
	if !ok {
		return fmt.Errorf("node %q is not an edge", node.Name)
	}
	fd, err := unix.FcntlInt(socket.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("edge %s: %w", node.Name, err)
	}
	io, err := device.Map(fd, spec.Geometry)
	if err != nil {
		unix.Close(fd)
		return fmt.Errorf("edge %s: %w", node.Name, err)
	}
	o := &p.outlets[i]
	*o = outlet{
		Edge:   spec,
		node:   node,
		model:  model,
		device: io,
		drops:  drops,
	}
	setup := outside.Setup{
		Model:   model,
		Device:  io,
		Clock:   &p.clock,
		Frames:  p.out,
		Latency: p.order.Nodes[spec.Node].Ports()[0].Tx.Latency,
		Watched: p.member.Alone(),
	}
	if record != nil {
		o.file = record
		if o.journal, err = journal.NewWriter(record, *spec.Journal, spec.JournalLimit); err != nil {
			return fmt.Errorf("edge %s: %w", node.Name, err)
		}
		setup.Journal = o.journal
	}
	o.port = outside.NewPort(setup)
	model.Outward, model.Started = o.port.Outward, o.port.Started
	return nil
}

// openOutside attaches the edges to their devices; files are the sockets, drops and journals. They still belong to the
// caller, who keeps them open as long.
func (p *participant) openOutside(files []*os.File) error {
	for i := range p.outlets {
		socket, drops := files[0], files[1]
		files = files[2:]
		var record *os.File
		if p.order.Edges[i].Journal != nil {
			record = files[0]
			files = files[1:]
		}
		if err := p.attachOutside(i, socket, drops, record); err != nil {
			return err
		}
	}
	if len(p.outlets) == 0 {
		return nil
	}
	p.member.Serve(p.serve)
	if p.member.Alone() {
		p.sockets = sockets(p.outlets)
		p.member.Watch(p.sockets)
		return nil
	}
	var err error
	p.bell, err = newBell(p.outlets, p.member)
	return err
}

// readClock takes over the clock of the run as it goes now.
func (p *participant) readClock() (ok bool) {
	c, ok := p.page.Clock()
	if ok {
		p.clock = c
	}
	return ok
}

// look sends frames that are due, and takes the ones that came in before the end of the window that is about to be run.
func (p *participant) look(horizon unit.Time) {
	p.readClock()
	p.sendDue(pace.Now())
	for i := range p.outlets {
		o := &p.outlets[i]
		o.node.next = min(o.node.next, o.port.Look(horizon))
	}
}

func (p *participant) sendDue(now int64) {
	for i := range p.outlets {
		p.outlets[i].port.SendDue(now)
	}
}

// hasten makes the next window begin no later than the frames that came in: model time never passes unread frames.
func (p *participant) hasten() {
	for i := range p.outlets {
		if at := p.outlets[i].port.Ahead(); at != unit.Never {
			p.member.Hasten(max(at, 0))
		}
	}
}

// serve sends frames that are due and hastens the next window if something came in. It returns the time of its next
// call.
func (p *participant) serve(now int64) (again int64) {
	again = pace.Never
	if !p.readClock() {
		return again // the first window comes
	}
	troubled, resting := p.troubled(), true
	p.sendDue(now)
	p.hasten()
	for i := range p.outlets {
		o := &p.outlets[i]
		if troubled {
			o.device.Inspect()
		}
		again = min(again, o.port.Next())
		resting = resting && o.port.Resting()
	}
	switch {
	case !resting:
	case p.bell != nil:
		p.bell.rest()
	default:
		p.member.Arm()
	}
	return again
}

// troubled reports whether a device asks for an inspection.
func (p *participant) troubled() (yes bool) {
	if p.bell != nil {
		return p.bell.troubled.Swap(false)
	}
	yes = inError(p.sockets)
	for i := range p.sockets {
		p.sockets[i].Revents = 0
	}
	return yes
}

// sockets returns the outlets' devices, to be polled.
func sockets(outlets []outlet) (list []unix.PollFd) {
	for i := range outlets {
		list = append(list, unix.PollFd{Fd: int32(outlets[i].device.Descriptor()), Events: unix.POLLIN})
	}
	return list
}

// inError reports whether one of the polled sockets is.
func inError(polled []unix.PollFd) bool {
	return slices.ContainsFunc(polled, func(s unix.PollFd) bool { return s.Revents&unix.POLLERR != 0 })
}

// bell rings for a participant whose edges rest when one of their devices has something.
type bell struct {
	sockets []unix.PollFd // the last one is the reading end of over
	over    *os.File
	armed   chan struct{}
	ended   chan struct{}
	// troubled is set if a device asks for an inspection.
	troubled atomic.Bool
}

// newBell returns a bell for the devices of outlets, which a member hears until close.
func newBell(outlets []outlet, m *lockstep.Member) (*bell, error) {
	until, over, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	b := &bell{over: over, armed: make(chan struct{}, 1), ended: make(chan struct{})}
	b.sockets = append(sockets(outlets), unix.PollFd{Fd: int32(until.Fd()), Events: unix.POLLIN})
	go func() {
		defer close(b.ended)
		defer until.Close()
		for range b.armed {
			for {
				if _, err := unix.Poll(b.sockets, -1); !errors.Is(err, unix.EINTR) {
					break
				}
			}
			b.troubled.Store(inError(b.sockets))
			m.Ring()
		}
	}()
	return b, nil
}

// rest has the bell ring when there is something.
func (b *bell) rest() {
	select {
	case b.armed <- struct{}{}:
	default:
	}
}

// close ends the bell.
func (b *bell) close() {
	close(b.armed)
	b.over.Close()
	<-b.ended
}

// finish ends the outlet's journal with the run, which ended at end, and returns the counts.
func (o *outlet) finish(end unit.Time) EdgeCount {
	gone := o.device.Inspect() == device.Gone
	seen, there, model := o.port.Counters(), o.device.Counters(), o.model.Counters(end)
	c := EdgeCount{
		ClockSteps: seen.ClockSteps,
		Absences:   there.Spans,
		Absent:     there.Absent,
		Gone:       gone,
	}
	seen.Timing(&c.Timing, &there, &model)
	c.Timing.Lost[result.Dropped] = o.device.Settle(o.drops, o.Dropped)
	if o.journal != nil {
		if err := o.endJournal(end); err != nil {
			c.JournalError = err.Error()
		}
	}
	return c
}

func (o *outlet) endJournal(end unit.Time) error {
	w := o.journal
	o.journal = nil
	return w.Close(end)
}

// close gives the device and the journal up; for a run that failed the journal keeps the records written so far.
func (o *outlet) close(end unit.Time) {
	if o.journal != nil {
		_ = o.endJournal(end)
	}
	if o.device != nil {
		_ = o.device.Close()
	}
}
