package attribution

import "slices"

// view is a port on a flow's way in a bin, in picoseconds.
type view struct {
	step               int
	idle, busy, paused float64
	// room is the time that is left for further data; demand is the time that the port needs for the data of all flows.
	room, demand float64
	// since is the time during which the port has been busy from the flow's first bin to the end of this one.
	since float64
}

// nearlyFull is the part of a bin by which the idle times of two ports may differ and still count as equal.
const nearlyFull = 0.05

// packets is the number of a flow's packets that may fall into different bins at two ports.
const packets = 2

// bottlenecks returns the port of a flow's way with the least idle time in each bin of its activity; of several with
// idle times near each other, the one with the most demand. Bins without activity are left open. The result is valid up
// to the next call; it is nil if no port of the way is recorded.
func (f *Fabric) bottlenecks(flow *Flow, times []int64) (best []view) {
	if len(times) == 0 {
		return nil
	}
	first, width := flow.first, float64(f.Width)
	for n := range flow.Way {
		step := &flow.Way[n]
		sums := f.busyAt(step.Port)
		if sums == nil {
			continue // not recorded
		}
		only := best == nil
		if only {
			f.views = slices.Grow(f.views[:0], f.Bins)
			best = f.views[:len(times)]
		}
		paused, own, shift := f.pausedAt(step.Port), f.own[step.Port][first:], f.shift(step.Delay)
		packet := float64(flow.Packet) * f.lineRate(flow) / float64(f.Ports[step.Port].Rate)
		near := max(nearlyFull*width, packets*packet)
		start := f.upTo(sums, first, shift)
		before, known := start, 0 // the sum before the known bin
		for i, time := range times {
			if time == 0 {
				continue
			}
			if i != known {
				before = f.upTo(sums, first+i, shift)
			}
			after := f.upTo(sums, first+i+1, shift)
			busy, held := lower(width, after-before), 0.0
			before, known = after, i+1
			idle := width - busy
			if paused != nil {
				held = lower(idle, f.during(paused, first+i, shift))
				idle -= held
			}
			// Data sent in the bin fills a slower port a little later.
			demand := own[i]
			room := lower(idle, positive(width-demand))
			old := &best[i]
			if only || room < old.room-near || room < old.room+near && demand > old.demand {
				*old = view{
					step:   n,
					idle:   idle,
					busy:   busy,
					paused: held,
					room:   room,
					demand: demand,
					since:  after - start,
				}
			}
		}
	}
	return best
}

// lower is the lower of two values. It takes a third of the instructions of min, since it has no rule for NaN.
func lower(a, b float64) float64 {
	if a < b {
		return a
	}
	return b
}

// positive is a value, or 0 if it is negative.
func positive(a float64) float64 {
	if a > 0 {
		return a
	}
	return 0
}

// besideStep is a port on a way beside that of a flow: its sums, and the delay until it in bins.
type besideStep struct {
	busy, paused []float64
	shift        float64
}

// waysBeside are the ways of a flow by the other members of the ECMP group of a step.
func (f *Fabric) waysBeside(flow *Flow, step int, s *sums) [][]besideStep {
	if s.beside[step] != nil || flow.Beside == nil {
		return s.beside[step]
	}
	ways := [][]besideStep{}
	for _, way := range flow.Beside(step) {
		list := make([]besideStep, len(way))
		for n, at := range way {
			list[n] = besideStep{f.busyAt(at.Port), f.pausedAt(at.Port), f.shift(at.Delay)}
		}
		ways = append(ways, list)
	}
	s.beside[step] = ways
	return ways
}

// idleBeside returns an upper bound of the idle time of one of several ways in a part of a bin. The search ends with a
// way that was idle for long enough.
func (f *Fabric) idleBeside(ways [][]besideStep, bin int, part, enough float64) float64 {
	width, most := float64(f.Width), 0.0
	for _, way := range ways {
		idle := width
		for n := range way {
			if idle <= most {
				break // another way was idle for longer
			}
			at := &way[n]
			left := width - f.during(at.busy, bin, at.shift)
			if at.paused != nil {
				left -= f.during(at.paused, bin, at.shift)
			}
			idle = lower(idle, left)
		}
		if idle > most {
			most = idle
		}
		if most*part >= enough {
			break
		}
	}
	return float64(most * part)
}
