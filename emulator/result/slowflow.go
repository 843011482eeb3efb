package result

import (
	"cmp"
	"math"
	"slices"

	"github.com/rocelab/rocelab/emulator/attribution"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

const (
	// mostSlow is the maximum number of slow flows examined, portsOfSlow the maximum number of ports of each,
	// namesBeside the maximum number of named flows that shared a port.
	mostSlow    = 12
	portsOfSlow = 16
	namesBeside = 3
)

// Step is a port that the data of a flow leaves on its way.
type Step struct {
	plan.End
	// Hop counts from the sender's NIC, which has 0.
	Hop int
	// Share is the part of the flow's frames that goes here: 1 unless switches spread them.
	Share float64
}

// slowFlow is one of the slowest flows of a run.
type slowFlow struct {
	// Flow is its place in the plan.
	Flow int
	// Ports are those on its way.
	Ports []SlowPort
}

// SlowPort describes a port on a flow's way as the flow found it.
type SlowPort struct {
	Step
	// Class is that of the flow's data, Queue the egress queue, -1 at a NIC.
	Class, Queue int
	// Alone is set if the numbers cover only the flow's own time, by the bins of the port's series; otherwise they
	// cover the whole run.
	Alone bool
	// WaitShare is the part of a frame's total wait that it spends here, NaN if there was no wait.
	WaitShare float64
	// Depth is the longest that the queue was, in bytes; Marked how many frames were marked
	// there; Paused how long the peer held the port.
	Depth  int64
	Marked uint64
	Paused unit.Duration
	// Flows is the average number of flows here while the flow was active, itself included; Others the number of others
	// at any time, and Beside the names of the longest of them.
	Flows  float64
	Others int
	Beside []string

	wait   float64 // of a frame, in picoseconds
	beside []shared
}

// shared is a flow that another one shared a port with.
type shared struct {
	flow int
	time float64
}

// FindSlow finds the slowest flows and what they met; way returns the ports on a flow's way.
func (o *Outcome) FindSlow(way func(flow int) []Step) {
	type place struct{ slow, port int }
	at := map[plan.End][]place{}
	earliest, latest := unit.Never, unit.Time(0)
	for slow, number := range slowest(o, mostSlow) {
		flow, found := o.flow(number), slowFlow{Flow: number}
		for _, step := range way(number) {
			found.Ports = append(found.Ports, met(o, &flow, step))
		}
		found.finish()
		for port := range found.Ports {
			at[found.Ports[port].End] = append(at[found.Ports[port].End], place{slow, port})
		}
		from, until := flow.life()
		earliest, latest = min(earliest, from), max(latest, until)
		o.Slow = append(o.Slow, found)
	}
	for number := range o.Flows {
		flow := o.flow(number)
		from, until := flow.life()
		if from >= latest || until <= earliest {
			continue
		}
		for _, step := range way(number) {
			for _, p := range at[step.End] {
				slow := &o.Slow[p.slow]
				slowFlow := o.flow(slow.Flow)
				begin, end := slowFlow.life()
				if together := min(until, end).Sub(max(from, begin)); together > 0 {
					slow.Ports[p.port].share(slow.Flow, number, step.Share*float64(together)/float64(end.Sub(begin)))
				}
			}
		}
	}
	for i := range o.Slow {
		for j := range o.Slow[i].Ports {
			port := &o.Slow[i].Ports[j]
			for _, other := range port.beside {
				port.Beside = append(port.Beside, o.Plan.Flows[other.flow].Name)
			}
		}
	}
}

// share counts a flow that was at the port for a part of the slow one's time.
func (p *SlowPort) share(slow, flow int, time float64) {
	p.Flows += time
	if flow == slow {
		return
	}
	p.Others++
	p.beside = append(p.beside, shared{flow, time})
	slices.SortStableFunc(p.beside, func(a, b shared) int { return cmp.Compare(b.time, a.time) })
	p.beside = p.beside[:min(len(p.beside), namesBeside)]
}

// finish computes each port's part of the wait, and keeps the ports with most of it.
func (s *slowFlow) finish() {
	total := 0.0
	for i := range s.Ports {
		total += float64(s.Ports[i].Share * s.Ports[i].wait)
	}
	for i := range s.Ports {
		if s.Ports[i].WaitShare = math.NaN(); total > 0 {
			s.Ports[i].WaitShare = s.Ports[i].Share * s.Ports[i].wait / total
		}
	}
	if len(s.Ports) > portsOfSlow {
		most := slices.Clone(s.Ports)
		slices.SortStableFunc(most, func(a, b SlowPort) int { return cmp.Compare(b.Share*b.wait, a.Share*a.wait) })
		least := most[portsOfSlow-1].Share * most[portsOfSlow-1].wait
		s.Ports = slices.DeleteFunc(s.Ports, func(p SlowPort) bool { return p.Share*p.wait < least })
		s.Ports = s.Ports[:min(len(s.Ports), portsOfSlow)]
	}
}

// slowest returns the slowest flows: first those with a size that did not complete, then those
// with the largest slowdown, of messages that wait the largest of them, then those without a
// size that got least.
func slowest(o *Outcome, most int) []int {
	type slow struct {
		flow, rank int
		by         float64
	}
	var list []slow
	for i := range o.Flows {
		flow := o.flow(i)
		if from, until := flow.life(); from < until {
			rank, by := flow.slowness()
			list = append(list, slow{i, rank, by})
		}
	}
	slices.SortStableFunc(list, func(a, b slow) int { return cmp.Or(a.rank-b.rank, cmp.Compare(b.by, a.by)) })
	var flows []int
	for _, s := range list[:min(len(list), most)] {
		flows = append(flows, s.flow)
	}
	return flows
}

// The ranks of slowness.
const (
	slowIncomplete = iota
	slowLater
	slowEndless
)

// slowness orders flows: by rank, and within one by a number that is larger the slower.
func (r *ranFlow) slowness() (rank int, by float64) {
	switch {
	case r.planned.Size == 0:
		return slowEndless, -zeroIfNaN(r.goodput())
	case r.Sender.Completed == unit.Never:
		return slowIncomplete, 1 - float64(r.Sender.Acked)/float64(r.planned.Size)
	case r.planned.Messages != nil && r.Ideal > 0:
		return slowLater, zeroIfNaN(r.messageDistribution().Max / r.Ideal.Microseconds())
	}
	return slowLater, zeroIfNaN(r.slowdown())
}

func zeroIfNaN(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return v
}

// met returns the conditions of a flow at a port, as far as the port's counters show them.
func met(o *Outcome, flow *ranFlow, step Step) SlowPort {
	node := o.Plan.Node(step.Node)
	rec := &o.portsOf(&node)[step.Port]
	met := SlowPort{Step: step, Class: flow.classAt(&node), Queue: -1}
	queue := new(record.Queue)
	if node.Kind == plan.KindSwitch {
		met.Queue = int(o.Plan.Switches[node.Index].Profile.QueueOf[met.Class])
		queue = rec.Queues.At(met.Queue)
	}
	if rec.Over == nil || o.Recorded == nil {
		met.Depth, met.Marked, met.Paused = int64(queue.MaxBytes), queue.Marked, rec.Classes.At(met.Class).Paused
		met.wait = float64(queue.Wait.Mean())
		return met
	}
	met.Alone = true
	from, until := flow.life()
	width := unit.Time(o.Recorded.Width)
	rate := o.Plan.AttachmentAt(&node, step.Port).Tx.Rate
	first, last := int(from/width), int((until-1)/width)
	for bin := first; bin <= last; bin++ {
		depth, paused := queue.Depth.At(bin), rec.Over.Paused.At(bin)
		met.Depth = max(met.Depth, depth)
		met.Marked += uint64(rec.Over.Marked.At(bin))
		met.Paused += unit.Duration(paused)
		// What a frame that comes finds before it must leave, and no pause be left.
		met.wait += float64(rate.SerialTime(unit.Bytes(depth))) + float64(paused)
	}
	met.wait /= float64(last - first + 1)
	return met
}

// SlowestFlow is the slowest flow of a run with its time by cause.
type SlowestFlow struct {
	attribution.Parts
	// Flow is its name, Group the traffic entry that it came from.
	Flow, Group string
	Size        unit.Bytes
}

// SlowestFlow is the slowest flow of the run, nil if it did not complete or the causes were not recorded.
func (o *Outcome) SlowestFlow() *SlowestFlow {
	if o.Why == nil || len(o.Slow) == 0 {
		return nil
	}
	number := o.Slow[0].Flow
	flow := o.flow(number)
	if flow.planned.Size == 0 || flow.Sender.Completed == unit.Never {
		return nil
	}
	return &SlowestFlow{
		Parts: o.Why[number].Parts,
		Flow:  flow.planned.Name,
		Group: flow.planned.Group,
		Size:  flow.planned.Size,
	}
}
