package attribution

// share computes the fair share of every flow in every period during which it is active. The bins of a period have the
// same flows, active for the same times, and so the same shares; a period begins with each bin that is changed.
func (f *Fabric) share(changed []bool) {
	changed[0] = true
	var begins []int
	f.periodOf = make([]int32, f.Bins)
	for bin := range f.periodOf {
		if changed[bin] {
			begins = append(begins, bin)
		}
		f.periodOf[bin] = int32(len(begins) - 1)
	}
	f.fair = make([]span, len(f.Flows))
	active := make([][]int32, len(begins))
	for i := range f.Flows {
		flow := &f.Flows[i]
		times := f.activity(flow)
		if len(times) == 0 {
			continue
		}
		from, to := f.periodOf[flow.first], f.periodOf[flow.first+len(times)-1]+1
		f.fair[i] = span{int(from), make([]float64, to-from)}
		for period := from; period < to; period++ {
			if times[begins[period]-flow.first] > 0 {
				active[period] = append(active[period], int32(i))
			}
		}
	}
	w := newFilling(f)
	for period, flows := range active {
		w.fill(period, begins[period], flows)
	}
}

// markChanges marks the bins whose activity is another than that of the bin before. Both begin with a flow's first bin,
// and there is one more to mark.
func markChanges(times []int64, changed []bool) {
	before := int64(0)
	for i, time := range times {
		if time != before {
			changed[i], before = true, time
		}
	}
	if before > 0 {
		changed[len(times)] = true
	}
}

// fairShare is the fair share of a flow in a bin, in bit/s; 0 if it is not active.
func (f *Fabric) fairShare(flow, bin int) float64 {
	fair := &f.fair[flow]
	if i := int(f.periodOf[bin]) - fair.first; i >= 0 && i < len(fair.of) {
		return fair.of[i]
	}
	return 0
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
	// ports are the ports while they are filled, weight is the active part of the bin of each flow.
	ports  []portFilled
	weight []float64
	// used are the ports and queues of the pass.
	used       []int32
	usedQueues []int32
	// fixed is, of each flow, the number of the pass that fixed its rate last; passes counts them.
	fixed  []int
	passes int
	// first finds the port that is full first. changed are those with flows that were fixed in the round; rounds counts.
	first   tournament
	changed []int32
	rounds  int
}

// portFilled is a port while it is filled.
type portFilled struct {
	// left is the rate in bit/s that flows of a higher rank leave.
	left float64
	// place is its place in used, pass the last one that used it, round the last one that changed it.
	place       int32
	pass, round int
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
		ports:   make([]portFilled, len(f.Ports)),
		weight:  make([]float64, len(f.Flows)),
		fixed:   make([]int, len(f.Flows)),
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

// fill works out the fair shares of the flows that are active in a period, by its first bin.
func (w *filling) fill(period, bin int, active []int32) {
	for _, i := range active {
		flow := &w.Flows[i]
		w.weight[i] = flow.active(bin) / float64(w.Width)
		for n := range flow.Way {
			port := flow.Way[n].Port
			w.ports[port].left = float64(w.Ports[port].Rate)
		}
	}
	for len(active) > 0 {
		highest := 0
		for _, i := range active {
			highest = max(highest, w.rank[i])
		}
		var lower []int32
		w.start()
		for _, i := range active {
			if w.rank[i] == highest {
				w.add(i)
			} else {
				lower = append(lower, i)
			}
		}
		w.grow(period)
		active = lower
	}
}

// start begins a pass.
func (w *filling) start() {
	w.passes++
	w.used, w.usedQueues = w.used[:0], w.usedQueues[:0]
}

// add has a flow grow in this pass.
func (w *filling) add(flow int32) {
	way := w.Flows[flow].Way
	for n, number := range w.queueOf[flow] {
		q := &w.queues[number]
		if len(q.flows) == 0 {
			w.usedQueues = append(w.usedQueues, number)
			q.growing, q.taken = 0, 0
			if p := &w.ports[q.port]; p.pass != w.passes {
				p.pass, p.place = w.passes, int32(len(w.used))
				w.used = append(w.used, int32(q.port))
			}
		}
		q.growing += float64(w.weight[flow] * way[n].Share)
		q.flows = append(q.flows, flow)
	}
}

// grow raises the rates of the pass until all are fixed.
func (w *filling) grow(period int) {
	w.first.begin(len(w.used))
	for place, p := range w.used {
		w.first.set(place, w.fullAt(int(p)))
	}
	w.first.fill()
	for {
		full := w.first.winner()
		if full.queue < 0 {
			break
		}
		q := &w.queues[full.queue]
		w.rounds++
		w.changed = w.changed[:0]
		w.change(q.port)
		for _, flow := range q.flows {
			if w.fixed[flow] != w.passes {
				w.fair[flow].of[period-w.fair[flow].first] = full.level
				w.fix(flow, full.level)
			}
		}
		q.growing = 0
		for _, p := range w.changed {
			w.first.update(int(w.ports[p].place), w.fullAt(int(p)))
		}
	}
	for _, number := range w.usedQueues {
		q := &w.queues[number]
		p := &w.ports[q.port]
		p.left = max(0, p.left-q.taken)
		q.flows = q.flows[:0]
	}
}

// change adds a port to the ones that change in this round.
func (w *filling) change(port int) {
	if p := &w.ports[port]; p.round != w.rounds {
		p.round = w.rounds
		w.changed = append(w.changed, int32(port))
	}
}

// fullAt is the queue of a port that is full first, and the rate of its flows then; -1 if none of its flows grow.
func (w *filling) fullAt(port int) contender {
	left, weights := w.ports[port].left, 0.0
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
func (w *filling) fix(flow int32, level float64) {
	w.fixed[flow] = w.passes
	way := w.Flows[flow].Way
	for n, number := range w.queueOf[flow] {
		q := &w.queues[number]
		part := float64(w.weight[flow] * way[n].Share)
		q.growing -= part
		q.taken += float64(level * part)
		w.change(q.port)
	}
}
