package attribution

import (
	"cmp"
	"slices"
)

// share computes the fair share of every flow in every bin during which it is active.
func (f *Fabric) share() {
	f.fair = make([]span, len(f.Flows))
	active := make([][]int32, f.Bins)
	for i := range f.Flows {
		flow, last := &f.Flows[i], -1
		f.fair[i].first = f.Bins
		for bin := range flow.bins(f.Bins) {
			active[bin] = append(active[bin], int32(i))
			f.fair[i].first, last = min(f.fair[i].first, bin), bin
		}
		if last >= 0 {
			f.fair[i].of = make([]float64, last+1-f.fair[i].first)
		}
	}
	w := newFilling(f)
	for bin, flows := range active {
		w.fill(bin, flows)
	}
}

// filling is progressive filling: the rates of all flows grow until a queue of a port has its part; its flows then keep
// their rates while the others grow on (Bertsekas and Gallager, Data Networks, section 6.5.2). The queues of a port
// have parts in proportion to their weights, and the other queues share the unused part of one. Flows in queues of
// strict priority are filled before all others, as if the others did not exist.
type filling struct {
	*Fabric
	// queues are the queues through which flows leave: queueOf[flow][n] for the n-th step of a flow's way. atPort are
	// the queues of each port.
	queues  []queue
	queueOf [][]int32
	atPort  [][]int32
	// rank is the rank in the order of filling, the highest first.
	rank []int
	// left is, of each port, bit/s that flows of a higher rank leave; used are the ports and queues of the bin.
	left       []float64
	used       []int32
	usedQueues []int32
	// fixed is, of each flow, the number of the pass that fixed its rate last; passes counts them.
	fixed  []int
	passes int
	// first finds the port that is full first; placeOf is the place of each port in used, and changed are those with
	// flows that were fixed just now.
	first   tournament
	placeOf []int32
	changed []int32
}

// queue is a queue of a port while it is filled.
type queue struct {
	port, number int
	weight       float64
	// growing is the number of flows that still grow, each weighted by its time and the part of its frames that goes
	// here; taken is the sum of the other flows' rates in bit/s.
	growing, taken float64
	flows          []int32
}

func newFilling(f *Fabric) *filling {
	w := &filling{
		Fabric:  f,
		queueOf: make([][]int32, len(f.Flows)),
		atPort:  make([][]int32, len(f.Ports)),
		rank:    make([]int, len(f.Flows)),
		left:    make([]float64, len(f.Ports)),
		fixed:   make([]int, len(f.Flows)),
		placeOf: make([]int32, len(f.Ports)),
	}
	for i := range f.Flows {
		for _, step := range f.Flows[i].Way {
			port := &f.Ports[step.Port]
			w.queueOf[i] = append(w.queueOf[i], w.queue(step.Port, port.queueOf(step.Queue)))
			if port.strict(step.Queue) {
				w.rank[i] = max(w.rank[i], step.Queue+1)
			}
		}
	}
	return w
}

// queue is the number of a port's queue.
func (w *filling) queue(port, number int) int32 {
	for _, q := range w.atPort[port] {
		if w.queues[q].number == number {
			return q
		}
	}
	q := int32(len(w.queues))
	w.queues = append(w.queues, queue{port: port, number: number, weight: w.Ports[port].weightOf(number)})
	w.atPort[port] = append(w.atPort[port], q)
	return q
}

// least is a weight that is no more than what rounding leaves.
const least = 1e-9

// fill works out the fair shares of a bin's active flows.
func (w *filling) fill(bin int, active []int32) {
	for _, i := range active {
		for _, step := range w.Flows[i].Way {
			w.left[step.Port] = float64(w.Ports[step.Port].Rate)
		}
	}
	for len(active) > 0 {
		highest := slices.MaxFunc(active, func(a, b int32) int { return cmp.Compare(w.rank[a], w.rank[b]) })
		var lower []int32
		w.start()
		for _, i := range active {
			if w.rank[i] == w.rank[highest] {
				w.add(i, bin)
			} else {
				lower = append(lower, i)
			}
		}
		w.grow(bin)
		active = lower
	}
}

// start begins a pass.
func (w *filling) start() {
	w.passes++
	w.used, w.usedQueues = w.used[:0], w.usedQueues[:0]
}

// weightOf returns the part of a bin during which a flow is active.
func (w *filling) weightOf(flow int32, bin int) float64 {
	return w.Flows[flow].active(bin) / float64(w.Width)
}

// add has a flow grow in this pass.
func (w *filling) add(flow int32, bin int) {
	weight := w.weightOf(flow, bin)
	for n, step := range w.Flows[flow].Way {
		number := w.queueOf[flow][n]
		q := &w.queues[number]
		if len(q.flows) == 0 {
			w.usedQueues = append(w.usedQueues, number)
			q.growing, q.taken = 0, 0
			if !w.inUse(step.Port, number) {
				w.used = append(w.used, int32(step.Port))
			}
		}
		q.growing += float64(weight * step.Share)
		q.flows = append(q.flows, flow)
	}
}

// inUse reports whether a port has another queue with flows in this pass.
func (w *filling) inUse(port int, but int32) bool {
	return slices.ContainsFunc(w.atPort[port], func(q int32) bool { return q != but && len(w.queues[q].flows) > 0 })
}

// grow raises the rates of the pass until all are fixed.
func (w *filling) grow(bin int) {
	w.first.begin(len(w.used))
	for place, p := range w.used {
		w.placeOf[p] = int32(place)
		w.first.set(place, w.fullAt(int(p)))
	}
	w.first.fill()
	for {
		full := w.first.winner()
		if full.queue < 0 {
			break
		}
		q := &w.queues[full.queue]
		w.changed = append(w.changed[:0], int32(q.port))
		for _, flow := range q.flows {
			if w.fixed[flow] != w.passes {
				w.fix(flow, bin, full.level)
			}
		}
		q.growing = 0
		slices.Sort(w.changed)
		for _, p := range slices.Compact(w.changed) {
			w.first.update(int(w.placeOf[p]), w.fullAt(int(p)))
		}
	}
	for _, number := range w.usedQueues {
		q := &w.queues[number]
		w.left[q.port] = max(0, w.left[q.port]-q.taken)
		q.flows = q.flows[:0]
	}
}

// fullAt is the queue of a port that is full first, and the rate of its flows then; -1 if none of its flows grow.
func (w *filling) fullAt(port int) contender {
	left, weights := w.left[port], 0.0
	for _, number := range w.atPort[port] {
		switch q := &w.queues[number]; {
		case len(q.flows) == 0:
		case q.growing > least:
			weights += q.weight
		default:
			left -= q.taken
		}
	}
	full := contender{queue: -1}
	for _, number := range w.atPort[port] {
		q := &w.queues[number]
		if len(q.flows) == 0 || q.growing <= least {
			continue
		}
		if l := max(0, float64(left*q.weight/weights)-q.taken) / q.growing; full.queue < 0 || l < full.level {
			full = contender{number, l}
		}
	}
	return full
}

// fix ends the growth of a flow.
func (w *filling) fix(flow int32, bin int, level float64) {
	w.fixed[flow] = w.passes
	w.fair[flow].of[bin-w.fair[flow].first] = level
	weight := w.weightOf(flow, bin)
	for n, step := range w.Flows[flow].Way {
		q := &w.queues[w.queueOf[flow][n]]
		part := float64(weight * step.Share)
		q.growing -= part
		q.taken += float64(level * part)
		w.changed = append(w.changed, int32(step.Port))
	}
}
