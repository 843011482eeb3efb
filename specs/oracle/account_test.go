package oracle

import (
	"fmt"
	"math"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/model"
)

// account is a run worked out from its frames: what the rows of the table take their figures from.
type account struct {
	*seen
	queues *queues
	pauses *pauses
	flows  []*flow
	jobs   *jobs
	iterations
	// from and to are the first flow's start, and the last completion or the end of the run.
	from, to unit.Time
	// fcts and slowdowns are of flows that completed, or of their messages; sizes are theirs, times how long they took.
	fcts, slowdowns    []float64
	sizes              int64
	times              unit.Duration
	waits              of
	utilisation        float64
	bottleneck         string
	completed, endless uint64
	incomplete         uint64
}

func (s *seen) account() *account {
	a := &account{seen: s, queues: s.rebuildQueues(), pauses: s.rebuildPauses(), flows: s.rebuildFlows()}
	a.jobs = s.rebuildJobs(a.flows)
	a.iterations = a.jobs.iterate(s.plan.Collectives)
	a.from = s.end
	for _, f := range a.flows {
		a.from, a.to = min(a.from, f.started), max(a.to, f.until(s.end))
		a.complete(f)
	}
	waits, _ := a.queues.allWaits()
	a.waits = summed(inMicroseconds(waits))
	a.findBottleneck()
	return a
}

// complete takes in what a flow took.
func (a *account) complete(f *flow) {
	mtu := int64(a.plan.MTU)
	add := func(took unit.Duration) {
		a.fcts = append(a.fcts, microseconds(took))
		a.slowdowns = append(a.slowdowns, float64(took)/float64(f.ideal(mtu)))
	}
	switch {
	case f.Size == 0:
		a.endless++
	case f.completed == unit.Never:
		a.incomplete++
	}
	if f.completed != unit.Never {
		a.completed++
	}
	var took unit.Duration
	for _, m := range f.messages {
		if m.completed != unit.Never {
			add(m.completed.Sub(m.ready))
			took += m.completed.Sub(m.ready)
		}
	}
	if f.Size == 0 || f.completed == unit.Never {
		return
	}
	if f.Messages == nil {
		took = f.completed.Sub(f.started)
		add(took)
	}
	a.sizes, a.times = a.sizes+int64(f.Size), a.times+took
}

// duration is from the first start to the last completion, NaN if the span is empty.
func (a *account) duration() float64 {
	if a.to <= a.from {
		return math.NaN()
	}
	return microseconds(a.to.Sub(a.from))
}

// gigabits is a rate of bytes in a time of microseconds.
func gigabits(bytes int64, us float64) float64 { return float64(bytes) * 8 / us / 1e3 }

// findBottleneck finds the switch port that transmitted longest, a NIC's where there is no switch.
func (a *account) findBottleneck() {
	busy := map[plan.End]unit.Duration{}
	for i := range a.hops {
		h := &a.hops[i]
		busy[h.from] += min(h.start.Add(h.serial), a.end).Sub(h.start)
	}
	a.utilisation = math.NaN()
	most := unit.Duration(-1)
	for node := range a.plan.EachNode {
		if node.Kind != plan.KindSwitch && len(a.plan.Switches) > 0 {
			continue
		}
		for port := range node.Links {
			if b := busy[plan.End{Node: node.ID, Port: port}]; b > most && a.to > a.from {
				most, a.bottleneck = b, fmt.Sprintf("%s:%d", node.Name, port)
				a.utilisation = min(1, float64(b)/float64(a.to.Sub(a.from)))
			}
		}
	}
}

// total adds up a count of all flows.
func (a *account) total(of func(*flow) uint64) (sum float64) {
	for _, f := range a.flows {
		sum += float64(of(f))
	}
	return sum
}

// unanswered counts the packets that came to NICs whose port was not free at the end, since an answer that is a CNP,
// or is none, left it last: each may have one that waits.
func (a *account) unanswered(cnp bool) (n float64) {
	last := map[plan.NodeID]unit.Time{}
	for i := range a.hops {
		if h := &a.hops[i]; hasOpcode(h.frame) && !h.frame.IsData() && isCNP(h.frame) == cnp {
			last[h.from.Node] = max(last[h.from.Node], h.start)
		}
	}
	for nic := range a.plan.NICs {
		node := a.plan.NICNode(nic)
		for _, h := range a.comes[node] {
			if h.delivered && h.frame.IsData() && h.arrival >= last[node] && !a.free(nic) {
				n++
			}
		}
		if !cnp && a.plan.NICs[nic].Profile.OutOfOrder && !a.free(nic) {
			n += float64(len(a.flows)) // a gap is reported by its age, too
		}
	}
	return n
}

// free reports whether the port of a NIC was idle and not held at the end of the run.
func (a *account) free(nic int) bool {
	port := plan.End{Node: a.plan.NICNode(nic)}
	for i := range a.hops {
		if h := &a.hops[i]; h.from == port && h.start.Add(h.serial) > a.end {
			return false
		}
	}
	for at, spans := range a.pauses.held {
		if n := len(spans); n > 0 && at.port == port && spans[n-1].to >= a.end {
			return false
		}
	}
	return true
}

// rtts returns the RTTs of all flows.
func (a *account) rtts(of func(*flow) []unit.Duration) (list []float64) {
	for _, f := range a.flows {
		list = append(list, inMicroseconds(of(f))...)
	}
	return list
}

// swing is the mean of how far samples are off their average.
func (a *account) swing() float64 {
	var all []float64
	for _, f := range a.flows {
		all = append(all, f.swing...)
	}
	return summed(all).mean
}

// feedback is from the first congested queue to the first CNP at a sender after that.
func (a *account) feedback() float64 {
	first := unit.Never
	for _, f := range a.flows {
		if f.firstCNP > a.queues.congested {
			first = min(first, f.firstCNP)
		}
	}
	if first == unit.Never {
		return math.NaN()
	}
	return microseconds(first.Sub(a.queues.congested))
}

// drops returns the frames that links and nodes lost, without unwanted ones that had arrived.
func (a *account) drops() float64 {
	sum := a.queues.linkLost
	for reason, n := range a.queues.refused {
		if !discarded[dropName(reason)] {
			sum += n
		}
	}
	return float64(sum)
}

// count counts the frames on links that satisfy holds.
func (a *account) count(holds func(*hop) bool) (n float64) {
	for i := range a.hops {
		if holds(&a.hops[i]) {
			n++
		}
	}
	return n
}

// leftAtEdges counts the frames that came to edges.
func (a *account) leftAtEdges() (n float64) {
	for i := range a.hops {
		if h := &a.hops[i]; a.plan.KindOf(h.to.Node) == plan.KindEdge && h.delivered {
			n++
		}
	}
	return n
}

// bound is the plan's, which no run changes.
func (a *account) bound() (step, free float64) {
	b := model.BoundOf(a.plan)
	if b == nil {
		return math.NaN(), math.NaN()
	}
	return microseconds(b.Step), microseconds(b.Free)
}
