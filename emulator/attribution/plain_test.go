package attribution

import (
	"cmp"
	"slices"

	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// plain is the attribution worked out flow by flow and bin by bin, with each question asked again: Fabric must be equal
// to it to the bit.
type plain struct {
	*Fabric
	// shares are the fair shares of each flow by bin.
	shares [][]float64
}

func newPlain(f *Fabric) *plain {
	p := &plain{Fabric: f}
	for range f.Flows {
		p.shares = append(p.shares, make([]float64, f.Bins))
	}
	for bin := range f.Bins {
		p.fill(bin)
	}
	return p
}

func (p *plain) activeIn(flow *Flow, bin int) bool { return flow.Sends != nil && flow.active(bin) > 0 }

// need is the time that a port needs for the data that a flow sends in a bin.
func (p *plain) need(flow *Flow, step Step, bin int) float64 {
	line := float64(p.Ports[flow.Way[0].Port].Rate)
	return float64(flow.Sends.Sending.At(bin)) * step.Share * line / float64(p.Ports[step.Port].Rate)
}

// demand is that of all flows.
func (p *plain) demand(port, bin int) (sum float64) {
	for i := range p.Flows {
		for _, step := range p.Flows[i].Way {
			if step.Port == port && p.activeIn(&p.Flows[i], bin) {
				sum += p.need(&p.Flows[i], step, bin)
			}
		}
	}
	return sum
}

// before is the sum of a series before a bin that is shifted later by a delay.
func (p *plain) before(s *record.Series, bin int, delay unit.Duration) (sum float64) {
	at := float64(bin) + float64(delay)/float64(p.Width)
	whole := min(p.Bins, int(at))
	for b := range whole {
		sum += float64(s.At(b))
	}
	if whole < p.Bins {
		next := sum + float64(s.At(whole))
		sum += float64((at - float64(whole)) * (next - sum))
	}
	return sum
}

func (p *plain) in(s *record.Series, bin int, delay unit.Duration) float64 {
	return p.before(s, bin+1, delay) - p.before(s, bin, delay)
}

// plainQueue is a queue of a port, with its state while it is filled.
type plainQueue struct {
	number         int
	growing, taken float64
	flows          []int
}

// fill fills the ports of a bin rank by rank.
func (p *plain) fill(bin int) {
	left := map[int]float64{}
	for port := range p.Ports {
		left[port] = float64(p.Ports[port].Rate)
	}
	for rank := 8; rank >= 0; rank-- {
		var ports []int
		queues := map[int][]*plainQueue{}
		for i := range p.Flows {
			if flow := &p.Flows[i]; p.activeIn(flow, bin) && p.rankOf(flow) == rank {
				for _, step := range flow.Way {
					if queues[step.Port] == nil {
						ports = append(ports, step.Port)
					}
					q := p.queueOf(queues, step)
					q.growing += float64(flow.active(bin) / float64(p.Width) * step.Share)
					q.flows = append(q.flows, i)
				}
			}
		}
		p.fillRank(bin, ports, queues, left)
		for port, list := range queues {
			for _, q := range list {
				left[port] = max(0, left[port]-q.taken)
			}
		}
	}
}

// rankOf is the highest queue of strict priority that a flow passes, from 1 on, and 0 for none.
func (p *plain) rankOf(flow *Flow) (rank int) {
	for _, step := range flow.Way {
		if p.Ports[step.Port].strict(step.Queue) {
			rank = max(rank, step.Queue+1)
		}
	}
	return rank
}

// queueOf is the queue of a step; it is made if it is not there.
func (p *plain) queueOf(queues map[int][]*plainQueue, step Step) *plainQueue {
	number := p.Ports[step.Port].queueOf(step.Queue)
	for _, q := range queues[step.Port] {
		if q.number == number {
			return q
		}
	}
	q := &plainQueue{number: number}
	queues[step.Port] = append(queues[step.Port], q)
	return q
}

// fillRank raises all rates until no flow grows.
func (p *plain) fillRank(bin int, ports []int, queues map[int][]*plainQueue, left map[int]float64) {
	fixed := map[int]bool{}
	for {
		var full *plainQueue
		level := 0.0
		for _, port := range ports {
			if q, l := p.fullAt(port, queues[port], left[port]); q != nil && (full == nil || l < level) {
				full, level = q, l
			}
		}
		if full == nil {
			return
		}
		for _, i := range full.flows {
			if fixed[i] {
				continue
			}
			fixed[i] = true
			p.shares[i][bin] = level
			flow := &p.Flows[i]
			for _, step := range flow.Way {
				q := p.queueOf(queues, step)
				part := float64(flow.active(bin) / float64(p.Width) * step.Share)
				q.growing -= part
				q.taken += float64(level * part)
			}
		}
		full.growing = 0
	}
}

// fullAt is the queue of a port that is full first, and the rate of its flows then.
func (p *plain) fullAt(port int, queues []*plainQueue, left float64) (full *plainQueue, level float64) {
	weights := 0.0
	for _, q := range queues {
		if q.growing > least {
			weights += p.Ports[port].weightOf(q.number)
		} else {
			left -= q.taken
		}
	}
	for _, q := range queues {
		if q.growing > least {
			l := max(0, float64(left*p.Ports[port].weightOf(q.number)/weights)-q.taken) / q.growing
			if full == nil || l < level {
				full, level = q, l
			}
		}
	}
	return full, level
}

// look is the bottleneck of a flow in a bin.
func (p *plain) look(flow *Flow, bin int) (best view) {
	best.step = -1
	first := 0
	for !p.activeIn(flow, first) {
		first++
	}
	width, line := float64(p.Width), float64(p.Ports[flow.Way[0].Port].Rate)
	for n, step := range flow.Way {
		port := &p.Ports[step.Port]
		if port.Load == nil {
			continue
		}
		v := view{step: n, demand: p.demand(step.Port, bin)}
		v.busy = min(width, p.in(port.Load, bin, step.Delay))
		v.paused = min(width-v.busy, p.in(port.Paused, bin, step.Delay))
		v.idle = width - v.busy - v.paused
		v.room = min(v.idle, max(0, width-v.demand))
		v.since = p.before(port.Load, bin+1, step.Delay) - p.before(port.Load, first, step.Delay)
		near := max(nearlyFull*width, packets*(float64(flow.Packet)*line/float64(port.Rate)))
		if best.step < 0 || v.room < best.room-near || v.room < best.room+near && v.demand > best.demand {
			best = v
		}
	}
	return best
}

// beside is the longest idle time in a bin of a way of a flow by another member of a group.
func (p *plain) beside(flow *Flow, step, bin int) (most float64) {
	if flow.Beside == nil {
		return 0
	}
	for _, way := range flow.Beside(step) {
		idle := float64(p.Width)
		for _, s := range way {
			busy := p.in(p.Ports[s.Port].Load, bin, s.Delay)
			idle = min(idle, float64(p.Width)-busy-p.in(p.Ports[s.Port].Paused, bin, s.Delay))
		}
		most = max(most, idle)
	}
	return most
}

// heldAt sums up the bins of a flow that was held back, from the first to the last.
func (p *plain) heldAt(list []plainHeld) (at HeldBackAt) {
	if len(list) == 0 {
		return at
	}
	time, bits := 0.0, 0.0
	for _, b := range list {
		time += b.time
		bits += float64(b.time * b.rate)
	}
	at.Rate = unit.Whole[unit.BitRate](bits / time)
	at.Until = unit.Time(list[len(list)-1].bin+1) * unit.Time(p.Width)
	slices.SortStableFunc(list, func(a, b plainHeld) int { return cmp.Compare(a.free, b.free) })
	for _, of := range []struct {
		part float64
		rate *unit.BitRate
	}{{outer, &at.FreeLow}, {1 - outer, &at.FreeHigh}} {
		sum := 0.0
		for _, b := range list {
			*of.rate = unit.Whole[unit.BitRate](b.free)
			if sum += b.time; sum >= of.part*time {
				break
			}
		}
	}
	return at
}

// plainHeld is a bin of a flow that was held back.
type plainHeld struct {
	bin              int
	time, rate, free float64
}
