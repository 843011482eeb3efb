package attribution

// view is a port on a flow's way in a bin, in picoseconds.
type view struct {
	// step is the step of the way, -1 if no port of the way is recorded.
	step               int
	idle, busy, paused float64
	// room is the time that is left for further data; demand is the time that the port needs for the data of all flows.
	room, demand float64
	// since is how long the port has been busy from the flow's first bin to the end of this one.
	since float64
}

// nearlyFull is the part of a bin by which the idle times of two ports may differ and still count as equal.
const nearlyFull = 0.05

// packets is the number of a flow's packets that may fall into different bins at two ports.
const packets = 2

// bottlenecks returns, of each bin in which a flow is active, the port of its way with the least idle time; of several
// whose idle times are near each other that with the most demand. first and times are the flow's activity. The result
// is valid up to the next call.
func (f *Fabric) bottlenecks(flow *Flow, first int, times []int64) []view {
	f.views = f.views[:0]
	for range times {
		f.views = append(f.views, view{step: -1})
	}
	width := float64(f.Width)
	for n := range flow.Way {
		step := &flow.Way[n]
		sums := f.busyAt(step.Port)
		if sums == nil {
			continue // not recorded
		}
		paused, own, shift := f.pausedAt(step.Port), f.own[step.Port], f.shift(step.Delay)
		packet := float64(flow.Packet) * f.lineRate(flow) / float64(f.Ports[step.Port].Rate)
		near := max(nearlyFull*width, packets*packet)
		start := f.upTo(sums, first, shift)
		before, known := start, first // before is the sum before the known bin
		for i, time := range times {
			if time == 0 {
				continue
			}
			bin := first + i
			if bin != known {
				before = f.upTo(sums, bin, shift)
			}
			after := f.upTo(sums, bin+1, shift)
			v := view{
				step:   n,
				busy:   min(width, after-before),
				demand: own[bin],
				since:  after - start,
			}
			before, known = after, bin+1
			v.paused = min(width-v.busy, f.within(paused, bin, shift))
			v.idle = width - v.busy - v.paused
			// Data sent in the bin fills a slower port a little later.
			v.room = min(v.idle, max(0, width-v.demand))
			best := &f.views[i]
			if best.step < 0 || v.room < best.room-near || v.room < best.room+near && v.demand > best.demand {
				*best = v
			}
		}
	}
	return f.views
}

// besides are the ways of a flow by other members of the ECMP groups, by step, as far as they were asked for.
type besides struct {
	asked []bool
	ways  [][][]Step
}

// at are the ways by the other members of the group of a step.
func (b *besides) at(flow *Flow, step int) [][]Step {
	if !b.asked[step] && flow.Beside != nil {
		b.ways[step] = flow.Beside(step)
	}
	b.asked[step] = true
	return b.ways[step]
}

// idleBeside returns an upper bound of the time during which one of several ways was idle in a bin.
func (f *Fabric) idleBeside(ways [][]Step, bin int) (most float64) {
	width := float64(f.Width)
	for _, way := range ways {
		idle := width
		for n := range way {
			if idle <= most {
				break // another way was idle for longer
			}
			s := &way[n]
			shift := f.shift(s.Delay)
			busy := f.within(f.busyAt(s.Port), bin, shift)
			idle = min(idle, width-busy-f.within(f.pausedAt(s.Port), bin, shift))
		}
		most = max(most, idle)
	}
	return most
}
