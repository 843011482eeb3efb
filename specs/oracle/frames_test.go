package oracle

import (
	"context"
	"math/big"
	"slices"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/eventlog"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/testbed/mem"
	"github.com/rocelab/rocelab/testbed/model"
)

// hop is a frame on a direction of a link: when its first bit left the near end, and when its last bit came to the
// far end, if it did before the end of the run.
type hop struct {
	frame     *wire.Frame
	link      fabric.LinkID
	from, to  plan.End
	start     unit.Time
	arrival   unit.Time
	serial    unit.Duration
	lost      bool // on the link
	delivered bool // before the end of the run
	order     int  // among all that was seen
}

// drop is a frame that a node threw away, or that a link lost on its way to the node.
type drop struct {
	frame  *wire.Frame
	at     plan.End
	when   unit.Time
	reason fabric.DropReason
	order  int
}

// seen is everything on the wire in a run, and the demands.
type seen struct {
	t     *testing.T
	plan  *plan.Plan
	end   unit.Time
	hops  []hop
	drops []drop
	// comes and goes are the hops to and from each node.
	comes, goes map[plan.NodeID][]*hop
	// logs are the calls of the algorithm at each flow's sender.
	logs []*eventlog.Log
	// ways are the ports through which frames left, probe is the run that shows the others; both are set once they
	// are asked for.
	ways  map[way]int
	probe *seen
	// cameIn is the number of foreign frames in the journals of edges.
	cameIn int
	// outcome and summary are the product's results of the run.
	outcome *result.Outcome
	summary *result.Summary
}

// Departed implements fabric.Watcher.
func (s *seen) Departed(link fabric.LinkID, start unit.Time, frame *wire.Frame) {
	joint := &s.plan.Links[link/2]
	h := hop{
		frame: copied(frame),
		link:  link,
		from:  joint.A,
		to:    joint.B,
		start: start,
		order: len(s.hops) + len(s.drops),
	}
	rate, latency := joint.Forward.Rate, joint.Forward.Latency
	if link%2 == 1 {
		h.from, h.to, rate, latency = joint.B, joint.A, joint.Backward.Rate, joint.Backward.Latency
	}
	h.serial = serialOf(int64(frame.Len())+24, rate)
	h.arrival = start.Add(h.serial + latency)
	s.hops = append(s.hops, h)
}

// Dropped implements fabric.Watcher.
func (s *seen) Dropped(node, port int, at unit.Time, reason fabric.DropReason, frame *wire.Frame) {
	where := plan.End{Node: plan.NodeID(node), Port: port}
	s.drops = append(s.drops, drop{copied(frame), where, at, reason, len(s.hops) + len(s.drops)})
}

// Windowed implements mem.Watcher.
func (s *seen) Windowed(unit.Time) {}

func copied(frame *wire.Frame) *wire.Frame {
	f := new(wire.Frame)
	f.Copy(frame)
	return f
}

// serialOf is for how long a number of bytes, framing included, is on a wire: bits over rate, in whole picoseconds,
// rounded up.
func serialOf(bytes int64, rate unit.BitRate) unit.Duration {
	bits := new(big.Int).Mul(big.NewInt(8*bytes), big.NewInt(1e12))
	bits.Add(bits, big.NewInt(int64(rate)-1))
	return unit.Duration(bits.Div(bits, big.NewInt(int64(rate))).Int64())
}

// plansOf reads a scenario.
func plansOf(t *testing.T, yaml string) []*plan.Plan {
	t.Helper()
	read, err := scenario.Parse("oracle.yaml", []byte(yaml), model.Checker(shipped.Find))
	if err != nil {
		t.Fatalf("%v\n%s", err, yaml)
	}
	plans, err := read.Plans()
	if err != nil {
		t.Fatalf("%v\n%s", err, yaml)
	}
	return plans
}

// watch runs a plan and returns all that was on its wires.
func watch(t *testing.T, p *plan.Plan, options mem.Options) *seen {
	t.Helper()
	s := &seen{t: t, plan: p, logs: make([]*eventlog.Log, len(p.Flows))}
	recorder := eventlog.Recorder{Open: func(header eventlog.Header) eventlog.Sink {
		if header.End == eventlog.Receiver {
			return nil
		}
		s.logs[header.Flow] = &eventlog.Log{Header: header}
		return s.logs[header.Flow]
	}}
	options.Workers, options.Watch = 1, s
	options.Algorithms = func(name string) (cc.Algorithm, bool) { return recorder.Find(shipped.Find)(name) }
	outcome, err := mem.Run(context.Background(), p, options)
	if err != nil {
		t.Fatal(err)
	}
	s.outcome, s.end, s.summary = outcome, outcome.End, result.Summarise(outcome)
	s.hops = slices.DeleteFunc(s.hops, func(h hop) bool { return h.start >= s.end })
	s.settle()
	return s
}

// arrivalAt is where and when a frame arrives.
type arrivalAt struct {
	at   plan.End
	when unit.Time
}

// settle finds out which frames arrived. A port takes one frame at a time, so that place and time name it.
func (s *seen) settle() {
	lost := map[arrivalAt]bool{}
	for i := range s.drops {
		d := &s.drops[i]
		if s.plan.KindOf(d.at.Node) != plan.KindWAN && d.reason.IsLinkLoss() {
			lost[arrivalAt{d.at, d.when}] = true
		}
	}
	s.comes, s.goes = map[plan.NodeID][]*hop{}, map[plan.NodeID][]*hop{}
	for i := range s.hops {
		h := &s.hops[i]
		s.comes[h.to.Node], s.goes[h.from.Node] = append(s.comes[h.to.Node], h), append(s.goes[h.from.Node], h)
		h.lost = lost[arrivalAt{h.to, h.arrival}]
		h.delivered = h.arrival < s.end && !h.lost
	}
}

// The kinds of frames, as their bytes say.
func isAck(f *wire.Frame) bool { return f.Opcode == wire.Acknowledge && f.Syndrome>>5 == 0 }
func isNAK(f *wire.Frame) bool { return f.Opcode == wire.Acknowledge && f.Syndrome>>5 == 3 }
func isCNP(f *wire.Frame) bool { return f.Opcode == wire.CNP }

// microseconds is a time as metrics print it.
func microseconds(d unit.Duration) float64 { return float64(d) / 1e6 }
