package daemon

import (
	"errors"
	"fmt"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/switchd"
	"github.com/rocelab/rocelab/testbed/model"
	"github.com/rocelab/rocelab/testbed/nodes/internal/control"
)

// MaxResult bounds the bytes of the answer to an order of sent bytes, for a plan p: the largest report of nodes, ports
// and ends of flows, several times over. A sender of more is not a daemon.
func (o *Order) MaxResult(p *plan.Plan, sent int) int {
	const (
		ofNode  = 4 << 20 // what proximal CNP notes one by one
		ofPart  = 1 << 17 // the histograms of a port or of an end of a flow
		perByte = 16      // of the order, which lists messages and phases
		perBin  = 10 * profile.Classes
	)
	ends := 0
	for i := range o.Nodes {
		ends += len(o.Nodes[i].Algorithms())
	}
	bins := min(p.Record.MostBins(o.Setup.Schedule.Limit), control.MaxLength/perBin)
	parts := len(o.Ports) + ends + len(o.Edges)
	return min(control.MaxLength, len(o.Nodes)*ofNode+sent*perByte+parts*(ofPart+bins*perBin))
}

// Check reports whether r cannot be the answer to the order o in p: a compromised daemon can answer anything. It checks
// shape and everything that the plan numbers: counts, lengths, numbers of nodes and flows; the values of the counters
// are the daemon's claim.
func (r *Result) Check(p *plan.Plan, o *Order) error {
	if r.Thread != 0 {
		return errors.New("it names a thread twice, or without a request")
	}
	if r.Plugin && len(o.usedAlgorithms()) == 0 {
		return errors.New("it blames an algorithm and runs none")
	}
	if r.Err != "" || r.Aborted {
		return nil // nothing is made of the rest
	}
	if len(r.Reports) != len(o.Nodes) || len(r.Ports) != len(o.Ports) {
		return fmt.Errorf("it reports of %d nodes and %d ports, and hosts %d and %d", len(r.Reports), len(r.Ports),
			len(o.Nodes), len(o.Ports))
	}
	for i := range r.Reports {
		if err := r.Reports[i].Check(p, &o.Nodes[i], o.Setup.Schedule.Limit); err != nil {
			return err
		}
	}
	if len(r.Edges) != len(o.Edges) {
		return fmt.Errorf("it reports of %d edges, and hosts %d", len(r.Edges), len(o.Edges))
	}
	for i := range r.Edges {
		if err := r.Edges[i].check(); err != nil {
			return fmt.Errorf("edge %s: %w", o.Nodes[o.Edges[i].Node].Name, err)
		}
	}
	if r.Used.Ran < 0 || r.Used.Waited < 0 {
		return fmt.Errorf("its windows had a core for %v and waited %v for one", r.Used.Ran, r.Used.Waited)
	}
	last := unit.Time(-1)
	for i := range r.Samples {
		s := &r.Samples[i]
		if s.At <= last || s.At > o.Setup.Schedule.Limit {
			return fmt.Errorf("sample %d is of %d ps, after one of %d ps", i, int64(s.At), int64(last))
		}
		last = s.At
		if err := s.check(o); err != nil {
			return fmt.Errorf("sample %d: %w", i, err)
		}
	}
	return nil
}

// check reports whether no edge can have seen that: the verdict on time is made of it.
func (c *EdgeCount) check() error {
	t := &c.Timing
	for _, l := range []*record.Lateness{&t.Lateness, &t.Taken} {
		if l.Largest < 0 || l.Largest > 0 && l.Count() == 0 {
			return fmt.Errorf("its latest of %d frames was late by %d ns", l.Count(), l.Largest)
		}
	}
	switch {
	case t.MovedMost < 0 || (t.MovedMost > 0) != (t.Moved > 0) || t.Moved > t.Taken.Count():
		return fmt.Errorf("of %d frames %d were moved, by %d ps at most", t.Taken.Count(), t.Moved, int64(t.MovedMost))
	case t.Sent > t.Lateness.Count():
		return fmt.Errorf("%d frames were sent, and %d were due", t.Sent, t.Lateness.Count())
	}
	return nil
}

// check reports whether s is not of the sampled nodes of the order, each once.
func (s *blockedSample) check(o *Order) error {
	next := 0
	for i := range o.Nodes {
		b := &o.Nodes[i]
		if kind, err := model.KindNamed(b.Kind); err != nil || !kind.Sampled {
			continue
		}
		if next == len(s.Nodes) || s.Nodes[next].Node != b.ID {
			return fmt.Errorf("switch %s is not in its place", b.Name)
		}
		if err := checkBlocked(s.Nodes[next].Queues, len(b.Ports()), s.At); err != nil {
			return fmt.Errorf("switch %s: %w", b.Name, err)
		}
		next++
	}
	if next != len(s.Nodes) {
		return fmt.Errorf("it has %d nodes, of %d that are sampled", len(s.Nodes), next)
	}
	return nil
}

// checkBlocked reports whether queues cannot be the queues of a switch with the given number of ports, in the order of
// port and class, that were blocked before now.
func checkBlocked(queues []switchd.Blocked, ports int, now unit.Time) error {
	last := -1
	for i := range queues {
		q := &queues[i]
		at, ok := place(q.Port, q.Class, ports)
		if !ok || at <= last {
			return fmt.Errorf("queue %d is %d/%d: they go up to %d/%d, each once", i, q.Port, q.Class, ports-1,
				profile.Classes-1)
		}
		if q.Since < 0 || q.Since >= now {
			return fmt.Errorf("queue %d has been blocked since %d ps, and it is %d ps", i, int64(q.Since), int64(now))
		}
		last = at
		source := -1
		for _, from := range q.From {
			at, ok := place(from.Port, from.Class, ports)
			if !ok || at <= source {
				return fmt.Errorf("queue %d waits for %d/%d: they go up to %d/%d, each once", i, from.Port, from.Class, ports-1,
					profile.Classes-1)
			}
			source = at
		}
	}
	return nil
}

// place numbers the classes of all ports.
func place(port int, class uint8, ports int) (at int, ok bool) {
	return port*profile.Classes + int(class), port >= 0 && port < ports && int(class) < profile.Classes
}
