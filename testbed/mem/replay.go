package mem

import (
	"errors"
	"fmt"
	"strings"

	"github.com/rocelab/rocelab/edge"
	"github.com/rocelab/rocelab/edge/journal"
	"github.com/rocelab/rocelab/emulator/engine"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/model"
)

// EdgesError is a plan with edges that is to run without what came in there.
type EdgesError struct{ Names []string }

func (e *EdgesError) Error() string {
	are := "are edges"
	if len(e.Names) == 1 {
		are = "is an edge"
	}
	return fmt.Sprintf("%s %s, where frames come in from outside: run it with --on live, or replay such a run in memory "+
		"with --edges and its run folder", strings.Join(e.Names, ", "), are)
}

// CheckEdges reports edges of p, for which a run in virtual time needs the frames that came in.
func CheckEdges(p *plan.Plan) error {
	var names []string
	for _, i := range p.Edges() {
		names = append(names, p.Devices[i].Name)
	}
	if len(names) == 0 {
		return nil
	}
	return &EdgesError{names}
}

// replays are the edges of a run that is replayed.
type replays struct {
	nodes []*replayed
	// end is the end of that run, plan the schedule of its plan.
	end  unit.Time
	plan engine.Schedule
}

// replayed is an edge that takes its frames from a journal. One frame is read ahead.
type replayed struct {
	*edge.Edge
	name   string
	from   *journal.Reader
	most   unit.Bytes
	next   journal.Entry
	more   bool
	end    unit.Time
	failed error
}

// replay has the edges of a plan replayed.
func (b *built) replay(c *engine.Config, readers func(edge string) *journal.Reader) (*replays, error) {
	r := &replays{end: unit.Never, plan: c.Schedule}
	if len(b.plan.Edges()) == 0 {
		return r, nil
	}
	if readers == nil {
		return nil, CheckEdges(b.plan)
	}
	for i, n := range b.nodes {
		m, ok := n.Model.(model.EdgeModel)
		if !ok {
			continue
		}
		reader := readers(n.Name)
		if reader == nil {
			return nil, &EdgesError{[]string{n.Name}}
		}
		e := &replayed{
			Edge: m.Edge,
			name: n.Name,
			from: reader,
			most: n.Design.(*model.Edge).Plan.MaxFrame(),
			end:  reader.Footer().End,
		}
		e.read()
		r.nodes = append(r.nodes, e)
		r.end = min(r.end, e.end)
		c.Nodes[i] = e
	}
	if len(r.nodes) > 0 && r.end == 0 {
		return nil, errors.New("the run ended before its first window: there is nothing to replay")
	}
	c.Limit = min(c.Limit, r.end)
	if c.Until != 0 {
		c.Until = min(c.Until, r.end)
	}
	return r, nil
}

// Advance puts in what came before the horizon, and goes on. The edge has something to do
// until the run's end, for there more could have come.
func (e *replayed) Advance(horizon unit.Time, out *fabric.Outbox) unit.Time {
	for e.more && e.next.Taken < horizon {
		e.Replay(e.next.Came, e.next.Taken, out.Decode(e.next.Frame))
		e.read()
	}
	next := min(e.Edge.Advance(horizon, out), e.end)
	if e.more {
		next = min(next, e.next.Taken)
	}
	return next
}

// read reads the next entry; after an error there is none.
func (e *replayed) read() {
	e.more, e.failed = e.from.Next(&e.next)
	if length := unit.Bytes(len(e.next.Frame)); e.failed == nil && e.more && length > e.most {
		e.failed = e.from.Refuse("a frame of %d bytes came in at edge %s, which lets in %d", length, e.name, e.most)
	}
	e.more = e.more && e.failed == nil
}

// err returns what went wrong with a journal.
func (r *replays) err() error {
	for _, e := range r.nodes {
		if e.failed != nil {
			return e.failed
		}
	}
	return nil
}

// interrupted reports whether the run that is replayed was interrupted before it would have
// ended; finished is as in engine.Config.
func (r *replays) interrupted(finished func() (unit.Time, bool)) bool {
	if len(r.nodes) == 0 {
		return false
	}
	end, fixed := r.plan.InitialEnd()
	if !fixed {
		if last, done := finished(); done {
			end = r.plan.EndAfter(last)
		}
	}
	return r.end < end
}
