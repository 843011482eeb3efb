package attribution

// share works out the fair share of every flow in every bin in which it is active.
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
	w := newFilling(len(f.Ports), len(f.Flows))
	for bin, flows := range active {
		w.fill(f, bin, flows)
	}
}

// filling is progressive filling: the rates of all flows grow alike until a port is full, whose flows stay where they
// are while the others grow on (Bertsekas and Gallager, Data Networks, section 6.5.2).
type filling struct {
	left, weight []float64 // of each port: bit/s that are left, and the weight of the flows that grow
	flows        [][]int32
	used         []int
	// fixed is, of each flow, the number of the call of fill that fixed its rate last; calls counts them.
	fixed []int
	calls int
}

func newFilling(ports, flows int) *filling {
	return &filling{
		left:   make([]float64, ports),
		weight: make([]float64, ports),
		flows:  make([][]int32, ports),
		fixed:  make([]int, flows),
	}
}

// least is a weight that is no more than what rounding leaves.
const least = 1e-9

// fill works out the fair shares of a bin's active flows.
func (w *filling) fill(f *Fabric, bin int, active []int32) {
	w.used = w.used[:0]
	w.calls++
	weightOf := func(flow *Flow) float64 { return flow.active(bin) / float64(f.Width) }
	for _, i := range active {
		flow := &f.Flows[i]
		for _, step := range flow.Way {
			p := step.Port
			if len(w.flows[p]) == 0 {
				w.used = append(w.used, p)
				w.left[p], w.weight[p] = float64(f.Ports[p].Rate), 0
			}
			w.weight[p] += float64(weightOf(flow) * step.Share)
			w.flows[p] = append(w.flows[p], i)
		}
	}
	for {
		full, level := -1, 0.0
		for _, p := range w.used {
			if w.weight[p] > least && (full < 0 || w.left[p]/w.weight[p] < level) {
				full, level = p, w.left[p]/w.weight[p]
			}
		}
		if full < 0 {
			break
		}
		for _, i := range w.flows[full] {
			if w.fixed[i] == w.calls {
				continue
			}
			w.fixed[i] = w.calls
			flow := &f.Flows[i]
			f.fair[i].of[bin-f.fair[i].first] = level
			for _, step := range flow.Way {
				weight := float64(weightOf(flow) * step.Share)
				w.left[step.Port] = max(0, w.left[step.Port]-float64(level*weight))
				w.weight[step.Port] -= weight
			}
		}
		w.weight[full] = 0
	}
	for _, p := range w.used {
		w.flows[p] = w.flows[p][:0]
	}
}
